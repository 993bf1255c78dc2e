import { sql } from 'kysely'
import { auditPersons } from '../../../../core/contract/audit/person.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { formatMoney, gt, type Money } from '../../../../core/rules/amount.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import { servePersonnel } from '../../../personnel/serve-personnel.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { leaseLive, orderScope } from '../../order/order/index.ts'
import { releaseTasksOf } from '../allotment/index.ts'

const { auditPerson } = contract
const { page } = auditPersons.perms

const active = sql`t.auditor_no = u.user_no and t.audit_task_status in ('assigned', 'opened')`
const defaultCapMax = '5000000.00'
const shownDays = 30

/** The highest approval cap that anybody may be given. */
const approvalCapMax = async (tx: Tx): Promise<Money> =>
  (
    await tx.one(sql<{ most: Money }>`
      select coalesce((select (config_value #>> '{}')::numeric(18,2) from business_config where config_key = 'APPROVAL_CAP_MAX'), ${defaultCapMax}::numeric(18,2)) as most`)
  ).most

const persons = servePersonnel(auditPersons, {
  openCount: sql`(select count(*)::int from audit_task t where ${active})`,
  shiftOverride: sql`x.shift_override`,
  source: ({ tx }) => ({
    columns: {
      liveCount: sql`(select count(*)::int from audit_task t where ${active} and coalesce(${leaseLive(tx)}, false))`,
      doneToday: sql`(select count(*)::int from audit_record r where r.auditor_no = u.user_no and r.submit_time >= ${startOfEatDay(tx.today)})`,
    },
  }),
  async check({ tx }, { approvalCap }) {
    const max = await approvalCapMax(tx)
    if (gt(approvalCap as Money, max)) throw invalid('approvalCap', 'errors.approvalCapMax', { max: formatMoney(max) })
  },
  begins: { shiftOverride: 'scheduled', approvalCap: '0.00', auditStepMax: 1 },
  goes: (tx, userNo, actor) => releaseTasksOf(tx, userNo, actor, 'userGone'),
})

const shareOf = (part: number, whole: number) => (whole ? ((part / whole) * 100).toFixed(1) : null)

const work = serve(auditPerson.work, async ({ tx, session, input: { userNo } }) => {
  const known = await tx.maybe(sql`
    select 1 from audit_person x join app_user u using (user_no) where x.user_no = ${userNo} and ${peopleScope(session, page)}`)
  if (!known) throw notFound()
  const since = startOfEatDay(addDays(tx.today, 1 - shownDays))
  const done = await tx.one(sql<
    Record<'done' | 'pass' | 'refuse' | 'sentBack' | 'averageSeconds' | 'paid' | 'late', number>
  >`
    select count(*)::int as done, count(*) filter (where r.audit_result = 'pass')::int as pass, count(*) filter (where r.audit_result = 'refuse')::int as refuse,
      count(*) filter (where r.audit_result = 'sent_back')::int as sent_back, coalesce(round(avg(r.seconds)), 0)::int as average_seconds,
      count(*) filter (where r.audit_result = 'pass' and o.payout_time is not null)::int as paid,
      count(*) filter (where r.audit_result = 'pass' and o.payout_time is not null and o.overdue_days > 0)::int as late
    from audit_record r join loan_order o using (order_no)
    where r.auditor_no = ${userNo} and r.submit_time >= ${since} and ${orderScope(session, page)}`)
  const open = await tx.rows(sql<{
    orderNo: string
    auditTaskStatus: 'assigned' | 'opened'
    auditStep: number
    loanAmount: Money
    allotTime: string
    leaseLive: boolean
  }>`
    select o.order_no, t.audit_task_status, t.audit_step, o.loan_amount, t.allot_time, coalesce(${leaseLive(tx)}, false) as lease_live
    from audit_task t join loan_order o using (order_no)
    where t.auditor_no = ${userNo} and t.audit_task_status in ('assigned', 'opened') and ${orderScope(session, page)} order by t.allot_time, o.order_no limit 200`)
  const { paid, late, ...counts } = done
  return {
    ...counts,
    passShare: shareOf(counts.pass, counts.pass + counts.refuse),
    overdueShare: shareOf(late, paid),
    openTasks: open,
  }
})

/** Who reviews orders, as the audit supervisor keeps them. */
export const auditPersonModule = (): Module => ({ ...persons, served: [...persons.served, work] })
