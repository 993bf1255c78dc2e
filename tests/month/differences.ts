import { sql } from 'kysely'
import { loan } from '../../core/contract/after-loan/loan.ts'
import { recon } from '../../core/contract/after-loan/reconciliation.ts'
import { repay } from '../../core/contract/after-loan/repayment.ts'
import type { Money } from '../../core/rules/money.ts'
import type { Desk } from './people.ts'
import type { World } from './world.ts'

type Item = {
  reconItemNo: string
  reconKind: string
  reference: string | null
  difference: Money
  gap: Money
  objectType: string | null
  objectNo: string | null
  lineKind: string | null
  direction: string | null
  relatesTo: string | null
  channel: string
  ageDays: number
  version: number
}

const openItems = (world: World, desk: Desk) =>
  desk.rows(sql<Item>`
    select i.recon_item_no, i.recon_kind, i.reference, i.difference, i.gap, i.object_type, i.object_no, i.channel, i.version,
      l.line_kind, l.direction, l.relates_to, (${world.kit.clock.now()}::timestamptz::date - i.created_time::date)::int as age_days
    from recon_item i left join statement_line l using (line_no) where i.recon_status = 'open'
      and not exists (select 1 from approval a where a.object_no = i.recon_item_no and a.approval_status = 'pending')
    order by i.created_time, i.recon_item_no`)

const plain = (amount: Money): Money => amount.replace('-', '')

/** A posting against the account of ours that settles a difference; a second person agrees. */
const adjust = async (desk: Desk, item: Item, lines: readonly [debit: string, credit: string], amount: Money) => {
  const sides = ['debit', 'credit'] as const
  const asked = await desk.act(recon.adjust, {
    reconItemNo: item.reconItemNo,
    version: item.version,
    lines: lines.map((account, at) => ({ account: account as 'bank', side: sides[at] as 'debit', amount })),
    reason: 'Looked at the statement',
  })
  return desk.agreed(asked)
}

const explain = async (desk: Desk, { reconItemNo, version }: Item, reconCause: 'timing' | 'channel_error') =>
  (await desk.act(recon.explain, { reconItemNo, version, reconCause, remark: 'Asked the channel' })) !== null

/** Own funds that were put in: the statement shows under its own number what the books have as ours. */
const matchOwn = async (desk: Desk, { reconItemNo, gap }: Item): Promise<boolean> => {
  const shown = await desk.act(recon.item, { reconItemNo })
  const own = shown?.bookings.find(({ postingCode, amount }) => postingCode === 'P0' && amount === gap)
  if (!own || !shown?.line) return false
  return (await desk.act(recon.match, { lineNos: [shown.line.lineNo], journalNos: [Number(own.journalNo)] })) !== null
}

/** The payout came back: two people take it back, and the day's comparison ends the loan with it. What was repaid on meanwhile is held for the payee. */
const takeReturn = async (desk: Desk, item: Item): Promise<boolean> => {
  const loanCode = item.objectNo
  if (loanCode) {
    const version = await desk.versionOf('loan_code', 'loan_code', loanCode)
    const asked = await desk.act(loan.cancelPaid, { loanCode, version, reason: 'The bank gave it back' })
    if (await desk.agreed(asked)) return true
  }
  return adjust(desk, item, ['bank', 'other_income'], plain(item.gap))
}

/** The network took a payment back: what was written off with it is rolled back, newest first, and the receipt is void. */
const takeAway = async (desk: Desk, item: Item): Promise<boolean> => {
  const flow = sql<{ flowNo: string; version: number; repaymentNo: string | null; recordVersion: number | null }>`
    select f.flow_no, f.version, r.repayment_no, r.version as record_version from repay_flow f
      left join repay_record_flow u using (flow_no) left join repay_record r on r.repayment_no = u.repayment_no and r.record_status = 'posted'
    where f.channel = ${item.channel} and f.serial_no = ${item.relatesTo} and f.flow_status <> 'void' order by r.record_seq desc nulls last limit 1`
  const [found] = await desk.rows(flow)
  if (!found) return adjust(desk, item, ['other_expense', 'bank'], plain(item.gap))
  const { repaymentNo, recordVersion } = found
  if (repaymentNo && recordVersion !== null) {
    const back = await desk.act(repay.rollback, { repaymentNo, version: recordVersion, reason: 'Taken back' })
    if (!(await desk.agreed(back))) return adjust(desk, item, ['other_expense', 'bank'], plain(item.gap))
  }
  const [{ flowNo, version } = found] = await desk.rows(flow)
  const voided = await desk.act(repay.flowVoid, { flowNo, version, reason: 'The network took it back' })
  if (await desk.agreed(voided)) return true
  return adjust(desk, item, ['other_expense', 'bank'], plain(item.gap))
}

const paidOut = (desk: Desk, item: Item): Promise<boolean> => {
  if (item.lineKind === 'fee') return adjust(desk, item, ['channel_cost', 'bank'], plain(item.gap))
  if (item.lineKind === 'reversal') return takeAway(desk, item)
  return adjust(desk, item, ['payout_exception', 'bank'], plain(item.gap))
}

/** What two people do about a difference, by its kind; answers whether it is settled or explained now. */
const settle = async (desk: Desk, item: Item): Promise<boolean> => {
  switch (item.reconKind) {
    case 'statement_only_in':
      if (await matchOwn(desk, item)) return true
      if ((await desk.act(recon.book, { reconItemNo: item.reconItemNo, version: item.version })) !== null) return true
      return adjust(desk, item, ['bank', 'other_income'], plain(item.gap))
    case 'statement_only_out':
      return paidOut(desk, item)
    case 'duplicate_line':
      return adjust(desk, item, ['payout_exception', 'bank'], plain(item.gap))
    case 'paid_not_expected':
      return adjust(desk, item, ['other_expense', 'payout_exception'], plain(item.difference))
    case 'payout_returned':
      return takeReturn(desk, item)
    case 'amount_differs':
      if (Number(item.gap) > 0) return adjust(desk, item, ['bank', 'other_income'], plain(item.gap))
      if (Number(item.gap) < 0) return adjust(desk, item, ['other_expense', 'bank'], plain(item.gap))
      return explain(desk, item, 'channel_error')
    default:
      return explain(desk, item, item.reconKind.startsWith('ledger_only') ? 'timing' : 'channel_error')
  }
}

/** Two people work off what is open, as far as it can be: what a statement of another day may still show waits two days. */
export const workOff = async (world: World, desk: Desk): Promise<{ settled: number; open: number }> => {
  let settled = 0
  const items = await openItems(world, desk)
  for (const item of items) {
    const waits = item.reconKind === 'statement_only_out' && item.lineKind === 'payment' && item.ageDays < 1
    if (!waits && (await settle(desk, item))) settled += 1
  }
  return { settled, open: items.length - settled }
}
