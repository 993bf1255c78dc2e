/** Hand-written SQL for the same answers as the lists: what a statement can cost at best on the same tables. */

const orderWide = `
  select o.order_no, o.third_order_no, m.merchant_name, m.app_name, c.customer_name, c.id_number, c.phone, o.order_status, o.refuse_code, rc.name_en, o.apply_time, o.payout_time, p.product_name, o.loan_kind,
    o.loan_amount, o.actual_loan_amount, o.term, o.installment_count, o.incoming_channel, o.promotion_channel, o.lending_channel, c.whitelisted, o.model_level, c.member_level, u.real_name, o.audit_time,
    o.data_source, o.overdue, o.overdue_days, o.version
  from page join loan_order o using (order_no) join order_customer c using (customer_no, merchant_no) join merchant m on m.merchant_no = o.merchant_no join product p on p.product_no = o.product_no
  left join app_user u on u.user_no = o.auditor_no left join refuse_code rc on rc.refuse_code = o.refuse_code`

const repayWide = `
  select o.order_no, o.third_order_no, c.customer_name, c.phone, m.merchant_name, p.product_name, o.loan_kind, o.loan_amount, o.actual_loan_amount, o.payout_time, o.installment_count, o.overdue_days, o.order_status,
    o.settled_time, o.version, b.*, v.*, r.*, lc.*
  from page join loan_order o using (order_no) join order_customer c using (customer_no, merchant_no) join merchant m on m.merchant_no = o.merchant_no join product p on p.product_no = o.product_no
  cross join lateral (select min(due_date) filter (where bill_status in ('pending', 'partial')), count(*) filter (where bill_status = 'paid') as done, max(extension_count),
    sum(principal_due - principal_paid - principal_waived) as principal, sum(interest_due - interest_paid - interest_waived) as interest, sum(service_fee_due + management_fee_due - service_fee_paid - management_fee_paid) as fee,
    sum(late_fee_due + liquidated_damages_due - late_fee_paid - liquidated_damages_paid) as penalty, sum(principal_paid + interest_paid + management_fee_paid) as paid, sum(principal_waived + interest_waived) as waived
    from repay_plan b where b.order_no = o.order_no) b
  left join lateral (select credited - refunded - reapplied as over from overpayment v where v.customer_no = o.customer_no) v on true
  left join lateral (select max(repayment_time) as time from repay_record r where r.order_no = o.order_no and r.record_status = 'posted') r on true
  left join lateral (select loan_code_status from loan_code lc where lc.order_no = o.order_no order by loan_code_seq desc limit 1) lc on true`

const loanWide = `
  select lc.*, o.third_order_no, c.customer_name, c.phone, m.merchant_name, p.product_name, o.loan_kind, o.loan_amount, o.audit_time, o.order_status, fa.account_name, ga.sent_time, cf.*
  from page join loan_code lc using (loan_code) join loan_order o using (order_no) join order_customer c using (customer_no, merchant_no) join merchant m on m.merchant_no = o.merchant_no join product p on p.product_no = o.product_no
  left join fund_account fa using (fund_account_no)
  left join gateway_attempt ga on ga.parent_kind = 'loanCode' and ga.parent_no = lc.loan_code and ga.attempt_no = lc.attempt_no
  left join lateral (select confirm_status, coalesce(second_name, first_name), coalesce(second_time, first_time) from loan_code_confirm l where l.parent_kind = 'loanCode' and l.parent_no = lc.loan_code limit 1) cf on true`

const lists = {
  order: { key: 'o.order_no', from: 'loan_order o', wide: orderWide, rule: 'true' },
  repay: {
    key: 'o.order_no',
    from: 'loan_order o',
    wide: repayWide,
    rule: `o.payout_time is not null and o.order_status in ('funds_disbursed', 'settled')`,
  },
  loan: { key: 'lc.loan_code', from: 'loan_code lc', wide: loanWide, rule: 'true' },
}
export type List = keyof typeof lists

export const pageSize = 20
export const countCap = 10_001

type Ask = {
  list: List
  /** Conditions besides the list's own. */
  where?: string
  /** Sort column with its alias, and which way. */
  by: string
  way: 'asc' | 'desc'
  /** Where the column may be empty: rows without a value come last, and the page asked for holds none of them. */
  filled?: boolean
  pageNum?: number
  /** Tables that the conditions need. */
  join?: string
  /** Whether the page itself cannot tell how many there are. */
  counts?: boolean
  /** So few that finding all and sorting them beats walking in order. */
  few?: boolean
}

/** The statements of one page: its keys in order, its rows, and the capped count where it is needed. */
export const best = ({ list, where = 'true', by, way, pageNum = 1, join = '', counts = true, ...o }: Ask): string[] => {
  const { key, from, wide, rule } = lists[list]
  const all = `from ${from} ${join} where ${rule} and ${where}`
  const found = `select ${key}, ${by} as value ${all} ${o.filled ? `and ${by} is not null` : ''}`
  const part = `limit ${pageSize} offset ${(pageNum - 1) * pageSize}`
  const page = o.few
    ? `found as materialized (${found}), page as (select * from found order by value ${way}, 1 ${way} ${part})`
    : `page as (${found} order by ${by} ${way}, ${key} ${way} ${part})`
  return [
    `with ${page} ${wide} order by page.value ${way}, ${key} ${way}`,
    ...(counts ? [`select count(*) from (select 1 ${all} limit ${countCap}) counted`] : []),
  ]
}

type From = { list: List; by: string; pageNum: number; way: 'next' | 'previous' }

/** What finds the row that a page begins or ends with; its place is written into the statement of {@link bestFrom}. */
export const edge = ({ list, by, pageNum, way }: From): string => {
  const { key, from, rule } = lists[list]
  const at = way === 'next' ? pageNum * pageSize - 1 : (pageNum - 1) * pageSize
  return `select ${by}::text as value, ${key} as key from ${from} where ${rule} order by ${by} desc, ${key} desc limit 1 offset ${at}`
}

/** The statement of the neighbour of a page in descending order, whose edge is `$1` and `$2`: nobody has to count again. */
export const bestFrom = ({ list, by, way }: From): string[] => {
  const { key, from, wide, rule } = lists[list]
  const [beyond, towards] = way === 'next' ? ['<', 'desc'] : ['>', 'asc']
  const page = `page as (select ${key}, ${by} as value from ${from} where ${rule} and (${by}, ${key}) ${beyond} ($1, $2) order by ${by} ${towards}, ${key} ${towards} limit ${pageSize})`
  return [`with ${page} ${wide} order by page.value desc, ${key} desc`]
}

/** Counts and sums by status in one pass. */
export const bestSum = (where = 'true'): string[] => [
  `select o.order_status, count(*), sum(o.loan_amount), sum(o.actual_loan_amount), count(*) filter (where o.overdue) from loan_order o where ${where} group by o.order_status`,
]
