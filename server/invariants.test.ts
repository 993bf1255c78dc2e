import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invariants, runInvariants } from './invariants.ts'
import { type Desk, openDesk } from './testing/repay-desk.ts'

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
  let red: string[] = []
  await desk.db
    .withTx(async tx => {
      await tx.exec(sql`set local session_replication_role = replica`)
      for (const statement of statements) await tx.exec(statement)
      red = (await runInvariants(tx)).map(({ name }) => name)
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

const breaks: [string, RawBuilder<unknown>[]][] = [
  ['V1', [sql`update journal_line set amount = amount + 1 where line_no = (select min(line_no) from journal_line)`]],
  ['L2', [sql`delete from journal_line where line_no = (select min(line_no) from journal_line)`]],
  ['L2a', [sql`update ledger_balance set balance = balance + 1 where account_code = 'bank:FA1'`]],
  ['V3a', [sql`update repay_plan set principal_paid = principal_paid + 1 where bill_status = 'pending'`]],
  ['V3b', [sql`update repay_plan set interest_paid = interest_paid + 1 where bill_status = 'pending'`]],
  ['V3c', [sql`update repay_plan set management_fee_paid = management_fee_paid + 1 where bill_status = 'pending'`]],
  ['V3d', [sql`update repay_plan set late_fee_due = late_fee_due + 1 where bill_status = 'partial'`]],
  ['L4a', [sql`update ledger_balance set balance = balance - 1 where account_code = 'deferred_interest:LO000001'`]],
  ['L4b', [sql`update ledger_balance set balance = balance - 1 where account_code = 'deferred_fee:LO000001'`]],
  ['V4', [sql`update repay_flow set applied = applied - 1 where flow_status = 'partly_used'`]],
  ['V4a', [sql`update repay_flow set applied = applied - 1 where flow_status = 'partly_used'`]],
  ['V17', [sql`update overpayment set credited = credited + 1`]],
  ['V6', [sql`insert into ledger_balance values ('payout_in_flight:LCLO000001', 5)`]],
  ['V6a', [sql`insert into ledger_balance values ('payout_exception:X-1', 5)`]],
  ['V22', [sql`update ledger_balance set balance = -1 where account_code = 'bank:FA1'`]],
  [
    'V26',
    [
      sql`alter table loan_code drop constraint loan_code_actual_loan_amount_check, add check (true)`,
      sql`update loan_code set actual_loan_amount = 100.5`,
    ],
  ],
  [
    'V27',
    [
      sql`update journal_line set amount = amount * 2 where journal_no in (select journal_no from journal where posting_code = 'P-REV')`,
    ],
  ],
  ['L11', [journal('P15', 'repay_flow:FLNONE')]],
  ['V2', [journal('P15', 'repay_flow:FLNONE')]],
  ['V15', [sql`update loan_code set loan_code_status = 'failed' where order_no = 'LO000001'`]],
  ['V15a', [sql`update repay_plan set bill_status = 'paid' where bill_status = 'partial'`]],
  ['V15b', [sql`update loan_order set overdue = true where order_status = 'settled'`]],
  ['V3', [sql`update repay_record_line set applied = applied + 1`]],
  ['V3e', [sql`update repay_record set overflow_amount = overflow_amount + 1`]],
  [
    'V7',
    [
      sql`insert into penalty_tick select bill_no, business_date, generation + 5, late_fee, liquidated_damages, journal_no, false from penalty_tick where not reversed`,
    ],
  ],
  ['V7a', [sql`update penalty_tick set late_fee = late_fee + 1 where not reversed`]],
  ['V7b', [sql`update penalty_tick set reversed = not reversed`]],
  [
    'V7c',
    [
      sql`insert into job_run (job, slot, planned_time) values ('day.roll', '2026-03-01', now()), ('day.roll', '2026-03-03', now())`,
    ],
  ],
  [
    'V20',
    [
      sql`alter table customer drop constraint customer_remaining_limit_check`,
      sql`update customer set remaining_limit = -1`,
    ],
  ],
  ['V16a', [sql`update loan_order set order_status = 'cancelled' where order_no = 'LO000001'`]],
  ['V16b', [sql`delete from state_transition where event = 'payout.start'`]],
  ['V16c', [sql`update state_transition set event = 'made.up' where event = 'settle'`]],
  [
    'V5',
    [
      sql`drop index loan_code_open`,
      sql`insert into loan_code select (jsonb_populate_record(lc, '{"loan_code": "LCX"}')).* from loan_code lc where order_no = 'LO000001'`,
    ],
  ],
  [
    'V11',
    [
      sql`insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time) values ('AT1', 'LO000001', 'assigned', 'U1', 1, now())`,
    ],
  ],
  ['V12', [sql`update approval set checker_no = null`]],
  ['V13', [sql`update app_user set user_status = 'frozen'`]],
  ['V8', [brought(0), sql`insert into import_row (import_no, row_no, row_status) values ('IM1', 1, 'valid')`]],
  [
    'V8a',
    [
      brought(1),
      sql`insert into import_row (import_no, row_no, row_status, effect_no) values ('IM1', 1, 'done', 'CF-NONE')`,
    ],
  ],
  ['V9', [sql`update idempotency set idempotency_status = 'in_progress'`]],
  ['V2a', [sql`delete from audit_log`]],
  [
    'V14a',
    [
      sql`insert into upload (upload_no, user_no, upload_status, purpose, file_name, extension, size, sha256, chunk_bytes, file_id, created_time, expire_time)
        values ('UP1', 'U1', 'attached', 'image', 'a.png', 'png', 1, 'x', 1, 'f', now(), now())`,
    ],
  ],
]

describe('the invariants', () => {
  it('are all green on what commands did, and have names of their own', async () => {
    expect(await desk.broken()).toEqual([])
    expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length)
  })

  it.each(breaks)('%s sees what it is there for', async (name, statements) => {
    expect(await redAfter(...statements)).toContain(name)
  })

  it('have a test each', () => {
    expect(breaks.map(([name]) => name).sort()).toEqual(invariants.map(({ name }) => name).sort())
  })
})
