import { z } from 'zod'
import { balanceEntry } from '../../rules/machines/after-loan/balance-entry.ts'
import { blockedBy } from '../blocked.ts'
import { command, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channels } from './channel.ts'
import { accountRoles } from './fund-account.ts'
import { signedMoney } from './signed-money.ts'

/** Whether a person read a balance, or the channel was asked for it. */
export const balanceSources = dictionary('BALANCE_SOURCE', ['typed', 'fetched'])

const base = '/payManage/balance'
const perm = 'fund:balance:page'
const save = 'fund:balance:save'

const BalanceRow = z.object({
  fundAccountNo: field.key(),
  channel: field.dict(channels),
  accountName: field.text(),
  bankName: field.text().nullable(),
  accountNumber: field.masked('bankCardNo', 'fundAccount'),
  accountRole: field.dict(accountRoles),
  merchantNos: z.array(field.merchant()),
  /** What was read last that the account holds, at which time, by whom. */
  lastBalance: field.money().nullable(),
  entryDate: field.time().nullable(),
  balanceSource: field.dict(balanceSources).nullable(),
  enteredName: field.text().nullable(),
  /** The books at that time, and what was on its way out. */
  ledgerThen: signedMoney().nullable(),
  inFlightThen: field.money().nullable(),
  /** The balance less the books and what was on its way. */
  difference: signedMoney().nullable(),
  ledgerBalance: signedMoney(),
  channelBalance: field.money().nullable(),
  channelBalanceTime: field.time().nullable(),
  /** Of payouts that wait for this account. */
  neededToday: field.money(),
  /** What payouts need beyond what can be sent. */
  shortBy: field.money(),
  minBalance: field.money(),
  enteredToday: field.flag(),
  blockedBy: blockedBy(),
})
export type BalanceRow = z.output<typeof BalanceRow>

export const BalanceEntryRow = z.object({
  balanceEntryNo: field.key(),
  lastBalance: field.money(),
  entryDate: field.time(),
  balanceSource: field.dict(balanceSources),
  enteredName: field.text(),
  createdTime: field.time(),
  ledgerThen: signedMoney(),
  inFlightThen: field.money(),
  difference: signedMoney(),
  /** Entered after one of a later time. */
  backfilled: field.flag(),
  remark: field.text().nullable(),
  /** The entry that this one corrects, and why. */
  correctsNo: field.key().nullable(),
  correctReason: field.text().nullable(),
  balanceEntryStatus: field.state(balanceEntry),
  pendingApproval: z.string().nullable(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type BalanceEntryRow = z.output<typeof BalanceEntryRow>

const Day = z.object({
  date: field.date(),
  /** At the end of the day; the balances that were read last on it, or null. */
  ledgerBalance: signedMoney(),
  typed: field.money().nullable(),
  fetched: field.money().nullable(),
})
export type BalanceDay = z.output<typeof Day>

export const BalanceCompany = z.object({
  channel: field.dict(channels),
  accounts: field.int(),
  entered: field.int(),
  lastBalance: field.money(),
  ledgerBalance: signedMoney(),
  difference: signedMoney(),
  neededToday: field.money(),
})
export type BalanceCompany = z.output<typeof BalanceCompany>

const one = { fundAccountNo: field.fundAccount() }
const entered = z.object({ balanceEntryNo: field.key(), difference: z.string(), backfilled: field.flag() })

/** Calls of balances: what payment companies and banks say that our accounts hold, beside the books. */
export const balance = noun('after-loan/balance', {
  page: list(`${base}/page`, {
    perm,
    row: BalanceRow,
    filters: {
      channel: z.array(field.dict(channels)).optional(),
      accountName: field.text().optional(),
      bankName: field.text().optional(),
      merchantNo: z.array(field.merchant()).optional(),
      entryDate: field.dateRange().optional(),
      /** Whose last balance differs from the books, or does not. */
      differing: field.flag().optional(),
      enteredToday: field.flag().optional(),
    },
    sort: ['accountName', 'entryDate'],
    defaultSort: 'accountName',
    exported: { as: 'balances', perm: 'fund:balance:export' },
  }),
  /** The same added up by payment company. */
  companies: read(`${base}/companies`, { perm, input: {}, output: z.object({ list: z.array(BalanceCompany) }) }),
  /** The last entries of an account, and its balances of the last 30 days. */
  history: read(`${base}/history`, {
    perm,
    input: { fundAccountNo: field.key() },
    output: z.object({ list: z.array(BalanceEntryRow), days: z.array(Day) }),
  }),
  enter: command({
    path: `${base}/enter`,
    perm: save,
    audit: 'balance.enter',
    on: { machine: balanceEntry, event: 'balance.enter', key: 'balanceEntryNo' },
    input: z.strictObject({
      ...one,
      lastBalance: field.money(),
      entryDate: field.time(),
      remark: field.remark().optional(),
    }),
    output: entered,
  }),
  /** Asks a second person to replace what was entered. */
  correct: command({
    path: `${base}/correct`,
    perm: save,
    audit: 'balance.correct',
    on: { machine: balanceEntry, event: 'balance.correct', key: 'balanceEntryNo' },
    input: z.strictObject({
      balanceEntryNo: field.key(),
      version: z.int(),
      lastBalance: field.money(),
      reason: field.longText(200),
    }),
    output: z.object({ approvalNo: field.key() }),
  }),
  /** Asks the channel what an account holds now. */
  fetch: command({
    path: `${base}/fetch`,
    perm,
    audit: 'balance.fetch',
    input: z.strictObject({ fundAccountNo: field.key() }),
    output: z.object({ lastBalance: field.money(), difference: z.string() }),
  }),
})
