import { sql } from 'kysely'
import { businessConfigs, type VerifyLimits } from '../../../../core/contract/common/business-config.ts'
import { gte, type Money, mul } from '../../../../core/rules/money.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { tell } from '../../../messages/message.ts'
import type { Scheduled } from '../../../module.ts'
import { businessValue } from '../../common/index.ts'

const hourMs = 3_600_000

/** How many codes may be sent now. */
export const limitsOf = async (tx: Tx): Promise<VerifyLimits> =>
  (await businessValue(tx, 'VERIFY_CODE_LIMITS')) ?? businessConfigs.VERIFY_CODE_LIMITS.plain

const hourAgo = (tx: Tx) => new Date(tx.now.getTime() - hourMs)

/** Until when a phone may be sent more than its hour allows; null where nobody lifted its limit. */
export const liftedUntil = async (tx: Tx, phone: string): Promise<string | null> =>
  (
    await tx.maybe(sql<{ until: string }>`
      select until_time as until from verify_code_lift where phone = ${phone} and until_time > ${tx.now}`)
  )?.until ?? null

/** Who is sent a code: a phone or an address, and the member of staff whose it is. */
export type Receiver = { phone: string | null; email: string | null; userNo: string | null }

type Sent = { count: number; last: string | null; oldest: string | null }

/** Codes of the last hour to a phone or an address, or to a member of staff over whichever. */
export const sentInHour = (tx: Tx, { phone, email, userNo }: Receiver): Promise<Sent> =>
  tx.one(sql<Sent>`
    select count(*)::int as count, max(send_time) as last, min(send_time) as oldest from verify_code
    where send_time > ${hourAgo(tx)} and (phone = ${phone} or email = ${email} or user_no = ${userNo})`)

const secondsUntil = (tx: Tx, time: number) => Math.max(1, Math.ceil((time - tx.now.getTime()) / 1000))
const tooMany = (seconds: number) => new Fault('tooMany', 'errors.tooManyAttempts', { seconds })

/**
 * Why no code is sent now: another one went a moment ago, the hour of the phone or of the address that asks is full. Two who ask at once
 * wait for one another.
 */
export const refusalOf = async (
  tx: Tx,
  to: Receiver,
  { ip, byStaff }: { ip: string | null; byStaff?: boolean | undefined },
): Promise<Fault | null> => {
  const { secondsBetween, perHour, perIpHour } = await limitsOf(tx)
  for (const one of [to.userNo, to.phone ?? to.email, ip].filter(Boolean))
    await tx.exec(sql`select pg_advisory_xact_lock(hashtext(${`verify code ${one}`}))`)
  const { count, last, oldest } = await sentInHour(tx, to)
  const free = last === null ? 0 : Date.parse(last) + secondsBetween * 1000
  if (free > tx.now.getTime() && !byStaff) return tooMany(secondsUntil(tx, free))
  if (count >= perHour && oldest && !(to.phone && (await liftedUntil(tx, to.phone))))
    return tooMany(secondsUntil(tx, Date.parse(oldest) + hourMs))
  if (ip === null || byStaff) return null
  const there = await tx.one(sql<Sent>`
    select count(*)::int as count, null as last, min(send_time) as oldest from verify_code where send_time > ${hourAgo(tx)} and ip = ${ip}`)
  return there.count >= perIpHour && there.oldest ? tooMany(secondsUntil(tx, Date.parse(there.oldest) + hourMs)) : null
}

/** What the texts with codes of the business date cost until now, as vendors said. */
export const spentToday = async (tx: Tx): Promise<Money> =>
  (
    await tx.one(sql<{ cost: Money }>`
      select coalesce(sum(cost), 0)::numeric(18,2) as cost from message
      where object_type = 'verifyCode' and created_time >= ${startOfEatDay(tx.today)}`)
  ).cost

/** Whether the budget of the day is used up: customers who register wait then, everybody else is still sent codes. */
export const isSpent = async (tx: Tx): Promise<boolean> => gte(await spentToday(tx), (await limitsOf(tx)).dailyBudget)

const alertShare = '0.8'
const limitsPerm = businessConfigs.VERIFY_CODE_LIMITS.save

/** Tells those who set the limits once a day that four fifths of the budget are used. */
export const budgetWatch: Scheduled = {
  job: 'verifyCode.budget',
  every: { seconds: 300 },
  run: async tx => {
    const { dailyBudget } = await limitsOf(tx)
    const spent = await spentToday(tx)
    if (!gte(spent, mul(dailyBudget, alertShare, { unit: '0.01', mode: 'half_up' }))) return { informed: 0 }
    const holders = await tx.rows(sql<{ userNo: string }>`
      select distinct u.user_no from menu m join role_menu rm using (menu_no) join user_role ur using (role_no) join app_user u using (user_no)
      where m.perms = ${limitsPerm} and m.gone_time is null and u.user_status = 'normal' and u.employee_status = 'on_job'
        and not exists (select 1 from staff_message s where s.user_no = u.user_no and s.object_type = 'codeBudget' and s.object_no = ${tx.today})
      order by u.user_no`)
    for (const { userNo } of holders)
      tell(tx, {
        to: userNo,
        messageType: 'warning',
        template: 'codeBudget',
        params: { spent, budget: dailyBudget },
        objectType: 'codeBudget',
        objectNo: tx.today,
        route: '/AdminContent/OperationSystem/VerificationCodeManagement',
      })
    return { informed: holders.length }
  },
}
