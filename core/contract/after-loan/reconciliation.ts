import { z } from 'zod'
import { loanCode } from '../../rules/machines/after-loan/loan-code.ts'
import { reconItem } from '../../rules/machines/after-loan/recon-item.ts'
import { statementLine } from '../../rules/machines/after-loan/statement-line.ts'
import { sentForApproval } from '../common/approval.ts'
import { command, list, noun, read } from '../endpoint.ts'
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
  'payout_exception',
  'channel_cost',
  'owner_funds',
  'other_income',
  'other_expense',
])

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

const one = { reconItemNo: field.key(), version: z.int() }

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
