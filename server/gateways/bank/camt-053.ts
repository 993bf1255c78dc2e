import { type Money, neg } from '../../../core/rules/money.ts'
import { type EatDate, eatDate } from '../../../core/rules/time.ts'
import { bounds } from '../../files/imports/read/unreadable.ts'
import type { Statement, StatementLine } from '../gateway.ts'
import { moneyOf } from '../read.ts'
import { one, type Part, readMessage, unreadable, type Values } from './iso20022.ts'

/** What a bank writes about one account and day. */
export type BankStatement = Statement & { accountNumber: string; date: EatDate }

/** What one file of statements may hold. */
export const statementBounds = { bytes: bounds.bytes, entries: 50_000, depth: 32, text: 2_000, id: 64 } as const

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw unreadable()
  return value
}

/** An amount in shillings; banks may write places that say nothing. */
const amountAt = (values: Values, path: string): Money => {
  if (one(values, `${path}@Ccy`) !== 'UGX') throw unreadable()
  return required(moneyOf(one(values, path)?.replace(/(\.\d\d)0*$/, '$1')))
}
const directionOf = (values: Values): StatementLine['direction'] => {
  const found = one(values, 'CdtDbtInd')
  if (found !== 'CRDT' && found !== 'DBIT') throw unreadable()
  return found === 'CRDT' ? 'in' : 'out'
}
const signedAt = (values: Values): Money =>
  directionOf(values) === 'in' ? amountAt(values, 'Amt') : neg(amountAt(values, 'Amt'))

/** A day, or a moment; without an offset it is one of Kampala. */
const momentAt = (values: Values, path: string): string => {
  const day = one(values, `${path}/Dt`)
  const written = one(values, `${path}/DtTm`) ?? (day ? `${day}T00:00:00` : '')
  const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}+03:00`)
  if (Number.isNaN(at)) throw unreadable()
  return new Date(at).toISOString()
}

const accountOf = (values: Values, path: string): string | undefined =>
  one(values, `${path}/Id/IBAN`) ?? one(values, `${path}/Id/Othr/Id`)
/** Banks say by this word that there is no reference. */
const referenceAt = (values: Values, path: string): string | undefined => {
  const found = one(values, path)
  return found === 'NOTPROVIDED' ? undefined : found
}

const isBooked = ({ values }: Part): boolean => (one(values, 'Sts/Cd') ?? one(values, 'Sts')) === 'BOOK'

/** One entry is one line; what its only transaction tells belongs to it, and of several none does. */
const lineOf = ({ values, parts }: Part): StatementLine => {
  const transactions = parts.transaction ?? []
  const found: Values = transactions.length === 1 ? (transactions[0] as Part).values : new Map()
  const direction = directionOf(values)
  const serialNo = required(one(values, 'AcctSvcrRef') ?? one(found, 'Refs/AcctSvcrRef') ?? one(values, 'NtryRef'))
  if (serialNo.length > statementBounds.id) throw unreadable()
  const isReturn =
    one(values, 'RvslInd') === 'true' || [...found.keys()].some(path => path === 'RtrInf' || path.startsWith('RtrInf/'))
  const words = [...(found.get('RmtInf/Ustrd') ?? []), ...(values.get('AddtlNtryInf') ?? [])].join(' ')
  return {
    serialNo,
    direction,
    lineKind: isReturn ? 'reversal' : 'payment',
    amount: amountAt(values, 'Amt'),
    time: momentAt(values, 'BookgDt'),
    reference: referenceAt(found, 'Refs/EndToEndId') ?? null,
    relatesTo: null,
    payerAccount: accountOf(found, direction === 'in' ? 'RltdPties/DbtrAcct' : 'RltdPties/CdtrAcct') ?? null,
    narrative: words.slice(0, 200) || null,
  }
}

const balanceOf = ({ parts }: Part, ...kinds: string[]): Part | undefined =>
  (parts.balance ?? []).find(({ values }) => kinds.includes(one(values, 'Tp/CdOrPrtry/Cd') ?? ''))

const statementOf = (stated: Part): BankStatement => {
  const opening = required(balanceOf(stated, 'OPBD', 'PRCD')).values
  const closing = required(balanceOf(stated, 'CLBD')).values
  return {
    accountNumber: required(accountOf(stated.values, 'Acct')),
    date: eatDate(momentAt(closing, 'Dt')),
    opening: signedAt(opening),
    closing: signedAt(closing),
    lines: (stated.parts.entry ?? []).filter(isBooked).map(lineOf),
  }
}

/**
 * Reads a file of statements of a bank (camt.053, any version): one or more, each of an account and a day. What is not
 * booked yet is left out; a reversal or a return is distinguished from a payment. One amount in another currency, or an
 * entry that does not say what it must, and nothing of the file is taken. @throws {Unreadable}
 */
export const readCamt053 = async (bytes: Buffer): Promise<BankStatement[]> => {
  const { entries, ...most } = statementBounds
  const message = await readMessage(bytes, {
    namespace: /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d\d$/,
    message: 'BkToCstmrStmt',
    parts: {
      statement: 'Stmt',
      balance: 'Stmt/Bal',
      entry: 'Stmt/Ntry',
      transaction: 'Stmt/Ntry/NtryDtls/TxDtls',
    },
    bounds: { ...most, parts: 3 * entries },
  })
  const statements = message.parts.statement ?? []
  const count = statements.reduce((sum, { parts }) => sum + (parts.entry?.length ?? 0), 0)
  if (statements.length === 0 || count > entries) throw unreadable()
  return statements.map(statementOf)
}
