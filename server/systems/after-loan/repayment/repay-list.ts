import { type RawBuilder, sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { RepayOrderRow } from '../../../../core/contract/after-loan/repayment-rows.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { Tx } from '../../../db/database.ts'
import { dayRange, listPage, numbersOf, oneOf, orderFilters, type Source } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { noteSearch, orderFrom, orderJoins, orderScope } from '../../order/order/index.ts'
import { repayBlocks } from './repay-blocks.ts'
import { billSums, nextDues } from './repay-source.ts'
import { standings, tryOut } from './trial.ts'

type Frag = RawBuilder<unknown>
type PageInput = ParsedOf<typeof repay.page>

const joins = {
  c: orderJoins.c,
  m: orderJoins.m,
  p: orderJoins.p,
  nd: sql`left join (${nextDues}) nd on nd.order_no = o.order_no`,
  bs: sql`cross join lateral (${billSums(sql`o.order_no`)}) bs`,
}

const overflow = sql`coalesce((select v.credited - v.refunded - v.reapplied from overpayment v where v.customer_no = o.customer_no), 0.00)`

/** The state of the newest loan code of an order `o`. */
export const latestCode = sql`(select lc.loan_code_status from loan_code lc where lc.order_no = o.order_no order by lc.loan_code_seq desc limit 1)`

const columns: Record<string, Frag> = {
  customerName: sql`c.customer_name`,
  phone: sql`c.phone`,
  merchantName: sql`m.merchant_name`,
  productName: sql`p.product_name`,
  dueDate: sql`bs.due_date`,
  installmentsPaid: sql`bs.paid_count`,
  settleAmount: sql`bs.settle`,
  outstandingPrincipal: sql`bs.principal`,
  outstandingInterest: sql`bs.interest`,
  outstandingFee: sql`bs.fee`,
  outstandingPenalty: sql`bs.penalty`,
  paidAmount: sql`bs.paid`,
  reductionAmount: sql`bs.waived`,
  overflowAmount: overflow,
  extensionCount: sql`bs.extension_count`,
  repaymentTime: sql`(select max(r.repayment_time) from repay_record r where r.order_no = o.order_no and r.record_status = 'posted')`,
  blockedBy: sql`'{}'::jsonb`,
  loanCodeStatus: latestCode,
}

const waitingFlow = sql`f.flow_status in ('available', 'partly_used')`
/** Orders for whose customer or pay code a receipt waits: found from the few receipts, not by asking every order. */
const ordersWithFlow = sql`
  select w.order_no from repay_flow f join loan_order w on w.customer_no = f.customer_no where ${waitingFlow}
  union
  select w.order_no from repay_flow f join loan_order w on w.pay_code = f.payment_code where ${waitingFlow}`
/** Whether a receipt waits for the customer or the pay code of an order `o`. */
export const hasFlow = (has: boolean): Frag =>
  has ? sql`o.order_no in (${ordersWithFlow})` : sql`o.order_no not in (${ordersWithFlow})`
/** Orders `o` whose customer has paid too much. */
export const overpaid = sql`o.customer_no in (select v.customer_no from overpayment v where v.credited - v.refunded - v.reapplied > 0)`

/** Orders that money is owed on, or was: what the repayment list reads. */
const source = (where: Frag): Source<PageInput> => ({
  from: orderFrom,
  joins,
  alias: 'o',
  key: sql`o.order_no`,
  where: sql`o.payout_time is not null and o.order_status in ('funds_disbursed', 'settled') and ${where}`,
  columns,
  order: { dueDate: sql`nd.due_date` },
  filters: {
    orderNo: orderFilters.orderNo,
    thirdOrderNo: (text: string) => oneOf(sql`o.third_order_no`, numbersOf(text)),
    phone: orderFilters.phone,
    idNumber: orderFilters.idNumber,
    dueDate: (range: readonly [string | null, string | null]) => dayRange(sql`nd.due_date`, range),
    hasOverflow: (has: boolean) => sql`(${overpaid}) = ${has}`,
    extensionCount: ([least, most]: readonly [number | null, number | null]) =>
      sql`bs.extension_count between ${least ?? 0} and ${most ?? 100}`,
    hasFlow,
  },
})

/** Orders of products that charge for the days of use only. */
const byDay = sql`o.terms ->> 'earlySettlement' = 'proRata'`

/** Paying early costs less under some products: what settles their orders today is for the rules to say. */
const withEarly = async (tx: Tx, rows: RepayOrderRow[]): Promise<RepayOrderRow[]> => {
  const orderNos = rows.filter(row => row.orderStatus === 'funds_disbursed').map(row => row.orderNo)
  if (orderNos.length === 0) return rows
  const early = await standings(tx, orderNos, { where: byDay })
  const amounts = new Map(
    early.map(standing => {
      const asked = { repayType: 'settle', valueDate: tx.today, amounts: [], sources: [], smallSettle: false } as const
      return [standing.order.orderNo, tryOut(standing, asked, tx.today).trial.settleAmount]
    }),
  )
  return rows.map(row => ({ ...row, settleAmount: amounts.get(row.orderNo) ?? row.settleAmount }))
}

/** Orders with what they owe. */
export const repayList = listed({
  list: repay.page,
  source: ({ session }) => source(orderScope(session, repay.page.perm)),
  check: noteSearch,
  blocked: repayBlocks,
  late: {
    columns: ['settleAmount'],
    needs: ['orderNo', 'orderStatus'],
    only: sql`o.order_status = 'funds_disbursed' and ${byDay}`,
    fill: withEarly,
  },
})

/** One order as its list shows it. */
export const repayRow = async (tx: Tx, orderNo: string, where: Frag): Promise<RepayOrderRow | undefined> => {
  const { list } = await listPage<RepayOrderRow, PageInput>(
    tx,
    repay.page,
    repay.page.input.parse({ orderNo }),
    source(where),
  )
  return (await withEarly(tx, list))[0]
}
