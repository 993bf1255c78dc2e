import { z } from 'zod'
import { loanCode } from '../../rules/machines/after-loan/loan-code.ts'
import { reconItem } from '../../rules/machines/after-loan/recon-item.ts'
import { statementLine } from '../../rules/machines/after-loan/statement-line.ts'
import { sentForApproval } from '../common/approval.ts'
import { command, endpoint, exportFormats, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'
import { channels } from './channel.ts'
import { signedMoney } from './signed-money.ts'

/** Kinds of differences between our ledger and a statement. `_in` and `_out` give the direction of the money. */
export const reconKinds = dictionary('RECON_KIND', [
  'statement_only_in',
  'statement_only_out',
  'ledger_only_in',
  'ledger_only_out',
  'amount_differs',
  'duplicate_line',
  'paid_not_expected',
  'payout_returned',
  'late_contradiction',
  'balance_differs',
  'transfer_not_arrived',
])

const money = field.money
const page = 'fund:recon:page'
const handle = 'fund:recon:handle'
const exported = 'fund:recon:export'

const reconResults = dictionary('RECON_RESULT', ['balanced', 'differences', 'no_statement', 'incomplete_file'])
const reconCauses = dictionary('RECON_CAUSE', ['timing', 'channel_error', 'own_error'])
const lineDirections = dictionary('LINE_DIRECTION', ['in', 'out'])
const lineKinds = dictionary('LINE_KIND', ['payment', 'fee', 'reversal'])
const ledgerSides = dictionary('LEDGER_SIDE', ['debit', 'credit'])
const adjustAccounts = dictionary('ADJUST_ACCOUNT', [
  'bank',
  'suspense',
  'payout_exception',
  'channel_cost',
  'owner_funds',
  'other_income',
  'other_expense',
])
/** Those of an adjustment that no difference stands behind. */
const ownAccounts = {
  name: adjustAccounts.name,
  values: ['bank', 'channel_cost', 'owner_funds', 'other_income', 'other_expense'] as const,
}

const ReconItemRow = z.object({
  reconItemNo: field.key(),
  reconKind: field.dict(reconKinds),
  accountName: field.text().nullable(),
  channel: field.dict(channels).nullable(),
  reference: field.key(80).nullable(),
  objectNo: field.key(),
  amount: money().nullable(),
  difference: signedMoney(),
  ageDays: field.int(),
  reconStatus: field.state(reconItem),
  reconCause: field.dict(reconCauses).nullable(),
  handlerName: field.user().nullable(),
  remark: z.string().nullable(),
  createdTime: field.time(),
  closedTime: field.time().nullable(),
  pendingApproval: z.string().nullable(),
  version: z.int(),
})
export type ReconItemRow = z.output<typeof ReconItemRow>

const StatementLineRow = z.object({
  lineNo: field.key(),
  accountName: field.text(),
  statementDate: field.date(),
  entryTime: field.time(),
  serialNo: field.key(64),
  lineDirection: field.dict(lineDirections),
  lineKind: field.dict(lineKinds),
  amount: money(),
  reference: field.key(80).nullable(),
  relatesTo: field.key(64).nullable(),
  narrative: z.string().nullable(),
  lineStatus: field.state(statementLine),
  version: z.int(),
})
export type StatementLineRow = z.output<typeof StatementLineRow>

const ReconRunRow = z.object({
  reconNo: field.key(),
  fundAccountNo: field.key(),
  reconDate: field.date(),
  accountName: field.text(),
  openingStatement: money().nullable(),
  closingStatement: money().nullable(),
  openingLedger: signedMoney(),
  closingLedger: signedMoney(),
  inFlight: signedMoney(),
  matchedCount: field.int(),
  matchedSum: money(),
  openItems: field.int(),
  openSum: signedMoney(),
  unexplained: signedMoney().nullable(),
  reconResult: field.dict(reconResults),
  runTime: field.time(),
})
export type ReconRunRow = z.output<typeof ReconRunRow>

/** A booking of an own account that nothing explains yet, or that a difference is about. */
const BookingRow = z.object({
  journalNo: field.key(),
  postingCode: field.key(10),
  businessDate: field.date(),
  postedTime: field.time(),
  amount: signedMoney(),
  loanCode: field.key().nullable(),
  flowNo: field.key().nullable(),
  cause: field.key(120),
})
export type BookingRow = z.output<typeof BookingRow>

const imported = 'fund:recon:import'
/** The format of a statement that a person brings: our own table, or a message of a bank. */
export const statementFormats = dictionary('STATEMENT_FILE_FORMAT', ['template', 'mt940', 'camt053'])
/** Most days that one file may speak of. */
export const maxStatementDays = 31
/** Wrong rows that the check of a file explains. */
export const maxWrongRows = 50

/** A row of our own table. */
export const StatementRow = z.object({
  serialNo: field.key(64),
  entryTime: field.time(),
  amount: money(),
  lineDirection: field.dict(lineDirections).optional(),
  paymentCode: field.key(80).optional(),
  orderNo: field.key().optional(),
  payerName: field.text(100).optional(),
  payerAccount: field.key(64).optional(),
  narrative: field.text(200).optional(),
  fee: money().optional(),
  runningBalance: signedMoney().optional(),
})
/** How a row may look; the template shows it. */
export const statementExample = {
  serialNo: 'MP260301.0915.H10001',
  entryTime: '2026-03-01 09:15',
  amount: '120,000',
  lineDirection: 'in',
  paymentCode: '',
  orderNo: '',
  payerName: 'Nakato Sarah',
  payerAccount: '256772000001',
  narrative: '',
  fee: '',
  runningBalance: '5,120,000',
}

/** A file of an account, and the days that it speaks of; what they began and ended with where the table has no column of balances. */
const brought = {
  fundAccountNo: field.fundAccount(),
  uploadNo: field.file('statement'),
  fromDate: field.date(),
  toDate: field.date(),
  openingStatement: signedMoney().optional(),
  closingStatement: signedMoney().optional(),
}

const one = { reconItemNo: field.key(), version: z.int() }

/** What finance makes sure of every morning, in this order. */
export const morningChecks = dictionary('MORNING_CHECK', ['statements', 'balanced', 'young', 'day_end'])
/** A difference is late from this age on. */
export const lateDays = 2
/** Jobs that end a day; every one has one run for each day. */
export const dayEndJobs = ['day.roll', 'day.snapshot', 'repay.autoSettle', 'statement.fetch', 'recon.run'] as const

/** Calls of reconciliation: statements of our accounts against the ledger. */
export const recon = noun('after-loan/reconciliation', {
  itemPage: list('/payManage/recon/item/page', {
    perm: page,
    row: ReconItemRow,
    filters: {
      reconKind: z.array(field.dict(reconKinds)).optional(),
      reconStatus: z.array(field.state(reconItem)).optional(),
      fundAccountNo: field.fundAccount().optional(),
      reference: field.key(80).optional(),
      difference: field.moneyRange().optional(),
      ageDays: field.intRange().optional(),
    },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
    exported: { as: 'reconItems', perm: exported },
  }),
  /** A difference with what it is about, and what may be the same money on the other side. */
  item: read('/payManage/recon/item/{reconItemNo}', {
    perm: page,
    input: { reconItemNo: field.key() },
    output: z.object({
      item: ReconItemRow,
      line: StatementLineRow.nullable(),
      booking: BookingRow.nullable(),
      bookings: z.array(BookingRow),
      lines: z.array(StatementLineRow),
    }),
  }),
  linePage: list('/payManage/recon/line/page', {
    perm: page,
    row: StatementLineRow,
    filters: {
      fundAccountNo: field.fundAccount().optional(),
      entryTime: field.dateRange().optional(),
      serialNo: field.key(64).optional(),
      lineDirection: field.dict(lineDirections).optional(),
      lineKind: z.array(field.dict(lineKinds)).optional(),
      lineStatus: z.array(field.state(statementLine)).optional(),
      amount: field.moneyRange().optional(),
    },
    sort: ['entryTime'],
    defaultSort: '-entryTime',
    exported: { as: 'statementLines', perm: exported },
  }),
  runPage: list('/payManage/recon/run/page', {
    perm: page,
    row: ReconRunRow,
    filters: {
      fundAccountNo: field.fundAccount().optional(),
      channel: field.dict(channels).optional(),
      reconDate: field.dateRange().optional(),
      reconResult: z.array(field.dict(reconResults)).optional(),
    },
    sort: ['reconDate'],
    defaultSort: '-reconDate',
    exported: { as: 'reconRuns', perm: exported },
  }),
  /** One run: the statement against the books, matched lines, and what stands open. */
  runDetail: read('/payManage/recon/run/{reconNo}', {
    perm: page,
    input: { reconNo: field.key() },
    output: z.object({ run: ReconRunRow, lines: z.array(StatementLineRow), items: z.array(ReconItemRow) }),
  }),
  /** What is done of a morning's checks of yesterday: so many of so many. The day's end is shown to people who see its jobs. */
  checklist: read('/payManage/recon/checklist', {
    perm: page,
    input: {},
    output: z.object({
      reconDate: field.date(),
      list: z.array(z.object({ morningCheck: field.dict(morningChecks), n: z.int(), of: z.int(), done: z.boolean() })),
    }),
  }),
  /** The table that people fill in where a channel gives no file of its own. */
  importTemplate: endpoint({
    method: 'GET',
    path: '/payManage/recon/import/template',
    perm: imported,
    file: true,
    input: z.strictObject({ exportFormat: field.dict(exportFormats) }),
    output: z.null(),
  }),
  /** What a file would bring; nothing is kept. */
  importCheck: endpoint({
    method: 'POST',
    path: '/payManage/recon/import/check',
    perm: imported,
    input: z.strictObject(brought),
    output: z.object({
      statementFormat: field.dict(statementFormats),
      openingStatement: signedMoney().nullable(),
      closingStatement: signedMoney().nullable(),
      inSum: money(),
      outSum: money(),
      addedCount: field.int(),
      repeatedCount: field.int(),
      /** Known with another amount: they are kept out and open a difference. */
      differCount: field.int(),
      wrongCount: field.int(),
      missingDays: field.int(),
      wrongRows: z.array(z.object({ rowNo: field.int(), column: z.string().nullable(), words: z.string() })),
    }),
  }),
  /** Brings a statement by hand: its lines are kept, and the account is compared with it day by day. */
  import: command({
    path: '/payManage/recon/import',
    perm: imported,
    audit: 'recon.import',
    money: 'moves',
    input: z.strictObject({ ...brought, confirmDuplicate: z.boolean().optional() }),
    output: z.object({ fileNo: field.key(), addedCount: field.int(), repeatedCount: field.int() }),
  }),
  /** Has a closed day of an account compared once more. */
  run: command({
    path: '/payManage/recon/run',
    perm: handle,
    audit: 'recon.run',
    input: z.strictObject({ fundAccountNo: field.fundAccount(), reconDate: field.date() }),
    output: z.object({}),
  }),
  /** Ends a difference that needs no posting. */
  explain: command({
    path: '/payManage/recon/item/explain',
    perm: handle,
    audit: 'recon.explain',
    on: { machine: reconItem, event: 'recon.explain', key: 'reconItemNo' },
    input: z.strictObject({ ...one, reconCause: field.dict(reconCauses), remark: field.text(30) }),
    output: z.object({ reconStatus: field.state(reconItem) }),
  }),
  /** Books a payment that only the statement knows, as a receipt, and ends the difference. */
  book: command({
    path: '/payManage/recon/item/book',
    perm: 'repay:flow:commit',
    audit: 'recon.book',
    money: 'moves',
    on: { machine: reconItem, event: 'recon.explain', key: 'reconItemNo' },
    input: z.strictObject(one),
    output: z.object({ flowNo: field.key(), reconStatus: field.state(reconItem) }),
  }),
  /** Matches lines with bookings by hand: both sides must add up to the same. */
  match: command({
    path: '/payManage/recon/match',
    perm: handle,
    audit: 'recon.match',
    money: 'moves',
    on: { machine: statementLine, event: 'line.match', key: 'lineNos' },
    input: z.strictObject({
      lineNos: z.array(field.key()).min(1).max(20),
      journalNos: z.array(z.int().positive()).min(1).max(20),
    }),
    output: z.object({ matchNo: field.key() }),
  }),
  /** Asks for a posting that settles a difference; the accounts are completed by what it is about. */
  adjust: command({
    path: '/payManage/recon/adjust',
    perm: handle,
    audit: 'recon.adjust',
    money: 'moves',
    on: { machine: reconItem, event: 'recon.adjust', key: 'reconItemNo' },
    input: z.strictObject({
      ...one,
      lines: z
        .array(z.strictObject({ account: field.dict(adjustAccounts), side: field.dict(ledgerSides), amount: money() }))
        .min(2)
        .max(6),
      reason: field.text(30),
    }),
    output: sentForApproval,
  }),
  /** Asks for a posting on an account without a difference: own funds put in or taken out, what a bank charges or pays. */
  adjustOwn: command({
    path: '/payManage/recon/adjustOwn',
    perm: handle,
    audit: 'recon.adjustOwn',
    money: 'moves',
    input: z.strictObject({
      fundAccountNo: field.fundAccount(),
      lines: z
        .array(z.strictObject({ account: field.dict(ownAccounts), side: field.dict(ledgerSides), amount: money() }))
        .min(2)
        .max(6),
      reason: field.text(30),
    }),
    output: sentForApproval,
  }),
  /** Asks to send a loan code that was held because an earlier payment of its order was unmatched. */
  unblock: command({
    path: '/payManage/loan/unblock',
    perm: 'fund:payout:retry',
    audit: 'payout.unblock',
    money: 'moves',
    on: { machine: loanCode, event: 'code.unblock', key: 'loanCode' },
    input: z.strictObject({ loanCode: field.key(), version: z.int(), reason: field.text(30) }),
    output: sentForApproval,
  }),
})
