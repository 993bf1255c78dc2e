import { type RawBuilder, sql } from 'kysely'
import { phoneBill as calls } from '../../../../core/contract/operation/phone-bill.ts'
import { numbersOf, oneOf } from '../../../lists/list.ts'
import { listed } from '../../../lists/listed.ts'
import { deptsIn } from '../../../rights/dept-scope.ts'
import { confirmAfterMinutes } from '../../charge/send/index.ts'
import { minutesSince } from '../../order/order/index.ts'
import { payingAccount } from './paying.ts'
import { phoneBillBlocks } from './phone-bill-blocks.ts'
import { phoneBillSeen } from './phone-bill-store.ts'
import { counted } from './recipients.ts'

type Frag = RawBuilder<unknown>

const months = (column: Frag, [from, to]: readonly [string | null, string | null]): Frag | null => {
  const parts = [
    ...(from ? [sql`${column} >= ${from.slice(0, 7)}`] : []),
    ...(to ? [sql`${column} <= ${to.slice(0, 7)}`] : []),
  ]
  return parts.length ? sql.join(parts, sql` and `) : null
}

const toPay = sql`p.phone_bill_status in ('pending', 'failed')`

/** Airtime of the people whom a person sees. */
export const phoneBills = listed({
  list: calls.page,
  source: ({ tx, session }) => {
    const forFinance = sql`coalesce(p.phone_bill_status = 'paying' and ga.attempt_status = 'unknown'
      and coalesce(ga.unknown_since, ga.sent_time) <= ${new Date(tx.now.getTime() - confirmAfterMinutes * 60_000)}, false)`
    // Accounts of ours are for those who pay from them.
    const paysFrom = session.perms.has(calls.approve.perm as string)
    const phoneDiffers = sql`(p.phone is distinct from u.phone)`
    return {
      from: sql`phone_recharge p join app_user u on u.user_no = p.user_no`,
      alias: 'p',
      key: sql`p.phone_bill_no`,
      where: phoneBillSeen(session),
      joins: {
        d: sql`join dept d on d.dept_no = u.dept_no`,
        ga: sql`left join gateway_attempt ga on ga.parent_kind = 'phoneBill' and ga.parent_no = p.phone_bill_no and ga.attempt_no = p.attempt_no`,
        fa: sql`left join ${payingAccount} fa on ${toPay}`,
      },
      columns: {
        realName: sql`u.real_name`,
        jobNo: sql`u.job_no`,
        deptName: sql`d.dept_name`,
        deptNo: sql`u.dept_no`,
        phoneDiffers,
        monthUsed: sql`(select coalesce(sum(x.amount), 0)::numeric(18,2) from phone_recharge x
          where x.user_no = p.user_no and x.purpose_month = p.purpose_month and x.phone_bill_status in ${counted})`,
        // A cap that was changed since holds for what is still to be paid.
        monthCap: sql`case when ${toPay} then coalesce((
          select (c.config_value ->> p.post)::numeric(18,2) from business_config c where c.config_key = 'PHONE_BILL_CAPS'), p.month_cap) else p.month_cap end`,
        attemptStatus: sql`ga.attempt_status`,
        runningMinutes: sql`case when p.phone_bill_status = 'paying' then ${minutesSince(tx, sql`coalesce(ga.sent_time, p.audit_time)`)} end`,
        forFinance,
        payingAccount: paysFrom ? sql`fa.account_name` : sql`null::text`,
        payingBalance: paysFrom ? sql`fa.balance` : sql`null::numeric(18,2)`,
      },
      filters: {
        phoneBillNo: (text: string) => oneOf(sql`p.phone_bill_no`, numbersOf(text)),
        purposeMonth: range => months(sql`p.purpose_month`, range),
        deptNo: (deptNo: string) => sql`u.dept_no in ${deptsIn(deptNo)}`,
        jobNo: (text: string) => sql`lower(u.job_no) = lower(${text.trim()})`,
        forFinance: (is: boolean) => sql`${forFinance} = ${is}`,
        phoneDiffers: (is: boolean) => sql`${phoneDiffers} = ${is}`,
      },
    }
  },
  blocked: phoneBillBlocks,
})
