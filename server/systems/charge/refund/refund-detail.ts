import { sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import type { RefundDetail } from '../../../../core/contract/charge/refund-rows.ts'
import { RefundRow } from '../../../../core/contract/charge/refund-rows.ts'
import { wholePart } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { fromFor, selected } from '../../../lists/list.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { attemptRows, journalRows } from '../../after-loan/payout/index.ts'
import { findOrder, orderScope } from '../../order/order/index.ts'
import { refundBlocks } from './refund-blocks.ts'
import { earlierRefunds, lastOrder, movementsOf, openOrder, refunds, sourcesOf } from './refund-source.ts'
import { overflowScope, type Refund, refundScope } from './refund-store.ts'

const rowOf = async (tx: Tx, session: Session, refundNo: string): Promise<RefundRow> => {
  const source = refunds.source({ tx, session })
  const columns = selected(source, Object.keys(RefundRow.shape))
  const where = sql`r.refund_no = ${refundNo} and ${refundScope(session)}`
  const row = await tx.maybe(
    sql<RefundRow>`select ${sql.join(columns)} from ${fromFor(tx, source, [where, ...columns])} where ${where}`,
  )
  if (!row) throw notFound()
  const [blockedBy = {}] = await refundBlocks.of({ tx, session }, [refundNo])
  return { ...row, blockedBy }
}

const historyOf = (tx: Tx, refundNo: string): Promise<RefundDetail['history']> =>
  tx.rows(sql<RefundDetail['history'][number]>`
    select t.at, t.event, t.from_state as "from", t.to_state as "to", t.machine, coalesce(u.real_name, t.actor) as actor_name
    from state_transition t left join app_user u on u.user_no = t.actor
    where (t.machine in ('M41', 'M42', 'M43') and t.object_no = ${refundNo})
      or (t.machine = 'M23' and t.object_no in (select confirm_no from loan_code_confirm where parent_kind = 'refund' and parent_no = ${refundNo}))
    order by t.transition_no`)

const confirmsOf = (tx: Tx, refundNo: string): Promise<RefundDetail['confirms']> =>
  tx.rows(sql<RefundDetail['confirms'][number]>`
    select confirm_no, confirm_status, result, serial_no, first_name, first_time, second_name, second_time
    from loan_code_confirm where parent_kind = 'refund' and parent_no = ${refundNo} order by first_time nulls last, confirm_no`)

/** One refund with what came in, what goes out, and everything that happened to it. */
export const detailServed = serve(calls.detail, async ({ tx, session, input: { refundNo } }) => {
  const refund = await rowOf(tx, session, refundNo)
  const stored = await tx.one(sql<Refund & { accountName: string | null }>`
    select r.*, fa.account_name from client_refund r left join fund_account fa using (fund_account_no) where r.refund_no = ${refundNo}`)
  const within = refundScope(session)
  const other = sql`r.refund_no <> ${refundNo} and ${within}`
  return {
    refund,
    sourceAccount: stored.sourceAccount,
    holderName: stored.holderName,
    ignoredName: stored.ignoredName,
    ignoredTime: stored.ignoredTime,
    ignoreReason: stored.ignoreReason,
    ignoreSeen: stored.ignoreSeen as RefundDetail['ignoreSeen'],
    fundAccountName: stored.accountName,
    sources: await sourcesOf(tx, stored.customerNo),
    earlier: await earlierRefunds(tx, sql`r.customer_no = ${stored.customerNo} and ${other}`),
    sharedAccount: await earlierRefunds(
      tx,
      sql`r.payee_account = ${stored.payeeAccount} and r.customer_no <> ${stored.customerNo} and ${other}`,
    ),
    movements: await movementsOf(tx, stored.customerNo),
    attempts: await attemptRows(tx, sql`ga.parent_kind = 'refund' and ga.parent_no = ${refundNo}`),
    confirms: await confirmsOf(tx, refundNo),
    history: await historyOf(tx, refundNo),
    journals: await journalRows(
      tx,
      sql`j.cause = ${`refund:${refundNo}`} or j.cause in (
      select 'payout_attempt:' || external_id from gateway_attempt where parent_kind = 'refund' and parent_no = ${refundNo})`,
    ),
  }
})

type Candidate = {
  customerNo: string
  customerName: string
  technical: boolean
  orderNo: string | null
  refundable: RefundRow['refundAmount']
  openRefundNo: string | null
  hasOpenOrder: boolean
  settled: boolean
}

/** The customer that is asked about, by their number or that of an order, within the caller's reach. */
const customerOf = async (
  { tx, session }: Pick<Call, 'tx' | 'session'>,
  { customerNo, orderNo }: { customerNo?: string | undefined; orderNo?: string | undefined },
): Promise<string> => {
  if (orderNo) return (await findOrder(tx, session, orderNo)).customerNo
  const found = await tx.maybe(sql`
    select 1 from overpayment v where v.customer_no = ${customerNo} and ${overflowScope(session)}
    union all select 1 from loan_order o where o.customer_no = ${customerNo} and ${orderScope(session)} limit 1`)
  if (!found) throw notFound()
  return String(customerNo)
}

const sourceFor = ({ technical, settled }: Candidate) => {
  if (technical) return 'wrong_payer' as const
  return settled ? ('paid_after_settle' as const) : ('overpaid' as const)
}

/** What may go back to a customer, the receipts that it comes from, and the account that the newest of them came from. */
export const checkServed = serve(calls.check, async call => {
  const { tx, session, input } = call
  const customerNo = await customerOf(call, input)
  const found = await tx.one(sql<Candidate>`
    select v.customer_no, c.customer_name, c.technical, ${input.orderNo ? sql`${input.orderNo}::text` : lastOrder} as order_no, ${openOrder} as has_open_order, v.refundable,
      (select r.refund_no from client_refund r where r.customer_no = v.customer_no and r.refund_status in ('created', 'in_progress', 'failure')) as open_refund_no,
      exists (select 1 from loan_order o where o.customer_no = v.customer_no and o.order_status = 'settled') as settled
    from customer c cross join lateral (
      select c.customer_no, coalesce((select x.credited - x.refunded - x.reapplied - x.reserved from overpayment x
        where x.customer_no = c.customer_no and ${scope(session, { merchant: 'x.merchant_no', holder: () => sql`true` })}), 0)::numeric(18,2) as refundable) v
    where c.customer_no = ${customerNo}`)
  const sources = await sourcesOf(tx, customerNo)
  const newest = sources.find(one => one.payerAccount)
  const { customerName, orderNo, refundable, openRefundNo, hasOpenOrder, technical } = found
  return {
    customerNo,
    customerName,
    orderNo,
    refundableAmount: refundable,
    proposedAmount: wholePart(refundable),
    sources,
    openRefundNo,
    hasOpenOrder,
    refundSource: sourceFor(found),
    payee: newest?.payerAccount
      ? {
          channel: newest.channel,
          payeeName: newest.payerName ?? customerName,
          payeeAccount: newest.payerAccount,
        }
      : null,
    unidentified: technical,
  }
})
