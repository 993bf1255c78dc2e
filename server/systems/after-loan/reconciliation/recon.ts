import { sql } from 'kysely'
import { recon } from '../../../../core/contract/after-loan/reconciliation.ts'
import { statementLine } from '../../../../core/rules/machines/after-loan/statement-line.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { eq, formatMoney, sum } from '../../../../core/rules/money.ts'
import { checkVersion, Fault, invalid, notFound, stateConflict } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { requireEvent, transition } from '../../../states/transition.ts'
import { collectionAccounts } from '../flow/flow-store.ts'
import { checklistServed } from './checklist/checklist.ts'
import { adjustApproval, adjustServed, unblockApproval, unblockServed } from './recon-adjust.ts'
import { adjustOwnApproval, adjustOwnServed } from './recon-adjust-own.ts'
import { matchUp, openBookings } from './recon-booking.ts'
import { detailServed } from './recon-detail.ts'
import type { Own } from './recon-match.ts'
import { runRecon } from './recon-queue.ts'
import { receive } from './recon-receipts.ts'
import { accountScope, itemList, lineList, lockItem, lockLines, runList } from './recon-source.ts'
import { reconWarnings } from './recon-warnings.ts'
import { signedOf } from './statement-store.ts'

const run = serve(recon.run, async ({ tx, session, input, actor, audit }) => {
  const { fundAccountNo, reconDate } = input
  const found = await tx.maybe(sql`
    select 1 from fund_account where fund_account_no = ${fundAccountNo} and ${accountScope(session, sql`${fundAccountNo}`)}`)
  if (!found) throw notFound()
  if (reconDate >= tx.today) throw invalid('reconDate', 'validation.statementNotClosed')
  await runRecon(tx, fundAccountNo, reconDate, actor.requestId)
  audit({ objectType: 'fundAccount', objectNo: fundAccountNo, after: { reconDate } })
  return {}
})

/** Money that stands apart is settled by a posting; everything else may be explained, and what a statement lacks stays counted. */
const explain = serve(recon.explain, async ({ tx, session, input, actor, audit }) => {
  const { reconItemNo, reconCause, remark, version } = input
  const item = await lockItem(tx, session, reconItemNo)
  requireEvent('reconItem', item.reconStatus, 'recon.explain')
  checkVersion(item, version)
  if (item.reconKind === 'paid_not_expected') throw new Fault('stateConflict', 'errors.adjustOnly')
  const set = { reconCause, remark, closedTime: tx.now, handlerNo: actor.no, handlerName: actor.name }
  await transition(tx, 'reconItem', item, { event: 'recon.explain', set }, actor)
  audit({
    objectType: 'reconItem',
    objectNo: reconItemNo,
    before: { reconStatus: 'open' },
    after: { reconCause, remark },
  })
  return { reconStatus: 'explained' as const }
})

/** A person has a payment booked that only the statement knows: it becomes a receipt, and the difference ends. */
const book = serve(recon.book, async ({ tx, session, input, actor, audit }) => {
  const { reconItemNo, version } = input
  const item = await lockItem(tx, session, reconItemNo)
  requireEvent('reconItem', item.reconStatus, 'recon.explain')
  checkVersion(item, version)
  const { reconKind, lineNo, fundAccountNo } = item
  if (reconKind !== 'statement_only_in' || !lineNo || !fundAccountNo)
    throw new Fault('stateConflict', 'errors.notAReceipt')
  const own = await tx.one(
    sql<Own>`select fund_account_no, channel from fund_account where fund_account_no = ${fundAccountNo}`,
  )
  if ((await collectionAccounts(tx, own)).length === 0)
    throw new Fault('stateConflict', 'errors.accountReceivesNothing')
  const flowNo = await receive(tx, own, { lineNo }, actor)
  if (!flowNo) throw new Fault('stateConflict', 'errors.receiptKnown')
  audit({
    objectType: 'reconItem',
    objectNo: reconItemNo,
    before: { reconStatus: 'open' },
    after: { reconStatus: 'explained', flowNo },
  })
  return { flowNo, reconStatus: 'explained' as const }
})

type Booking = { bookingNo: number; journalNo: number; amount: string }

const match = serve(recon.match, async ({ tx, session, input, actor, audit }) => {
  const lines = await lockLines(tx, session, input.lineNos)
  const stuck = lines.find(({ lineStatus }) => !can(statementLine, lineStatus, 'line.match'))
  if (stuck) throw stateConflict(stuck.lineStatus, 'STATEMENT_LINE_STATUS')
  const { fundAccountNo } = lines[0] as (typeof lines)[number]
  const journalNos = [...new Set(input.journalNos)]
  const bookings = await tx.rows(sql<Booking>`
    select booking_no, journal_no, amount from (${openBookings(fundAccountNo)}) b where journal_no = any(${journalNos}) order by booking_no`)
  if (bookings.length < journalNos.length) throw invalid('journalNos', 'errors.bookingNotOpen')
  const [said, booked] = [sum(lines.map(signedOf)), sum(bookings.map(({ amount }) => amount))]
  if (!eq(said, booked))
    throw invalid('journalNos', 'errors.matchSum', { lines: formatMoney(said), bookings: formatMoney(booked) })
  const bookingNos = bookings.map(({ bookingNo }) => bookingNo)
  const matchNo = await matchUp(tx, { fundAccountNo, lines, bookingNos, as: 'person' }, actor)
  for (const { lineNo, lineStatus } of lines)
    audit({
      objectType: 'statementLine',
      objectNo: lineNo,
      before: { lineStatus },
      after: { lineStatus: 'matched', matchNo, journalNos },
    })
  return { matchNo }
})

/** Differences between statements and books, and what people do about them. */
export const reconModule = (): Module => ({
  served: [
    ...[itemList, lineList, runList].map(serveListed),
    ...detailServed,
    checklistServed,
    run,
    explain,
    book,
    match,
    adjustServed,
    adjustOwnServed,
    unblockServed,
  ],
  lists: [itemList, lineList, runList],
  approvals: [adjustApproval, adjustOwnApproval, unblockApproval],
  warnings: reconWarnings,
})
