import { type RawBuilder, sql } from 'kysely'
import { baseCard } from './base-card.ts'

type Exec = { exec: (query: RawBuilder<unknown>) => Promise<unknown> }

/** A scorecard of one's own: the base card with another beginning, so that it is another version. */
export const cardAt = (basePoints = 590, change: Record<string, unknown> = {}) => ({
  modelName: 'Test card',
  psiLook: '0.1',
  psiAct: '0.25',
  modelKind: 'scorecard',
  scoreMin: baseCard.scoreMin,
  scoreMax: baseCard.scoreMax,
  basePoints,
  bins: baseCard.bins,
  modelRole: 'shadow',
  ...change,
})

/** A model that a service computes. */
export const serviceAt = (change: Record<string, unknown> = {}) => ({
  modelName: 'Bureau score',
  psiLook: '0.1',
  psiAct: '0.25',
  modelKind: 'external',
  scoreMin: 300,
  scoreMax: 850,
  endpoint: 'https://score.example.com/v1/score',
  factKeys: ['customer.age', 'history.settledCount'],
  modelRole: 'shadow',
  ...change,
})

/** Bands with a border between refused and let through. */
export const bandsAt = (border = 520) => {
  const bands = [
    { modelLevel: 'A', scoreFrom: 720, scoreTo: 850, bandDecision: 'approve', maxAmountRate: '100' },
    { modelLevel: 'B', scoreFrom: border, scoreTo: 719, bandDecision: 'review', maxAmountRate: '100' },
    { modelLevel: 'E', scoreFrom: 300, scoreTo: border - 1, bandDecision: 'refuse', maxAmountRate: '0' },
  ]
  return { firstBands: bands, repeatBands: bands }
}

/** Decided orders of a customer with snapshots: every third is known to have gone wrong, the others well, and wrong ones earn less. */
export const snapshots = async ({ exec }: Exec, count = 240, merchantNo = 'M1', prefix = 'RS'): Promise<void> => {
  await exec(sql`
    insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
    values (${`${prefix}C`}, 'Sample Customer', ${`CM90000000${prefix}`}, ${`256770009${prefix.length}01`}, 500000, 500000, '2026-01-01') on conflict do nothing`)
  await exec(sql`
    insert into loan_order (order_no, third_order_no, merchant_no, customer_no, order_status, product_no, terms, requested_amount, loan_amount, actual_loan_amount, term, installment_count,
      loan_kind, apply_time, status_time, payout_time, payout_type, payout_subtype, cardholder_name)
    select ${prefix}::text || n, ${prefix}::text || n, ${merchantNo}::text, ${`${prefix}C`}::text, 'settled', p.product_no, p.terms, 100000, 100000, 90000, 14, 2,
      case when n % 2 = 0 then 'first' else 'repeat' end, now.at, now.at, now.at, 'wallet', 'mtn_momo', 'Sample Customer'
    from generate_series(1, ${count}::int) n, (select product_no, terms from product where merchant_no = ${merchantNo} order by product_no limit 1) p, (select '2026-02-20T09:00:00Z'::timestamptz as at) now`)
  await exec(sql`
    insert into risk_fact_snapshot (order_no, eval_no, facts, created_time)
    select ${prefix}::text || n, 1, jsonb_build_object('order.amount', 100000, 'order.loanKind', 'first', 'order.incomeShare', 0.2, 'customer.age', 20 + n % 40, 'history.settledCount', n % 5,
      'history.settledOnTime', 0, 'history.maxOverdueDays', case when n % 3 = 0 then 9 else 0 end, 'history.openOrderCount', 0, 'history.refusedCount30d', 0, 'device.accountCount', 0,
      'device.rooted', false, 'device.emulator', false, 'contacts.count', 3, 'contacts.overdueCount', 0, 'wallet.sameAsPhone', true), '2026-02-20T09:00:00Z'::timestamptz + n * interval '1 second'
    from generate_series(1, ${count}::int) n`)
  await exec(sql`
    insert into risk_outcome (order_no, bad, ever30, settled, loss_principal, known_time)
    select ${prefix}::text || n, n % 3 = 0, false, true, case when n % 3 = 0 then 10000 else 0 end, '2026-02-28T09:00:00Z' from generate_series(1, ${count}::int) n`)
}

/** The same orders as scored by a version. */
export const scored = ({ exec }: Exec, modelVersionNo: string, prefix = 'RS'): Promise<unknown> =>
  exec(sql`
    insert into risk_model_score (order_no, eval_no, model_version_no, model_role, model_score, model_level, band_decision, missing_facts, duration_ms, scored_time)
    select order_no, 1, ${modelVersionNo}, 'champion', case when k.bad then 500 else 640 end, case when k.bad then 'E' else 'B' end, case when k.bad then 'refuse' else 'review' end,
      case when right(order_no, 1) = '5' then array['customer.age'] else '{}'::text[] end, 3, '2026-02-27T09:00:00Z'
    from risk_outcome k where order_no like ${`${prefix}%`}`)
