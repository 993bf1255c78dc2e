import { sql } from 'kysely'
import { endpoints } from '../../core/contract/contract.ts'
import { results } from '../../core/contract/endpoint.ts'
import { invariant } from './check.ts'
import { type Machine, machineTables } from './machine-tables.ts'

const holders = (m: Machine) => sql`
  select ${m.id}::text as machine, ${sql.ref(m.key)}::text as object_no, ${sql.ref(m.status)}::text as status from ${sql.table(m.table)}
  where ${m.part ? sql`${sql.ref(m.part.column)} = ${m.part.value}` : sql`true`}`

const steps = machineTables.flatMap(m =>
  m.steps.map(step => sql`(${m.id}::text, ${step.from}::text, ${step.event}::text, ${step.to}::text)`),
)
const ids = machineTables.map(m => m.id)
const rowByRow = endpoints.filter(one => one.endpoint.output === results).map(one => one.endpoint.path)

/** Rules of states: the state of a row is where its history led. */
export const stateInvariants = [
  invariant(
    'V16a',
    'a status is where the last event led',
    sql`
    with held as (${sql.join(machineTables.map(holders), sql` union all `)}),
    last as (select distinct on (machine, object_no) machine, object_no, to_state from state_transition where machine = any(${ids}) order by machine, object_no, transition_no desc)
    select coalesce(h.machine, l.machine) as machine, coalesce(h.object_no, l.object_no) as object_no, h.status, l.to_state
    from held h full join last l using (machine, object_no) where h.status is distinct from l.to_state`,
  ),
  invariant(
    'V16b',
    'events follow one another without a gap',
    sql`
    select machine, object_no, event, from_state, before from (
      select machine, object_no, event, from_state, coalesce(lag(to_state) over (partition by machine, object_no order by transition_no), '∅') as before
      from state_transition where machine = any(${ids})) chain
    where from_state <> before`,
  ),
  invariant(
    'V16c',
    'every event is one that its machine has',
    sql`
    with steps (machine, from_state, event, to_state) as (values ${sql.join(steps)})
    select t.machine, t.event, t.from_state, t.to_state, min(t.object_no) as object_no
    from (select machine, event, from_state, to_state, min(object_no) as object_no from state_transition where machine = any(${ids}) group by 1, 2, 3, 4) t
    where not exists (
      select 1 from steps s where s.machine = t.machine and s.from_state = t.from_state and s.event = t.event and coalesce(s.to_state, t.to_state) = t.to_state)
    group by 1, 2, 3, 4`,
  ),
  invariant(
    'V5',
    'an order has at most one open loan code, a code at most one running send',
    sql`
    select 'loan_code' as kind, order_no as number, count(*) from loan_code
    where loan_code_status in ('created', 'remitting', 'unknown', 'success', 'reversing') group by order_no having count(*) > 1
    union all
    select 'gateway_attempt', parent_no, count(*) from gateway_attempt where attempt_status in ('prepared', 'sent', 'unknown') group by parent_kind, parent_no having count(*) > 1
    union all
    select 'loan_code_confirm', parent_no, count(*) from loan_code_confirm where confirm_status in ('unconfirmed', 'first_confirmed') group by parent_kind, parent_no having count(*) > 1`,
  ),
  invariant(
    'V11',
    'an order has at most one audit task in hand, and only while it is under review',
    sql`
    select t.order_no, o.order_status, count(*) from audit_task t join loan_order o using (order_no)
    where t.audit_task_status in ('assigned', 'opened') group by t.order_no, o.order_status having count(*) > 1 or o.order_status <> 'pending_review'`,
  ),
  invariant(
    'V11a',
    'a review that was submitted has one result, and an order is refused once, and once more for each time that it came back',
    sql`
    select t.order_no, t.audit_task_no, count(r.audit_record_no) as results from audit_task t left join audit_record r using (audit_task_no)
    group by t.order_no, t.audit_task_no, t.audit_task_status having count(r.audit_record_no) <> case when t.audit_task_status = 'submitted' then 1 else 0 end
    union all
    select order_no, min(audit_record_no), count(*) from audit_record r where audit_result = 'refuse' group by order_no
      having count(*) > 1 + (select count(*) from state_transition t where t.machine = 'M10' and t.object_no = r.order_no and t.event in ('reReview.apply', 'retrieval.retrieve'))`,
  ),
  invariant(
    'V10',
    'no message waits for more than a quarter of an hour without having been tried',
    sql`
    select outbox_no, topic, outbox_status, due_time from outbox
    where outbox_status in ('waiting', 'leased') and coalesce(lease_until, due_time) < (select max(at) from state_transition) - interval '15 minutes'`,
  ),
  invariant(
    'V12',
    'what needs two people was done by two',
    sql`
    select approval_no as number, approval_status as status, maker_no as first, checker_no as second from approval
    where checker_no = maker_no or (approval_status in ('approved', 'executed', 'failed', 'rejected') and checker_no is null)
    union all
    select confirm_no, confirm_status, first_by, second_by from loan_code_confirm
    where second_by = first_by or (confirm_status = 'confirmed' and (first_by is null or second_by is null))`,
  ),
  invariant(
    'V13',
    'nobody who left or was frozen has a session, or a token of a partner’s page',
    sql`
    select s.session_no, u.user_no, u.user_status, u.employee_status from session s join app_user u using (user_no)
    where s.ended_time is null and (u.user_status <> 'normal' or u.employee_status <> 'on_job')
    union all
    select t.embed_token_no, u.user_no, u.user_status, u.employee_status from embed_token t join app_user u using (user_no)
    where t.embed_token_status = 'active' and (u.user_status <> 'normal' or u.employee_status <> 'on_job')`,
  ),
  invariant(
    'V9',
    'every key that was taken has its answer; a command that does its rows one by one may have been broken off, and goes on when it is sent again',
    sql`
    select caller, idempotency_key, idempotency_status from idempotency
    where (idempotency_status <> 'finished' or answer is null)
      and not (idempotency_status = 'in_progress' and answer is null and endpoint = any(${rowByRow}) and idempotency_key not like '%#%')`,
  ),
  invariant(
    'V2a',
    'what a person changed is in the audit log',
    sql`
    select distinct t.request_id, t.actor, t.machine, t.event from state_transition t join app_user u on u.user_no = t.actor
    where t.event not in ('draft.save', 'task.heartbeat', 'upload.token', 'upload.chunk')
      and not exists (select 1 from audit_log a where a.request_id = t.request_id)`,
  ),
]
