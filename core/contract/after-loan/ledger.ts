import { z } from 'zod'
import { accountKinds } from '../../rules/ledger/accounts.ts'
import { endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { Journal } from './loan.ts'
import { signedMoney } from './signed-money.ts'

/** Kinds of accounts of the ledger, by which a trial balance adds up. */
export const ledgerAccounts = dictionary('LEDGER_ACCOUNT', accountKinds as [string, ...string[]])
/** As it was known then, by the day of booking; or as it turned out, by the day that the money is worth. */
export const ledgerBases = dictionary('LEDGER_BASIS', ['as_was', 'recalculated'])

const base = '/payManage/ledger'
const perm = 'fund:ledger:page'

const AccountRow = z.object({
  accountCode: field.key(120),
  accountKind: field.dict(ledgerAccounts),
  /** At the beginning of today. */
  opening: signedMoney(),
  /** Booked today. */
  debit: field.money(),
  credit: field.money(),
  closing: signedMoney(),
})

const JournalLineRow = z.object({
  journalNo: field.key(),
  postingCode: field.key(10),
  businessDate: field.date(),
  valueDate: field.date(),
  postedTime: field.time(),
  amount: field.money(),
  /** Accounts that it moved. */
  accountCodes: z.array(z.string()),
  orderNo: field.key().nullable(),
  cause: field.key(120),
  actorName: field.user(),
  reversesJournalNo: field.key().nullable(),
  reversedBy: field.key().nullable(),
})

/** A kind of accounts, or one account of a kind: before the period, what moved in it, and after. */
const PeriodRow = z.object({
  accountKind: field.dict(ledgerAccounts),
  accountCode: field.key(120).nullable(),
  opening: signedMoney(),
  debit: field.money(),
  credit: field.money(),
  closing: signedMoney(),
})
export type PeriodRow = z.output<typeof PeriodRow>
const PeriodAccountRow = PeriodRow.extend({ accountCode: field.key(120) })
/** Accounts of one kind that are shown at once, those that moved most first. */
export const maxPeriodAccounts = 200

/** Calls of the ledger: accounts, journals, and the proof that they add up to nothing. */
export const ledger = noun('after-loan/ledger', {
  accounts: list(`${base}/account/page`, {
    perm,
    row: AccountRow,
    filters: { accountCode: field.key(120).optional(), accountKind: z.array(field.dict(ledgerAccounts)).optional() },
    sort: ['accountCode'],
    defaultSort: 'accountCode',
    exported: { as: 'ledgerAccounts', perm: 'fund:ledger:export' },
  }),
  journals: list(`${base}/journal/page`, {
    perm,
    row: JournalLineRow,
    filters: {
      journalNo: field.key(20).optional(),
      postingCode: field.key(10).optional(),
      accountKind: field.dict(ledgerAccounts).optional(),
      accountCode: field.key(120).optional(),
      orderNo: field.key().optional(),
      flowNo: field.key().optional(),
      loanCode: field.key().optional(),
      refundNo: field.key().optional(),
      businessDate: field.dateRange().optional(),
      valueDate: field.dateRange().optional(),
      reversed: field.flag().optional(),
    },
    sort: ['journalNo'],
    defaultSort: '-journalNo',
    exported: { as: 'journals', perm: 'fund:ledger:export' },
  }),
  journal: read(`${base}/journal/{journalNo}`, {
    perm,
    input: { journalNo: field.key(20) },
    output: z.object({ journal: Journal, reversal: Journal.nullable() }),
  }),
  trialBalance: endpoint({
    method: 'POST',
    path: `${base}/trialBalance`,
    perm,
    input: z.strictObject({
      fromDate: field.date(),
      toDate: field.date(),
      basis: field.dict(ledgerBases),
      /** Account by account, those of this kind alone. */
      accountKind: field.dict(ledgerAccounts).optional(),
    }),
    output: z.object({
      list: z.array(PeriodRow),
      /** Accounts of the kind, or kinds, that there are. */
      count: field.int(),
      debit: field.money(),
      credit: field.money(),
      difference: signedMoney(),
    }),
  }),
  /** The trial balance account by account, as a file holds it; without a period, of all days. */
  trialAccounts: list(`${base}/trialBalance/page`, {
    perm,
    row: PeriodAccountRow,
    filters: {
      period: field.dateRange().optional(),
      basis: field.dict(ledgerBases).optional(),
      accountKind: field.dict(ledgerAccounts).optional(),
    },
    sort: ['accountCode'],
    defaultSort: 'accountCode',
    totals: ['debit', 'credit'],
    exported: { as: 'trialBalance', perm: 'fund:ledger:export' },
  }),
})
