import { sql } from 'kysely'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { phoneBill as calls, type PhoneBillRow } from '../../../../core/contract/operation/phone-bill.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { shownRow } from '../../../lists/listed.ts'
import { attemptRows, journalRows } from '../../after-loan/payout/index.ts'
import { phoneBills } from './phone-bill-source.ts'
import { causeOf, phoneBillSeen } from './phone-bill-store.ts'
import { counted } from './recipients.ts'

type Detail = OutputOf<typeof calls.detail>
type Summary = OutputOf<typeof calls.summary>

/** One airtime: its sends, its journals, and the person's last twelve months. */
export const detail = serve(calls.detail, async ({ tx, session, input: { phoneBillNo } }) => {
  const phoneBill = await shownRow<PhoneBillRow>(phoneBills, { tx, session }, phoneBillNo)
  if (!phoneBill) throw notFound()
  const mine = sql`parent_kind = 'phoneBill' and parent_no = ${phoneBillNo}`
  const yearBefore = `${Number(tx.today.slice(0, 4)) - 1}${tx.today.slice(4, 7)}`
  return {
    phoneBill,
    attempts: await attemptRows(tx, sql`ga.parent_kind = 'phoneBill' and ga.parent_no = ${phoneBillNo}`),
    confirms: await tx.rows(sql<Detail['confirms'][number]>`
      select confirm_no, confirm_status, result, serial_no, first_name, first_time, second_name, second_time
      from loan_code_confirm where ${mine} order by first_time nulls last, confirm_no`),
    history: await tx.rows(sql<Detail['history'][number]>`
      select t.at, t.event, t.from_state as "from", t.to_state as "to", t.machine, coalesce(u.real_name, t.actor) as actor_name
      from state_transition t left join app_user u on u.user_no = t.actor
      where (t.machine = 'M63' and t.object_no = ${phoneBillNo})
        or (t.machine = 'M23' and t.object_no in (select confirm_no from loan_code_confirm where ${mine}))
      order by t.transition_no`),
    journals: await journalRows(
      tx,
      sql`j.cause = ${causeOf(phoneBillNo)} or j.cause in (select 'payout_attempt:' || external_id from gateway_attempt where ${mine})`,
    ),
    past: await tx.rows(sql<Detail['past'][number]>`
      select phone_bill_no, purpose_month, amount, phone_bill_status, finish_time from phone_recharge
      where user_no = ${phoneBill.userNo} and purpose_month > ${yearBefore} and phone_bill_no <> ${phoneBillNo}
      order by purpose_month desc, created_time desc, phone_bill_no limit 100`),
  }
})

const ofMonth = (month: string) => sql`
  from phone_recharge p join app_user u using (user_no) join dept d using (dept_no)
  where p.purpose_month = ${month} and p.phone_bill_status in ${counted}`

/** What a month comes to by department and post, and its people one by one. */
export const summary = serve(calls.summary, async ({ tx, session, input: { month } }) => {
  const from = sql`${ofMonth(month)} and ${phoneBillSeen(session)}`
  const sums = await tx.rows(sql<Summary['sums'][number]>`
    select d.dept_name, p.post, count(distinct p.user_no)::int as headcount, sum(p.amount)::numeric(18,2) as amount,
      coalesce(sum(p.amount) filter (where p.phone_bill_status = 'success'), 0)::numeric(18,2) as success_amount
    ${from} group by d.dept_name, p.post order by d.dept_name, p.post`)
  const lines = await tx.rows(sql<Summary['lines'][number]>`
    select d.dept_name, p.post, u.real_name, u.job_no, p.amount, p.phone_bill_status, p.finish_time
    ${from} order by d.dept_name, u.real_name, p.created_time, p.phone_bill_no limit 5000`)
  return { sums, lines }
})

/** Who got airtime in a month and works here still. */
export const lastList = serve(calls.lastList, async ({ tx, session, input: { purposeMonth } }) => {
  const from = sql`${ofMonth(purposeMonth)} and u.user_status = 'normal' and u.employee_status = 'on_job' and ${phoneBillSeen(session)}`
  return tx.one(sql<OutputOf<typeof calls.lastList>>`
    select coalesce((array_agg(distinct p.user_no))[1:200], '{}') as user_nos,
      mode() within group (order by p.amount)::numeric(18,2) as amount ${from}`)
})
