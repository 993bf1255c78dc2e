import { sql } from 'kysely'
import { payLink } from '../../../../core/contract/after-loan/pay-link.ts'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { extensionOf } from '../../../../core/rules/loan/trial.ts'
import { repaymentRecord } from '../../../../core/rules/machines/after-loan/repayment-record.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { isZero, type Money } from '../../../../core/rules/money.ts'
import { diffDays, eatDate } from '../../../../core/rules/time.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { billOf, type PlanRow } from './plan.ts'

type Repaid = { orderStatus: string; reversing: boolean }

/** Why no money is written off on an order: it is not paid out any more, or its payout is being taken back. */
export const repayRefusal = ({ orderStatus, reversing }: Repaid, also: readonly string[] = []): Fault | null => {
  if (reversing) return new Fault('stateConflict', 'errors.payoutReversing')
  return ['funds_disbursed', ...also].includes(orderStatus) ? null : stateConflict(orderStatus, 'ORDER_STATUS')
}

type OrderFacts = Repaid & {
  orderNo: string
  free: Money
  /** Whether its oldest open bill may be put off by its terms. */
  extendable: boolean
  quoted: boolean
}

const quotedToday = (today: string) => sql`exists (
  select 1 from extension x where x.order_no = o.order_no and x.extension_status = 'quoted' and x.business_date = ${today})`

const reversing = sql`exists (
  select 1 from loan_code lc where lc.order_no = o.order_no and lc.loan_code_status = 'reversing')`

const readOrders = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, OrderFacts>> => {
  const oldest = await tx.rows(sql<PlanRow>`
    select distinct on (b.order_no) b.* from repay_plan b
    where b.order_no = any(${[...keys]}) and b.bill_status in ('pending', 'partial') order by b.order_no, b.due_date, b.installment_no`)
  const bills = new Map(oldest.map(row => [row.orderNo, billOf(row)]))
  const found = await tx.rows(sql<Omit<OrderFacts, 'extendable'> & { terms: Terms }>`
    select o.order_no, o.order_status, o.terms, ${reversing} as reversing, ${quotedToday(tx.today)} as quoted,
      coalesce((select v.credited - v.refunded - v.reapplied - v.reserved from overpayment v where v.customer_no = o.customer_no), 0.00)::numeric(18,2) as free
    from loan_order o where o.order_no = any(${[...keys]})`)
  const today = { valueDate: tx.today, businessDate: tx.today }
  return new Map(
    found.map(({ terms, ...facts }) => [
      facts.orderNo,
      { ...facts, extendable: extensionOf(terms, bills.get(facts.orderNo), today) !== null },
    ]),
  )
}

const writeOff = (facts: OrderFacts) => repayRefusal(facts)

/** Why orders do not take repayments. */
export const repayBlocks = blocks<OrderFacts>({
  read: readOrders,
  states: ({ orderStatus }) => ({ order: orderStatus }),
  commands: [
    { command: repay.commit, refuses: writeOff },
    { command: repay.zeroSettle, refuses: writeOff },
    { command: payLink.create, refuses: writeOff },
    {
      command: repay.extensionQuote,
      refuses: facts => {
        const refusal = writeOff(facts)
        if (refusal || (facts.extendable && !facts.quoted)) return refusal
        return new Fault('stateConflict', facts.quoted ? 'errors.extensionQuoted' : 'errors.extensionNotAllowed')
      },
    },
    {
      command: repay.reuseOverflow,
      refuses: facts => writeOff(facts) ?? (isZero(facts.free) ? new Fault('validation', 'errors.noOverflow') : null),
    },
  ],
})

const maxDaysKey = 'coll.rollback.maxDays'
const maxDays = 30

type RecordFacts = Repaid & {
  repaymentNo: string
  recordStatus: string
  repaymentTime: string
  /** The newest posted record behind it. */
  laterNo: string | null
  /** What it left over is still there to be taken back. */
  overflowHeld: boolean
  /** The open refund that has it reserved. */
  refundNo: string | null
  maxDays: number | null
  waits: boolean
}

const readRecords = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, RecordFacts>> => {
  const found = await tx.rows(sql<RecordFacts>`
    select r.repayment_no, r.record_status, r.repayment_time, o.order_status, ${reversing} as reversing,
      (select later.repayment_no from repay_record later
        where later.order_no = r.order_no and later.record_status = 'posted' and later.record_seq > r.record_seq order by later.record_seq desc limit 1) as later_no,
      r.overflow_amount = 0 or exists (
        select 1 from overpayment v where v.customer_no = o.customer_no and v.overpayment_status <> 'locked'
          and v.credited - v.refunded - v.reapplied - v.reserved >= r.overflow_amount) as overflow_held,
      (select f.refund_no from client_refund f where f.customer_no = o.customer_no and f.refund_status in ('created', 'in_progress', 'failure')) as refund_no,
      (select (config_value #>> '{}')::int from business_config where config_key = ${maxDaysKey}) as max_days,
      exists (
        select 1 from approval a where a.object_type = 'repaymentRecord' and a.object_no = r.repayment_no and a.approval_status = 'pending') as waits
    from repay_record r join loan_order o using (order_no) where r.repayment_no = any(${[...keys]})`)
  return new Map(found.map(facts => [facts.repaymentNo, facts]))
}

const rollback = (facts: RecordFacts, { tx }: Asker) => {
  const { recordStatus, laterNo, repaymentTime, overflowHeld, refundNo } = facts
  if (!can(repaymentRecord, recordStatus, 'rollback.full')) return stateConflict(recordStatus, 'REPAY_RECORD_STATUS')
  const order = repayRefusal(facts, ['settled'])
  if (order) return order
  if (laterNo) return new Fault('stateConflict', 'errors.rollbackLater', { repaymentNo: laterNo })
  const days = facts.maxDays ?? maxDays
  if (diffDays(eatDate(repaymentTime), tx.today) > days)
    return new Fault('stateConflict', 'errors.rollbackTooOld', { days })
  if (overflowHeld) return null
  return refundNo
    ? new Fault('stateConflict', 'errors.overflowPromisedTo', { refundNo })
    : new Fault('stateConflict', 'errors.overflowPromised')
}

/** Why repayments are not taken back. */
export const recordBlocks = blocks<RecordFacts>({
  read: readRecords,
  states: ({ recordStatus }) => ({ repaymentRecord: recordStatus }),
  waits: ({ waits }) => waits,
  commands: [{ command: repay.rollback, refuses: rollback }],
})
