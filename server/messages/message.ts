import { homePath } from '../../core/contract/pages.ts'
import type { MessageRow } from '../../core/contract/portal/message.ts'
import { routes } from '../../core/contract/routes.ts'
import type { Key } from '../../core/i18n/index.ts'
import type { Language } from '../../core/i18n/language.ts'
import { isKey, text } from '../../core/i18n/server.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import type { Tx } from '../db/database.ts'
import type { Params } from '../http/fault.ts'
import { newNo } from '../money/numbers.ts'

/** Messages by their words: the texts of this name in the namespace `server/messages`. */
export type Template =
  | 'allotted'
  | 'announcementRemind'
  | 'approvalAsked'
  | 'approvalDone'
  | 'approvalFailed'
  | 'approvalRejected'
  | 'approvalExpired'
  | 'codeBudget'
  | 'couponApproved'
  | 'couponRejected'
  | 'exportReady'
  | 'exportFailed'
  | 'importDone'
  | 'importFailed'
  | 'leaveAsked'
  | 'leaveApproved'
  | 'leaveRejected'
  | 'massReveal'
  | 'mfaReset'
  | 'recoveryUsed'
  | 'refundRejected'
  | 'transferRejected'
  | 'rechargeRejected'
  | 'phoneBillRejected'
  | 'ruleTestDone'
  | 'ruleTestFailed'
  | 'warningRaised'

/** One message to one member of staff. */
export type Message = {
  to: string
  messageType: MessageRow['messageType']
  template: Template
  /** Places of the words. A text key is said in the language of the reader, an amount with its separators. */
  params: Params
  objectType: string
  objectNo: string
  /** Address of the record with its query. */
  route: string | null
  /** The receiver did it, so that it starts out as read. */
  known?: true
}

/** Adds a message for a member of staff; open consoles get it after the commit, and not at all after a rollback. */
export const tell = (tx: Tx, { to, known, ...message }: Message): void =>
  tx.append('staffMessage', {
    ...message,
    staffMessageNo: newNo('SM', tx.now),
    userNo: to,
    createdTime: tx.now,
    readTime: known ? tx.now : null,
  })

const isAmount = /^\d+\.\d\d$/

/** The values of the places, in a language; what is a text key may have places of its own among them. */
const valuesOf = (language: Language, params: Params): Params => {
  const own = Object.entries(params).filter(([, value]) => typeof value !== 'string' || !isKey(value))
  const plain = Object.fromEntries(
    own.map(([name, value]) => [name, isAmount.test(String(value)) ? formatMoney(String(value)) : value]),
  )
  const keys = Object.entries(params).filter((entry): entry is [string, Key] => isKey(String(entry[1])))
  const words = Object.fromEntries(keys.map(([name, key]) => [name, text(language, key)]))
  const filled = keys.map(([name, key]) => [name, text(language, key, { ...plain, ...words })])
  return { ...plain, ...Object.fromEntries(filled) }
}

/** A text key that was kept with its values, in a language. */
export const wordsOfKey = (language: Language, key: string, params: Params): string =>
  isKey(key) ? text(language, key, valuesOf(language, params)) : key

/** The words of a message in a language. */
export const wordsOf = (language: Language, { template, params }: { template: string; params: Params }) => {
  const values = valuesOf(language, params)
  const said = (key: string) => (isKey(key) ? text(language, key, values) : '')
  return { title: said(`message.${template}.title`), content: said(`message.${template}.content`) }
}

const pathOf = (name: string): string => {
  const route = routes.find(one => one.name === name)
  if (!route) throw new Error(`there is no page ${name}`)
  return route.path
}

/** Where an order is opened. */
export const orderRoute = (orderNo: string): string => `${pathOf('OrderDetail')}?orderNo=${encodeURIComponent(orderNo)}`

/** Where a receipt is opened. */
export const flowRoute = (flowNo: string): string =>
  `${pathOf('RepaymentManagement')}?${new URLSearchParams({ tab: 'flows', flowNo, open: flowNo })}`

/** Where a payout is opened. */
export const loanRoute = (loanCode: string): string =>
  `${pathOf('LoanManagement')}?${new URLSearchParams({ keyword: loanCode, open: loanCode })}`

/** Home, with what opens over it. */
export const homeRoute = (query: Readonly<Record<string, string>>): string =>
  `${homePath}?${new URLSearchParams(query)}`
