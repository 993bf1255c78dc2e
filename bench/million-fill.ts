import { fixtureTerms } from '../server/testing/kit.ts'

const list = (words: string) => `(array['${words.split(' ').join("','")}'])`
const pick = (words: string, by = 'random()') => `${list(words)}[1 + floor(${by} * ${words.split(' ').length})::int]`
const firstNames =
  'Grace Sarah Juliet Agnes Esther Joan Rose Ruth Mary Florence Brian Moses Joseph Ivan Ronald Isaac Patrick Denis Samuel Geoffrey'
const lastNames =
  'Nakato Okello Namukasa Mugisha Auma Kato Nabirye Ochieng Babirye Wasswa Achieng Tumusiime Nalubega Opio Namutebi Byaruhanga Akello Ssemakula Atim Lubega'
const merchants = ['M1', 'M2', 'M3', 'M4', 'M5', 'M6']
/** Shares of the merchants as upper ends between 0 and 1. */
const shares = [0.4, 0.65, 0.8, 0.9, 0.97, 1]
const auditors = 40

const merchantOf = `case ${merchants.map((no, at) => `when draw.merchant <= ${shares[at]} then '${no}'`).join(' ')} end`
/** A number that looks drawn and never comes twice; `n` counts the rows. */
const code = `upper(lpad(to_hex((n * 2654435761) % 4294967296), 8, '0'))`

/** Machines refuse a third, people a tenth; what was paid out two weeks ago is mostly settled, the newest is under review. */
const drawnStatus = `case
  when age < interval '1 day' then ${pick('machine_reviewing to_be_allocated to_be_allocated pending_review pending_disbursement remitting machine_refused', 'draw.status')}
  when draw.status < 0.30 then 'machine_refused'
  when draw.status < 0.42 then 'approval_rejected'
  when draw.status < 0.45 then 'cancelled'
  when draw.status < 0.455 then 'loan_failed'
  when age < interval '14 days' then case when draw.status < 0.50 then 'settled' else 'funds_disbursed' end
  when draw.status < 0.48 then 'funds_disbursed'
  else 'settled' end`

const customers = (orders: number) => `
  insert into customer (customer_no, customer_name, id_number, phone, gender, birth_date, credit_limit, remaining_limit, member_level, whitelisted, register_time, monthly_income, address_text, district)
  select 'CU' || ${code}, ${pick(firstNames)} || ' ' || ${pick(lastNames)}, 'CM' || lpad(n::text, 12, '0'), '2567' || lpad((n * 7 % 100000000)::text, 8, '0'),
    'male', date '1990-01-01' + (random() * 5000)::int, 1000000, 1000000, ${pick('V1 V1 V1 V2 V2 V3 V4')}, random() < 0.05, now() - interval '3 years', 1200000, 'Plot ' || n || ', Kampala Road', 'Kampala'
  from generate_series(1, ${Math.ceil(orders * 0.4)}) n`

const ordersOf = (orders: number, now: string, status: string) => `
  insert into loan_order (order_no, third_order_no, merchant_no, customer_no, order_status, product_no, terms, requested_amount, loan_amount, actual_loan_amount, term, installment_count,
    loan_kind, loan_purpose, apply_time, status_time, audit_time, payout_time, payout_date, settled_time, auditor_no, incoming_channel, promotion_channel, lending_channel, refuse_code,
    model_level, model_score, machine_time, rule_hits, overdue, overdue_days, payout_type, payout_subtype, wallet_account, cardholder_name, pay_code, device, version)
  select 'LO' || to_char(apply_time, 'YYMMDD') || ${code}, 'T' || lpad(n::text, 10, '0'), merchant_no, customer_no, status, 'P' || substr(merchant_no, 2), $1::jsonb,
    amount, amount, amount * 0.95, 14, 2, case when n % 5 < 2 then 'first' else 'repeat' end, 'business', apply_time, coalesce(settled_time, payout_time, audit_time, apply_time),
    audit_time, payout_time, payout_time::date, settled_time, case when audit_time is not null then 'A' || (1 + n % ${auditors}) end,
    ${pick('app ussd agent web')}, ${pick('radio sms friend none')}, case when payout_time is not null then 'mtn_momo' end,
    case when status = 'machine_refused' then 'RC' || (1 + n % 12) end, ${pick('A B B C C C D E')}, 400 + (random() * 400)::int, apply_time + interval '20 seconds', '[]',
    late > 0, late, 'wallet', 'mtn', '256772' || lpad((n % 1000000)::text, 6, '0'), 'Account holder', case when payout_time is not null then '7' || lpad(n::text, 9, '0') end,
    jsonb_build_object('deviceId', md5((n % 600000)::text), 'model', 'TECNO Spark 8', 'os', 'android 12', 'rooted', false, 'emulator', false), 3
  from (
    select *, case when status = 'funds_disbursed' then greatest(0, timestamptz '${now}'::date - (payout_time + interval '14 days')::date) else 0 end as late from (
      select *, case when status in ('funds_disbursed', 'settled') then apply_time + interval '3 hours' end as payout_time,
        case when status not in ('machine_refused', 'machine_reviewing', 'to_be_allocated', 'pending_review') then apply_time + interval '1 hour' end as audit_time,
        case when status = 'settled' then least(timestamptz '${now}', apply_time + interval '2 days' + random() * interval '14 days') end as settled_time
      from (
        select n, apply_time, age, customer_no, ${status} as status, ${merchantOf} as merchant_no, (5 + floor(draw.amount ^ 3 * 95)) * 10000 as amount from (
          select n, random() as status, random() as merchant, random() as amount, timestamptz '${now}' - age as apply_time, age,
            (select 'CU' || upper(lpad(to_hex((c * 2654435761) % 4294967296), 8, '0')) from (select (1 + n * 48271 % ${Math.ceil(orders * 0.4)})::bigint as c) one) as customer_no
          from (select n::bigint, (${orders} - n + random()) * interval '1 second' * ${(730 * 86_400) / orders} as age from generate_series(1, ${orders}) n) counted
        ) draw
      ) drawn
    ) timed
  ) whole`

/** Everything that lists join or ask for besides orders and customers. */
const around = [
  `insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time, open_time, submit_time, audit_result)
   select 'AT' || substr(order_no, 3), order_no, 'submitted', auditor_no, 1, apply_time, apply_time, audit_time, 'pass' from loan_order where auditor_no is not null`,
  `insert into loan_code (loan_code, order_no, loan_code_status, loan_code_seq, actual_loan_amount, payout_type, payout_subtype, wallet_account, cardholder_name, channel, fund_account_no, attempt_no, fail_type, serial_no, request_time, finish_time)
   select 'LC' || substr(order_no, 3), order_no, case order_status when 'loan_failed' then 'failed' when 'pending_disbursement' then 'created' when 'remitting' then 'remitting' else 'success' end, 1, trunc(actual_loan_amount),
     payout_type, payout_subtype, wallet_account, cardholder_name, 'mtn_momo', 'FA1', 1, case when order_status = 'loan_failed' then 'payee_invalid' end, case when payout_time is not null then 'MP' || substr(order_no, 3) end, audit_time, payout_time
   from loan_order where order_status in ('funds_disbursed', 'settled', 'loan_failed', 'pending_disbursement', 'remitting') order by audit_time`,
  `insert into gateway_attempt (external_id, gateway_ref, parent_kind, parent_no, attempt_no, attempt_status, channel, amount, payee, fund_account_no, sent_time, answer_time, serial_no, created_time)
   select loan_code || '-1', 'G' || loan_code, 'loanCode', loan_code, 1, case loan_code_status when 'success' then 'success' when 'failed' then 'failure' else 'sent' end, 'mtn_momo', actual_loan_amount, coalesce(wallet_account, ''), 'FA1',
     request_time, finish_time, serial_no, request_time from loan_code where loan_code_status <> 'created' order by request_time`,
  `insert into loan_code_confirm (confirm_no, parent_kind, parent_no, confirm_status, result, first_name, first_time, second_name, second_time)
   select 'CF' || substr(loan_code, 3), 'loanCode', loan_code, 'confirmed', 'success', 'Person One', finish_time, 'Person Two', finish_time from loan_code where loan_code_status = 'success' and get_byte(decode(md5(loan_code), 'hex'), 0) < 3`,
  `insert into repay_plan (bill_no, order_no, installment_no, due_date, bill_status, principal_due, interest_due, service_fee_due, management_fee_due, principal_paid, interest_paid, management_fee_paid, settled_time)
   select 'B' || i || substr(order_no, 3), order_no, i, payout_date + 7 * i, case when settled_time is not null then 'paid' else 'pending' end, round(loan_amount / 2, 2), 7000, 0, 1000,
     case when settled_time is not null then round(loan_amount / 2, 2) else 0 end, case when settled_time is not null then 7000 else 0 end, case when settled_time is not null then 1000 else 0 end, settled_time
   from loan_order cross join generate_series(1, 2) i where payout_time is not null order by payout_time, order_no, i`,
  `insert into repay_record (repayment_no, order_no, repay_type, record_status, record_seq, amount, value_date, repayment_time, posted_by, posted_name, trial, settled_order, request_id)
   select 'RR' || substr(order_no, 3), order_no, 'settle', 'posted', 1, loan_amount, settled_time::date, settled_time, 'system', 'system', '{}', true, 'fill' from loan_order where settled_time is not null`,
  `insert into overpayment (overpayment_no, customer_no, merchant_no, overpayment_status, credited)
   select 'OV' || substr(customer_no, 3), customer_no, 'M1', 'open', 500 from customer where get_byte(decode(md5(customer_no), 'hex'), 0) < 3`,
  `insert into repay_flow (flow_no, channel, serial_no, flow_status, amount, entry_time, payment_code, source, merchant_no, customer_no, created_by, created_time)
   select 'FL' || substr(order_no, 3), 'mtn_momo', 'S' || order_no, case when settled_time is null then 'available' else 'exhausted' end, 5000, apply_time, pay_code, 'callback', merchant_no, customer_no, 'system', apply_time
   from loan_order where pay_code is not null and (settled_time is not null or get_byte(decode(md5(order_no), 'hex'), 0) < 26)`,
]

/** What runs statements: a connection to PostgreSQL, or what stands for one. */
export type Client = { query(text: string, values?: unknown[]): Promise<unknown> }

/**
 * Fills an empty, migrated database that has the fixtures of the kit with orders of two years, the newest at `now`; in the states that
 * orders have, or in the one that an expression of SQL says.
 */
export const fill = async (client: Client, orders: number, now: string, status = drawnStatus): Promise<void> => {
  const run = (text: string, values?: unknown[]) => client.query(text, values)
  await run(`set session_replication_role = replica`)
  await run(`select setseed(0.42)`)
  for (const no of merchants.slice(2)) {
    await run(
      `insert into merchant (merchant_no, merchant_name, app_name, org_no) values ('${no}', 'Merchant ${no}', 'App ${no}', 'O1')`,
    )
    await run(
      `insert into product (product_no, product_name, merchant_no, track, terms) values ('P${no.slice(1)}', 'Loan of ${no}', '${no}', 'stage', $1::jsonb)`,
      [JSON.stringify(fixtureTerms)],
    )
  }
  await run(`
    insert into app_user (user_no, login_id, user_name, real_name, dept_no, principal_merchant_no, password_hash, created_time)
    select 'A' || n, 'auditor.' || n, 'Auditor ' || n, 'Auditor ' || n, case when n % 2 = 0 then 'D1' else 'D2' end, 'M1', 'none', now() from generate_series(1, ${auditors}) n`)
  await run(customers(orders))
  await run(ordersOf(orders, now, status), [JSON.stringify(fixtureTerms)])
  await run(
    `insert into merchant_customer (customer_no, merchant_no, phone, monthly_income, address_text, district, updated_time)
     select c.customer_no, o.merchant_no, c.phone, c.monthly_income, c.address_text, c.district, c.register_time
     from customer c join (select distinct customer_no, merchant_no from loan_order) o using (customer_no)`,
  )
  for (const statement of around) await run(statement)
  await run(`set session_replication_role = origin`)
  await run('vacuum analyze')
}
