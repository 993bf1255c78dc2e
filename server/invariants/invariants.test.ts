import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk } from '../testing/repay-desk.ts'
import type { Broken } from './check.ts'
import { invariants, runInvariants } from './invariants.ts'
import { missingInvariants } from './missing.ts'

let desk: Desk
let orderNo: string
beforeAll(async () => {
  desk = await openDesk()
  const officer = await desk.officer()
  orderNo = await desk.order()
  const second = await desk.order()
  await desk.order()
  await desk.until('2026-03-11')
  await desk.pay(officer, { orderNo: second, repayType: 'settle', flows: [desk.typed('240000.00')] })
  const done = await desk.pay(officer, {
    orderNo,
    repayType: 'partial',
    flows: [desk.typed('1000.00', { entryTime: '2026-03-10T07:00:00Z' })],
  })
  await desk.rollback(officer, done.data.repaymentNo)
  await desk.pay(officer, {
    orderNo,
    repayType: 'partial',
    flows: [desk.typed('50000.00', { writeOffAmount: '40000.00' })],
  })
})
afterAll(() => desk.close())

class Undone extends Error {}

/** Which invariants are red once a statement has been smuggled past every trigger. */
const redAfter = async (...statements: RawBuilder<unknown>[]) => {
  let red: Broken[] = []
  await desk.db
    .withTx(async tx => {
      await tx.exec(sql`set local session_replication_role = replica`)
      for (const statement of statements) await tx.exec(statement)
      red = await runInvariants(tx)
      throw new Undone()
    })
    .catch(error => {
      if (!(error instanceof Undone)) throw error
    })
  return red
}

const journal = (code: string, cause: string) => sql`
  insert into journal (journal_no, posting_code, business_date, value_date, posted_time, cause, request_id, actor) values (-1, ${code}, '2026-03-11', '2026-03-11', now(), ${cause}, 'nobody asked', 'x')`

/** An import of one row, so many of which were taken in. */
const brought = (done: number) => sql`
  insert into import_job (import_no, user_no, import_status, import_list, import_format, upload_no, file_name, sha256, language, row_count, rows_read, valid_count, ok_count, file_id, request_time)
  values ('IM1', 'U1', 'running', 'releasedOrders', 'csv', 'UP1', 'a.csv', 'x', 'en', 1, ${done}, ${done}, ${done}, 'f', now())`

const stated = sql`
  insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
  values ('ST9', 'FA1', '2026-01-02', 0, 500, 500, 1, 'channel', 'hash', 'system', now())`
const line = (status: string, matchNo: string | null) => sql`
  insert into statement_line (line_no, statement_no, fund_account_no, statement_date, serial_no, direction, line_kind, amount, entry_time, line_status, match_no)
  values ('SL9', 'ST9', 'FA1', '2026-01-02', 'MP9', 'in', 'payment', 500, now(), ${status}, ${matchNo})`
const compared = (date: string, unexplained = 0) => sql`
  insert into recon_run (recon_no, fund_account_no, recon_date, opening_statement, closing_statement, opening_ledger, closing_ledger, unexplained, recon_result, run_time)
  values (${`RR${date}`}, 'FA1', ${date}, 0, ${unexplained}, 0, 0, ${unexplained}, 'differences', now())`

const refund = (status: string, audit: string) => sql`
  insert into client_refund (refund_no, overpayment_no, customer_no, merchant_no, refund_source, refund_amount, refund_status, audit_status, verify_status, channel, payee_name, payee_account, same_payer, refund_reason, apply_time, submit_time, maker_no, maker_name, asked_by)
  select 'RF9', overpayment_no, customer_no, merchant_no, 'overpaid', 100, ${status}, ${audit}, 'passed', 'mtn_momo', 'x', '1', true, 'other', now(), now(), 'U1', 'U1', '{U1}' from overpayment limit 1`

const transfer = (status: string) => sql`
  insert into transfer_apply (transfer_no, from_account_no, to_account_no, transfer_amount, transfer_purpose, transfer_status, approval_needed, checker_cap, dual_cap, from_balance_then, to_balance_then, apply_time, submit_time, maker_no, maker_name)
  values ('TF9', 'FA1', 'FA9', 100, 'sweep', ${status}, 1, 1, 1, 0, 0, now(), now(), 'U1', 'U1')`

const withdrawal = (status: string) => sql`
  insert into wallet_withdrawal (withdraw_no, customer_no, merchant_no, request_no, withdraw_amount, withdraw_status, channel, wallet_account, fund_account_no, created_time)
  select 'WD9', customer_no, merchant_no, 'RQ9', 100, ${status}, 'mtn_momo', '256772000031', 'FA1', now() from loan_order limit 1`
const airtime = sql`
  insert into phone_recharge (phone_bill_no, user_no, purpose_month, batch_no, batch_row, post, phone, network, amount, month_cap, phone_bill_status, maker_no, maker_name, created_time)
  select 'PB9', user_no, '2026-03', 'PA9', 1, 'collector', '256772000031', 'mtn', 10000, 30000, 'paying', user_no, 'x', now() from app_user limit 1`
const entry = sql`
  insert into wallet_entry (customer_no, merchant_no, entry_kind, reference, amount, wallet_balance, entry_time)
  select customer_no, merchant_no, 'reward', 'RW9', 700, 700, now() from loan_order limit 1`

const activity = (spent: number) => sql`
  insert into activity (activity_no, enabled, activity_name, activity_type, merchant_nos, app_codes, start_time, end_time, budget_amount, budget_spent, awards_per_customer, tasks, rule_text, created_time, updated_by, updated_time)
  values ('AC9', 'disabled', 'Test', 'first_loan', '{M1}', '{BodaCash}', now(), now() + interval '1 day', 50000, ${spent}, 1, '[]', '{}', now(), 'U1', now())`
const award = (no: string, status: string) => sql`
  insert into activity_award (award_no, award_status, activity_no, task_key, customer_no, merchant_no, subject_no, order_no, award_kind, award_amount, award_time)
  select ${no}, ${status}, 'AC9', 'loans', customer_no, merchant_no, ${no}, order_no, 'wallet', 2000, now() from loan_order where order_no = 'LO000001'`

/** A day that was recorded, it is said, without any row of it. */
const recorded = (after: number) => sql`
  insert into job_run (job, slot, job_status, planned_time) select 'day.snapshot', (min(business_date) + ${after}::int)::text, 'done', now() from journal`

/** What is smuggled in, and what the rule must name: a number, an account, a status. */
const breaks: [name: string, statements: RawBuilder<unknown>[], named: string][] = [
  [
    'V1',
    [sql`update journal_line set amount = amount + 1 where line_no = (select min(line_no) from journal_line)`],
    'journalNo',
  ],
  ['L2', [sql`delete from journal_line where line_no = (select min(line_no) from journal_line)`], 'sum'],
  ['L2a', [sql`update ledger_balance set balance = balance + 1 where account_code = 'bank:FA1'`], 'bank:FA1'],
  ['V3a', [sql`update repay_plan set principal_paid = principal_paid + 1 where bill_status = 'pending'`], 'LO000001'],
  ['V3b', [sql`update repay_plan set interest_paid = interest_paid + 1 where bill_status = 'pending'`], 'LO000001'],
  [
    'V3c',
    [sql`update repay_plan set management_fee_paid = management_fee_paid + 1 where bill_status = 'pending'`],
    'LO000001',
  ],
  ['V3d', [sql`update repay_plan set late_fee_due = late_fee_due + 1 where bill_status = 'partial'`], 'LO000001'],
  [
    'L4a',
    [sql`update ledger_balance set balance = balance - 1 where account_code = 'deferred_interest:LO000001'`],
    'LO000001',
  ],
  [
    'L4b',
    [sql`update ledger_balance set balance = balance - 1 where account_code = 'deferred_fee:LO000001'`],
    'LO000001',
  ],
  ['V3f', [sql`update repay_plan set bill_status = 'extended' where bill_status = 'partial'`], 'extended'],
  ['V4', [sql`update repay_flow set applied = applied - 1 where flow_status = 'partly_used'`], 'partly_used'],
  ['V4c', [sql`update repay_flow set proof = null where flow_status = 'partly_used'`], 'partly_used'],
  ['V4a', [sql`update repay_flow set applied = applied - 1 where flow_status = 'partly_used'`], 'partly_used'],
  [
    'V29',
    [
      sql`insert into merchant_loan_usage (limit_no, business_date, used_amount, used_count) values ('LL-M1', '2026-03-02', 5, 1)`,
    ],
    'LL-M1',
  ],
  [
    'V29a',
    [
      sql`insert into gateway_attempt (external_id, gateway_ref, parent_kind, parent_no, attempt_no, channel, amount, payee, fund_account_no, created_time, attempt_status)
        select 'LC9-1', 'ref', 'loanCode', loan_code, 9, 'mtn_momo', 5, 'x', 'FA1', now(), 'failed' from loan_code limit 1`,
      sql`insert into merchant_loan_take (external_id, limit_no, business_date, amount, taken_time) values ('LC9-1', 'LL-M1', '2026-03-02', 5, now())`,
      sql`insert into merchant_loan_usage (limit_no, business_date, used_amount, used_count) values ('LL-M1', '2026-03-02', 5, 1)`,
    ],
    'LC9-1',
  ],
  ['V30', [sql`insert into ledger_balance values ('merchant:M1', -5)`], 'M1'],
  [
    'V30a',
    [
      sql`insert into consumption_type (type_no, enabled, type_code, type_name, meter, unit, created_time, updated_by, updated_time) values ('CT9', 'enabled', 'sms', '{}', 'sms_part', 'part', now(), 'x', now())`,
      sql`insert into consumption_record (consumption_no, consumption_status, merchant_no, type_no, unit_price, business_date, quantity, consumption_amount, created_time) values ('CS9', 'accruing', 'M1', 'CT9', 0, '2026-01-02', 3, 0, now())`,
    ],
    'CS9',
  ],
  ['V17', [sql`update overpayment set credited = credited + 1`], 'CU2'],
  ['V6', [sql`insert into ledger_balance values ('payout_in_flight:LCLO000001', 5)`], 'LCLO000001'],
  ['V6a', [sql`insert into ledger_balance values ('payout_exception:X-1', 5)`], 'payout_exception:X-1'],
  ['V22', [sql`update ledger_balance set balance = -1 where account_code = 'bank:FA1'`], 'bank:FA1'],
  [
    'V26',
    [
      sql`alter table loan_code drop constraint loan_code_actual_loan_amount_check, add check (true)`,
      sql`update loan_code set actual_loan_amount = 100.5`,
    ],
    '100.5',
  ],
  [
    'V27',
    [
      sql`update journal_line set amount = amount * 2 where journal_no in (select journal_no from journal where posting_code = 'P-REV')`,
    ],
    'accountCode',
  ],
  ['L11', [journal('P15', 'repay_flow:FLNONE')], 'FLNONE'],
  ['V2', [journal('P15', 'repay_flow:FLNONE')], 'FLNONE'],
  ['V15', [sql`update loan_code set loan_code_status = 'failed' where order_no = 'LO000001'`], 'LO000001'],
  ['V15a', [sql`update repay_plan set bill_status = 'paid' where bill_status = 'partial'`], 'paid'],
  ['V15b', [sql`update loan_order set overdue = true where order_status = 'settled'`], 'LO000002'],
  ['V3', [sql`update repay_record_line set applied = applied + 1`], 'LO000001'],
  ['V3e', [sql`update repay_record set overflow_amount = overflow_amount + 1`], 'repaymentNo'],
  [
    'V7',
    [
      sql`insert into penalty_tick select bill_no, business_date, generation + 5, late_fee, liquidated_damages, journal_no, false from penalty_tick where not reversed`,
    ],
    'businessDate',
  ],
  ['V7a', [sql`update penalty_tick set late_fee = late_fee + 1 where not reversed`], 'billNo'],
  ['V7b', [sql`update penalty_tick set reversed = not reversed`], 'generation'],
  [
    'V7c',
    [
      sql`insert into job_run (job, slot, planned_time) values ('day.roll', '2026-03-01', now()), ('day.roll', '2026-03-03', now())`,
    ],
    '2026-03-03',
  ],
  [
    'V20',
    [
      sql`alter table customer drop constraint customer_remaining_limit_check`,
      sql`update customer set remaining_limit = -1`,
    ],
    'CU1',
  ],
  [
    'V19',
    [
      sql`insert into coupon (coupon_no, customer_no, coupon_type, face_amount, coupon_status, start_time, expire_time, created_time)
        values ('CPX', 'CU1', 'discount_coupon', 5000, 'used', now(), now() + interval '1 day', now())`,
    ],
    'CPX',
  ],
  [
    'V19b',
    [
      sql`insert into coupon (coupon_no, customer_no, coupon_type, face_amount, coupon_status, bound_order_no, start_time, expire_time, created_time)
        values ('CPY', 'CU1', 'discount_coupon', 5000, 'frozen', 'LO000001', now(), now() + interval '1 day', now())`,
      sql`update loan_order set order_status = 'cancelled' where order_no = 'LO000001'`,
    ],
    'CPY',
  ],
  [
    'V19c',
    [
      sql`insert into coupon_template (coupon_template_no, enabled, coupon_name, coupon_type, coupon_repay_type, merchant_nos, face_amount, validity_days, issue_cap_per_customer, budget_amount, issued_amount, created_time, updated_by, updated_time)
        values ('CTX', 'disabled', 'Test', 'discount_coupon', 'generic', '{M1}', 5000, 30, 1, 50000, 5000, now(), 'U1', now())`,
    ],
    'CTX',
  ],
  ['V31', [activity(2000)], 'AC9'],
  ['V31a', [activity(4000), award('AW8', 'held'), award('AW9', 'held')], 'AC9'],
  ['V31b', [activity(2000), award('AW9', 'given')], 'AW9'],
  ['V31c', [activity(0), award('AW9', 'reversed')], 'AW9'],
  ['V16a', [sql`update loan_order set order_status = 'cancelled' where order_no = 'LO000001'`], 'cancelled'],
  ['V16b', [sql`delete from state_transition where event = 'payout.start'`], 'LO000001'],
  ['V16c', [sql`update state_transition set event = 'made.up' where event = 'settle'`], 'made.up'],
  [
    'V5',
    [
      sql`drop index loan_code_open`,
      sql`insert into loan_code select (jsonb_populate_record(lc, '{"loan_code": "LCX"}')).* from loan_code lc where order_no = 'LO000001'`,
    ],
    'LO000001',
  ],
  [
    'V11',
    [
      sql`insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time) values ('AT1', 'LO000001', 'assigned', 'U1', 1, now())`,
    ],
    'LO000001',
  ],
  ['V12', [sql`update approval set checker_no = null`], 'AP'],
  [
    'V13',
    [
      sql`update app_user set user_status = case when set_config('app.transition', 'on', true) = 'on' then 'frozen' end`,
    ],
    'U1',
  ],
  ['V8', [brought(0), sql`insert into import_row (import_no, row_no, row_status) values ('IM1', 1, 'valid')`], 'IM1'],
  [
    'V8a',
    [
      brought(1),
      sql`insert into import_row (import_no, row_no, row_status, effect_no) values ('IM1', 1, 'done', 'CF-NONE')`,
    ],
    'CF-NONE',
  ],
  ['V25', [sql`insert into re_review_quota values ('U1', '2026-03-02', 1)`], '2026-03-02'],
  ['V9', [sql`update idempotency set idempotency_status = 'in_progress'`], 'in_progress'],
  ['V2a', [sql`delete from audit_log`], 'U1'],
  [
    'V14a',
    [
      sql`insert into upload (upload_no, user_no, upload_status, purpose, file_name, extension, size, sha256, chunk_bytes, file_id, created_time, expire_time)
        values ('UP1', 'U1', 'attached', 'image', 'a.png', 'png', 1, 'x', 1, 'f', now(), now())`,
    ],
    'UP1',
  ],
  ['V1a', [sql`update journal set posting_code = 'P3' where posting_code = 'P1b'`], 'principal'],
  [
    'V1b',
    [sql`update journal_line set order_no = 'LO9' where account_code = 'principal:LO000001'`],
    'principal:LO000001',
  ],
  [
    'V10',
    [
      sql`insert into outbox (topic, object_no, payload, due_time, created_time) values ('sms', 'X9', '{}', '2026-03-01', '2026-03-01')`,
    ],
    'sms',
  ],
  [
    'V11a',
    [
      sql`insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time) values ('AT1', 'LO000001', 'submitted', 'U1', 1, now())`,
    ],
    'AT1',
  ],
  [
    'V27a',
    [
      sql`update repay_record set record_seq = 0 where record_status = 'posted' and order_no = 'LO000001'`,
      sql`update repay_record set record_status = 'rolled_back', rolled_back_time = now() + interval '99 years' where record_seq = 0`,
      sql`update repay_record set record_status = 'posted', repayment_time = '2026-03-01' where record_seq > 0 and order_no = 'LO000001'`,
    ],
    'LO000001',
  ],
  [
    'V23',
    [
      sql`select chain_audit(10000)`,
      sql`update audit_log set actor_name = overlay(actor_name placing '~' from 1 for 1) where audit_no = (select min(audit_no) from audit_log)`,
    ],
    'changed',
  ],
  ['V5a', [stated, line('new', null), compared('2026-01-02')], 'SL9'],
  ['V5b', [compared('2026-01-01'), compared('2099-01-01')], 'bank:FA1'],
  ['V5c', [stated, line('matched', 'MT9')], 'MT9'],
  [
    'V5d',
    [
      sql`insert into recon_item (recon_item_no, recon_kind, recon_status, booking_no, created_time) values ('RI9', 'ledger_only_in', 'open', 1, now())`,
    ],
    'RI9',
  ],
  [
    'V22a',
    [
      sql`insert into balance_entry (balance_entry_no, fund_account_no, balance_entry_status, last_balance, entry_date, balance_source, entered_by, entered_name, created_time, ledger_then, in_flight_then, difference, backfilled)
        values ('BE9', 'FA1', 'entered', 700, now(), 'typed', 'x', 'x', now(), 500, 0, 200, false)`,
    ],
    'BE9',
  ],
  ['L12', [compared('2026-01-02', 500)], '500.00'],
  ['V18', [refund('success', 'approved')], 'RF9'],
  ['V18a', [refund('created', 'pending')], '100.00'],
  ['L8', [refund('created', 'pending')], 'RF9'],
  ['L8b', [transfer('paying')], 'TF9'],
  ['V12b', [transfer('paid')], 'TF9'],
  ['L8c', [withdrawal('paying')], 'WD9'],
  ['L8d', [airtime], 'PB9'],
  ['L9', [entry], '700.00'],
  ['V18b', [withdrawal('success')], 'WD9'],
  ['V32', [recorded(1)], 'principal'],
  ['V32a', [recorded(1)], 'principal'],
  ['V32b', [recorded(1), recorded(3)], 'slot'],
]

const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at + 1}`)

describe('the invariants', () => {
  it('are all green on what commands did, and have names of their own', async () => {
    expect(await desk.broken()).toEqual([])
    expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length)
  })

  it.each(breaks)('%s names what breaks it', async (name, statements, named) => {
    const red = await redAfter(...statements)
    expect(red.map(rule => rule.name)).toContain(name)
    expect(JSON.stringify(red.find(rule => rule.name === name)?.rows)).toContain(named)
  })

  it('that cannot be asked yet lack their table: once it is there, they are to be written', async () => {
    const columns = await desk.db.read(tx =>
      tx.rows(
        sql<{ table: string; column: string }>`
          select table_name as "table", table_name || '.' || column_name as "column" from information_schema.columns where table_schema = current_schema()`,
      ),
    )
    const due = missingInvariants.filter(missing =>
      columns.some(({ table, column }) =>
        'table' in missing ? missing.table.test(table) : missing.column.test(column),
      ),
    )
    expect(due.map(({ name }) => name)).toEqual([])
    const asked = invariants.map(({ name }) => name)
    expect(missingInvariants.filter(({ name }) => asked.includes(name))).toEqual([])
  })

  it('are all the invariants that are declared', () => {
    const known = [...invariants, ...missingInvariants].map(({ name }) => name.replace(/[a-z]$/, ''))
    const elsewhere = ['V24', 'L1', 'L3', 'L5', 'L6', 'L7', 'L10', 'L13']
    const all = [...numbered('V', 28), ...numbered('L', 13)]
    expect(all.filter(name => !known.includes(name))).toEqual(elsewhere)
  })

  it('have a test each', () => {
    expect(breaks.map(([name]) => name).sort()).toEqual(invariants.map(({ name }) => name).sort())
  })
})
