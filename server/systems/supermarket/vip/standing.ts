import { type RawBuilder, sql } from 'kysely'
import type { Standing, VipLevel } from '../../../../core/rules/market/vip.ts'
import { earnedLevel } from '../../../../core/rules/market/vip.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../rights/actor.ts'

type Frag = RawBuilder<unknown>
export type VipReason = 'earned' | 'month_review' | 'manual'
/** What a customer has done, with the level they have and the day until which that was set by hand. */
export type Measured = Standing & { customerNo: string; memberLevel: string; vipUntil: string | null }

/** What customer `c` has done, by the measures of levels; the bills of orders that were paid out count. */
export const standingColumns = (tx: Tx): Record<keyof Standing, Frag> => ({
  settledCount: sql`(select count(*)::int from loan_order o where o.customer_no = c.customer_no and o.settled_time is not null)`,
  repaidAmount: sql`(select coalesce(sum(r.amount - r.overflow_amount), 0)::numeric(18,2) from repay_record r join loan_order o using (order_no)
    where o.customer_no = c.customer_no and r.record_status = 'posted')`,
  onTimeShare: sql`(select coalesce(round(100.0 * count(*) filter (where b.settled_date <= b.due_date) / nullif(count(*), 0), 2), 0)::numeric(5,2)
    from repay_plan b join loan_order o using (order_no) where o.customer_no = c.customer_no and b.settled_date is not null)`,
  maxOverdueDays: sql`(select coalesce(max(least(365, coalesce(b.settled_date, ${tx.today}::date) - b.due_date)), 0)::int from repay_plan b join loan_order o using (order_no)
    where o.customer_no = c.customer_no and b.due_date < coalesce(b.settled_date, ${tx.today}::date) and coalesce(b.settled_date, ${tx.today}::date) >= ${tx.today}::date - 180
      and b.bill_status not in ('extended', 'cancelled'))`,
  memberDays: sql`least(3650, ${tx.today}::date - (c.register_time at time zone 'Africa/Kampala')::date)`,
})

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Customers `c` with what they have done. */
export const measured = (tx: Tx, where: Frag): Promise<Measured[]> =>
  tx.rows(sql<Measured>`
    select c.customer_no, c.member_level, v.vip_until, ${sql.join(Object.entries(standingColumns(tx)).map(([name, value]) => sql`${value} as ${sql.ref(snake(name))}`))}
    from customer c left join customer_vip v on v.customer_no = c.customer_no where ${where}`)

/** The levels in force. */
export const levelsInForce = async (tx: Tx): Promise<VipLevel[]> => {
  const row = await tx.maybe(sql<{ levels: VipLevel[] }>`
    select v.content -> 'levels' as levels from vip_ladder x join vip_ladder_version v on v.ladder_no = x.ladder_no and v.version_status = 'effective'
    where x.deleted_time is null limit 1`)
  return row?.levels ?? []
}

/** Gives a customer a level, with a line of how they came by it. */
export const putLevel = async (
  tx: Tx,
  of: { customerNo: string; memberLevel: string },
  to: string,
  { reason, until = null }: { reason: VipReason; until?: string | null },
  actor: Actor,
): Promise<void> => {
  await tx.exec(
    sql`update customer set member_level = ${to}, version = version + 1 where customer_no = ${of.customerNo}`,
  )
  await tx.exec(sql`
    insert into customer_vip (customer_no, vip_since, vip_reason, vip_until) values (${of.customerNo}, ${tx.now}, ${reason}, ${until})
    on conflict (customer_no) do update set vip_since = excluded.vip_since, vip_reason = excluded.vip_reason, vip_until = excluded.vip_until, version = customer_vip.version + 1`)
  await tx.exec(sql`
    insert into vip_change (customer_no, from_level, to_level, vip_reason, changed_by, changed_time)
    values (${of.customerNo}, ${of.memberLevel}, ${to}, ${reason}, ${actor.no}, ${tx.now})`)
}

/** Moves customers to what they have earned: up at any time, down at the review of a month alone; what was set by hand stays until its day. */
export const review = async (
  tx: Tx,
  customers: readonly Measured[],
  { levels, down, date }: { levels: readonly VipLevel[]; down: boolean; date: string },
  actor: Actor,
): Promise<{ up: number; down: number }> => {
  const moved = { up: 0, down: 0 }
  for (const one of customers) {
    if (one.vipUntil !== null && one.vipUntil >= date) continue
    const to = earnedLevel(levels, one)
    if (to > one.memberLevel) {
      moved.up++
      await putLevel(tx, one, to, { reason: 'earned' }, actor)
    } else if (to < one.memberLevel && down) {
      moved.down++
      await putLevel(tx, one, to, { reason: 'month_review' }, actor)
    }
  }
  return moved
}
