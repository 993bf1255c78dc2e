import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Scheduled } from '../../../module.ts'

/** Counts what became of the texts of tasks: one statement, however many there are. */
export const refreshCounts = async (tx: Tx, taskNos: readonly string[]): Promise<void> => {
  if (taskNos.length === 0) return
  const changed = await tx.exec(sql`
    update sms_task t set handled_count = s.handled, accepted_count = s.accepted, refused_count = s.refused, delivered_count = s.delivered,
      failed_count = s.failed, unknown_count = s.unknown, blocked_count = s.blocked + s.left_out, cancelled_count = s.cancelled,
      segments_total = s.segments, cost_actual = s.cost
    from (
      select k.task_no, m.*, r.left_out,
        m.withdrawn + case when k.sms_task_status in ('partial', 'cancelled') then r.waiting else 0 end as cancelled
      from sms_task k cross join lateral (
        select (count(*) filter (where m.message_status <> 'queued'))::int as handled, (count(*) filter (where m.vendor_ref is not null))::int as accepted,
          (count(*) filter (where m.message_status = 'failed' and m.vendor_ref is null))::int as refused,
          (count(*) filter (where m.message_status = 'delivered'))::int as delivered, (count(*) filter (where m.message_status = 'failed'))::int as failed,
          (count(*) filter (where m.message_status = 'unknown'))::int as unknown, (count(*) filter (where m.message_status = 'blocked'))::int as blocked,
          (count(*) filter (where m.message_status = 'cancelled'))::int as withdrawn,
          coalesce(sum(m.segments) filter (where m.vendor_ref is not null), 0)::int as segments, sum(m.cost)::numeric(18,2) as cost
        from message m where m.object_type = 'sms_task' and m.object_no = k.task_no) m
      cross join lateral (
        select (count(*) filter (where r.block_reason is not null))::int as left_out, (count(*) filter (where r.taken_time is null))::int as waiting
        from sms_task_recipient r where r.task_no = k.task_no) r
      where k.task_no = any(${[...taskNos]})) s
    where t.task_no = s.task_no and (t.handled_count, t.accepted_count, t.refused_count, t.delivered_count, t.failed_count, t.unknown_count, t.blocked_count,
      t.cancelled_count, t.segments_total, t.cost_actual) is distinct from (s.handled, s.accepted, s.refused, s.delivered, s.failed, s.unknown,
      s.blocked + s.left_out, s.cancelled, s.segments, s.cost)`)
  if (changed > 0) tx.moved('smsTask')
}

/** Reports come for two days after the last text. */
const reportedHours = 49

/** Reports that came in since. */
export const countsJob: Scheduled = {
  job: 'marketing.counts',
  every: { seconds: 60 },
  async run(tx) {
    const since = new Date(tx.now.getTime() - reportedHours * 3_600_000)
    const open = await tx.rows(sql<{ taskNo: string }>`
      select task_no from sms_task where sms_task_status = 'sending' or ended_time > ${since} order by task_no`)
    await refreshCounts(
      tx,
      open.map(({ taskNo }) => taskNo),
    )
    return { tasks: open.length }
  },
}

/** How long after its delivery what a customer does counts for a text. */
const days = 7
const lookBack = (tx: Tx) => new Date(tx.now.getTime() - (2 * days + 3) * 86_400_000)

/** Orders and opt-outs after the last text before them, by its task. */
const after = (tx: Tx) => sql`
  with applied as (
    select distinct on (o.order_no) m.object_no as task_no from loan_order o join message m on m.customer_no = o.customer_no and m.object_type = 'sms_task'
      and m.deliver_time <= o.apply_time and o.apply_time < m.deliver_time + make_interval(days => ${days})
    where o.apply_time > ${lookBack(tx)} order by o.order_no, m.deliver_time desc),
  paid as (
    select distinct on (o.order_no) m.object_no as task_no, o.loan_amount as amount from loan_order o
      join message m on m.customer_no = o.customer_no and m.object_type = 'sms_task'
      and m.deliver_time <= o.payout_time and o.payout_time < m.deliver_time + make_interval(days => ${days})
    where o.payout_time > ${lookBack(tx)} order by o.order_no, m.deliver_time desc),
  stopped as (
    select distinct on (b.phone) m.object_no as task_no from contact_block b join message m on m.recipient = b.phone and m.contact_kind = 'marketing'
      and m.object_type = 'sms_task' and m.send_time <= b.created_time and b.created_time < m.send_time + make_interval(days => ${days})
    where b.block_reason = 'asked_to_stop' and b.book = 'contact' and b.created_time > ${lookBack(tx)} order by b.phone, m.send_time desc)`

/** What customers did within a week of a text, by the last text before it: a count, and no claim that the text was the cause. */
export const attribute = (tx: Tx): Promise<number> =>
  tx.exec(sql`
    ${after(tx)}
    update sms_task t set applied_count = s.applied, paid_out_count = s.paid, paid_out_amount = s.amount, opt_out_count = s.stopped
    from (
      select k.task_no, (select count(*)::int from applied a where a.task_no = k.task_no) as applied,
        (select count(*)::int from paid p where p.task_no = k.task_no) as paid,
        (select coalesce(sum(p.amount), 0)::numeric(18,2) from paid p where p.task_no = k.task_no) as amount,
        (select count(*)::int from stopped x where x.task_no = k.task_no) as stopped
      from sms_task k where k.started_time > ${new Date(tx.now.getTime() - (days + 3) * 86_400_000)}) s
    where t.task_no = s.task_no and (t.applied_count, t.paid_out_count, t.paid_out_amount, t.opt_out_count) is distinct from (s.applied, s.paid, s.amount, s.stopped)`)

export const attributionJob: Scheduled = {
  job: 'marketing.attribution',
  every: { dailyAt: '03:00' },
  run: async tx => ({ tasks: await attribute(tx) }),
}
