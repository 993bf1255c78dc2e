import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { openFloor } from '../server/testing/review-floor.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { seconds, watched } from './measured.ts'
import { fill } from './million-fill.ts'

/** Many waiting orders are handed to auditors by the clock until their queues are full: how long it takes, and how many times as long as the bare statements for the same rows. */
const { values: given } = parseArgs({
  options: {
    orders: { type: 'string', default: '200000' },
    auditors: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
})
const [orders, auditors, rounds] = [Number(given.orders), Number(given.auditors), Number(given.rounds)]
const queueCap = 200
const limit = 3
const now = '2026-03-02T07:00:00Z'
const merchants = ['M1', 'M2', 'M3', 'M4', 'M5', 'M6']

const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed')
const floor = await openFloor(url, now)
const client = new pg.Client(url)
await client.connect()
await fill(client, orders, now, `'to_be_allocated'`)
for (let n = 0; n < auditors; n++) await floor.auditor({ auto: true, queueCap, merchants })
await floor.exec(
  sql`insert into business_config (config_key, config_value) values ('AUDIT_AUTO_ALLOT', '{"enabled": true}')`,
)

/** What was handed out is decided, so that the queues are empty again. */
const emptied = async () => {
  await client.query(`
    update audit_task set audit_task_status = case when set_config('app.transition', 'on', true) = 'on' then 'submitted' end where audit_task_status = 'assigned'`)
  await client.query('vacuum analyze loan_order, audit_task, state_transition, audit_log, staff_message')
}

/** The same rows by plain statements: the oldest orders to all auditors in turn, in one transaction. */
const bare = async () => {
  const most = auditors * queueCap
  await client.query('begin')
  await client.query(`
    create temporary table hand on commit drop as
    select o.order_no, o.audit_step, o.loan_amount, 'AT' || o.order_no || '-' || txid_current() as audit_task_no, a.user_no as auditor_no
    from (select order_no, audit_step, loan_amount, row_number() over (order by status_time, order_no) as n from (
        select order_no, audit_step, loan_amount, status_time from loan_order where order_status = 'to_be_allocated' order by status_time, order_no limit ${most} for update) w) o
    join (select user_no, row_number() over (order by user_no) - 1 as at from audit_person) a on a.at = o.n % ${auditors}`)
  await client.query(
    `
    update loan_order o set order_status = case when set_config('app.transition', 'on', true) = 'on' then 'pending_review' end, version = o.version + 1, auditor_no = hand.auditor_no, status_time = $1
    from hand where o.order_no = hand.order_no`,
    [now],
  )
  await client.query(
    `
    insert into audit_task (audit_task_no, order_no, audit_task_status, auditor_no, audit_step, allot_time, version)
    select audit_task_no, order_no, 'assigned', auditor_no, audit_step, $1, 0 from hand`,
    [now],
  )
  await client.query(
    `
    insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at, payload)
    select 'M10', order_no, 'allot', 'to_be_allocated', 'pending_review', 'system', 'bare', $1::timestamptz, jsonb_build_object('auditorNo', auditor_no, 'auditTaskNo', audit_task_no, 'auditStep', audit_step) from hand
    union all
    select 'M11', audit_task_no, 'task.assign', '∅', 'assigned', 'system', 'bare', $1::timestamptz, jsonb_build_object('orderNo', order_no, 'auditorNo', auditor_no) from hand`,
    [now],
  )
  await client.query(
    `
    insert into audit_log (action, object_type, object_no, order_no, actor, actor_name, at, request_id, before, after)
    select 'order.autoAllot', 'order', order_no, order_no, 'system', 'system', $1, 'bare', '{"orderStatus": "to_be_allocated", "auditorNo": null}',
      jsonb_build_object('orderStatus', 'pending_review', 'auditorNo', auditor_no) from hand`,
    [now],
  )
  await client.query(
    `
    insert into staff_message (staff_message_no, user_no, message_type, template, params, object_type, object_no, route, created_time)
    select 'SM' || audit_task_no, auditor_no, 'allocation', 'allotted', jsonb_build_object('orderNo', order_no, 'amount', loan_amount), 'order', order_no,
      '/AdminContent/OrderDetailAudit/OrderDetail?orderNo=' || order_no, $1 from hand`,
    [now],
  )
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from hand')
  await client.query('commit')
  return rows[0]?.n ?? 0
}

const served = async () => {
  let all = 0
  let turns = 0
  for (let allotted = 1; allotted > 0; turns++) {
    allotted = Number(((await floor.run('audit.autoAllot')) as { allotted: number }).allotted)
    all += allotted
  }
  return { all, turns }
}

await emptied()
const ratios: number[] = []
let rss = 0
for (let round = 0; round <= rounds; round++) {
  let done = { all: 0, turns: 0 }
  let took = 0
  rss = Math.max(
    rss,
    await watched(async () => {
      took = await seconds(async () => void (done = await served()))
    }),
  )
  const { most } = await floor.one(sql<{ most: number }>`
    select max(n)::int as most from (select count(*) as n from audit_task where audit_task_status = 'assigned' group by auditor_no) held`)
  if (done.all !== auditors * queueCap || most > queueCap)
    throw new Error(`${done.all} handed out, at most ${most} to one`)
  await emptied()
  let rows = 0
  const plain = await seconds(async () => void (rows = await bare()))
  if (rows !== done.all) throw new Error('the bare statements did not do the same')
  await emptied()
  const line = `${done.all} of ${orders} orders to ${auditors} auditors in ${done.turns} turns: ${took.toFixed(2)} s served, ${plain.toFixed(2)} s bare: ${(took / plain).toFixed(2)} ×`
  console.log(round ? line : `warm-up: ${line}`)
  if (round) ratios.push(took / plain)
}
ratios.sort((a, b) => a - b)
const middle = ratios[ratios.length >> 1] ?? 0
console.log(
  `median ${middle.toFixed(2)} ×, limit ${limit}, +${rss.toFixed(0)} MB RSS: ${middle <= limit ? 'within' : 'OVER'}`,
)
await client.end()
await floor.close()
process.exitCode = middle <= limit ? 0 : 1
