import { sql } from 'kysely'
import type { FactValues } from '../../../../core/rules/risk/facts.ts'
import { type Inputs, judge } from '../../../../core/rules/risk/judge.ts'
import type { Tx } from '../../../db/database.ts'
import { noteDecision, setsInForce } from '../rule-set/index.ts'

const inputs: Inputs = {
  requestedAmount: '100000.00',
  monthlyIncome: '900000.00',
  remainingLimit: '900000.00',
  settledLoans: 0,
  limits: { minAmount: '50000.00', maxAmount: '500000.00', amountStep: '10000.00' },
  manualReview: false,
  autoApproveMax: null,
  scoring: { modelScore: 700, modelLevel: 'A', isRefused: false, bandDecision: 'approve', hits: [] },
  bands: [],
  lists: [],
  cell: null,
  verifyResult: 'passed',
  overCap: false,
}

/** What was known of the n-th order: every fifth device is rooted, every tenth is an emulator, some people are too young or paid late. */
const factsOf = (n: number): FactValues => ({
  'order.amount': 100_000,
  'order.loanKind': n % 2 ? 'repeat' : 'first',
  'customer.age': 17 + (n % 50),
  'history.overdueNow': false,
  'history.maxOverdueDays': n % 40,
  'device.accountCount': 0,
  'device.rooted': n % 5 === 0,
  'device.emulator': n % 10 === 3,
  'history.daysSinceSettled': null,
})

/** Orders that were decided by the rules in force, with what was known of them; every third of those that were paid out went bad. */
export const pastOrders = async (tx: Tx, count: number, { merchantNo = 'M1', prefix = 'PO' } = {}): Promise<void> => {
  const customerNo = `${prefix}C`
  await tx.exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
    values (${customerNo}, 'Past Customer', ${`CM90000000${prefix}`}, ${`25677000${prefix.length}777`}, 500000, 500000, '2026-01-01') on conflict do nothing`)
  await tx.exec(sql`
    insert into loan_order (order_no, third_order_no, merchant_no, customer_no, order_status, product_no, terms, requested_amount, loan_amount, actual_loan_amount, term, installment_count,
      loan_kind, apply_time, status_time, payout_time, payout_type, payout_subtype, cardholder_name)
    select ${prefix}::text || n, ${prefix}::text || n, ${merchantNo}::text, ${customerNo}::text, 'settled', p.product_no, p.terms, 100000, 100000, 90000, 14, 2,
      case when n % 2 = 0 then 'first' else 'repeat' end, ${tx.now}, ${tx.now}, ${tx.now}, 'wallet', 'mtn_momo', 'Past Customer'
    from generate_series(1, ${count}::int) n, (select product_no, terms from product where merchant_no = ${merchantNo} order by product_no limit 1) p`)
  const { productNo } = await tx.one(
    sql<{ productNo: string }>`select product_no from loan_order where order_no = ${`${prefix}1`}`,
  )
  const sets = await setsInForce(tx, { merchantNo, productNo, loanKind: 'first' })
  for (let n = 1; n <= count; n++) {
    const facts = factsOf(n)
    const judged = judge(sets, facts, inputs)
    const by = { planVersionNo: null, modelNo: 'MD-BASE', modelVersion: 1, priceVersionNo: null, durationMs: 3 }
    await noteDecision(tx, { orderNo: `${prefix}${n}` }, { facts, sets, inputs, judged, ...by })
  }
  await tx.flush()
  await tx.exec(sql`
    insert into risk_outcome (order_no, bad, ever30, settled, loss_principal, known_time)
    select ${prefix}::text || n, n % 3 = 0, false, true, case when n % 3 = 0 then 10000 else 0 end, ${tx.now} from generate_series(1, ${count}::int) n
      join risk_decision d on d.order_no = ${prefix}::text || n where d.decision <> 'refuse'`)
}
