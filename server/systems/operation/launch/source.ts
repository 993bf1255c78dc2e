import { type RawBuilder, sql } from 'kysely'
import { fewBills, launch } from '../../../../core/contract/operation/launch.ts'
import { addDays, type DateRange, daysOf, type EatDate } from '../../../../core/rules/time.ts'
import type { Source } from '../../../lists/list.ts'
import type { Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import type { WarningRule } from '../../../warnings/rule.ts'
import { registeredToday, standingOf, usedToday } from './standing.ts'

const perm = launch.page.perm as string

/** Channels of the merchants that a person sees. */
export const seenBy = (session: Session): RawBuilder<unknown> =>
  scope(session, { merchant: 'x.merchant_no', holder: () => sql`true`, perm })

const summed = [
  'click_count',
  'register_count',
  'incoming_count',
  'pass_count',
  'paid_out_count',
  'first_due_count',
  'first_bad_count',
  'first_paid_count',
] as const

/** Sums of some days, of the rows that `s` has. */
export const sums = sql`${sql.join(
  summed.map(name => sql`coalesce(sum(s.${sql.ref(name)}), 0)::int as ${sql.ref(name)}`),
)}, coalesce(sum(s.payout_amount), 0)::numeric(18,2) as payout_amount, coalesce(sum(s.cost_amount), 0)::numeric(18,2) as cost_amount`

/** What a payout of `of` cost; null without one. */
export const perPayout = (of: string) =>
  sql`(${sql.ref(`${of}.cost_amount`)} / nullif(${sql.ref(`${of}.paid_out_count`)}, 0))::numeric(18,2)`

const joinSums = (alias: string, from: string | null, to: string | null) => sql`left join lateral (
  select ${sums} from channel_stat_daily s where s.channel_no = x.channel_no and s.stat_date >= coalesce(${from}::date, '-infinity') and s.stat_date <= coalesce(${to}::date, 'infinity')
) ${sql.ref(alias)} on true`

/** Yesterday and the seven days before it. */
const compared = (today: EatDate) => ({
  y: joinSums('y', addDays(today, -1), addDays(today, -1)),
  b: joinSums('b', addDays(today, -8), addDays(today, -2)),
})
const isDoubled = sql`coalesce(${perPayout('y')} >= 2 * nullif(${perPayout('b')}, 0), false)`

/** A payout by a channel cost twice as much yesterday as in the seven days before. */
export const costDoubled: WarningRule = {
  type: 'launch_cost_doubled',
  level: 'warning',
  find: async tx =>
    (
      await tx.rows(sql<{ channelNo: string; channelName: string; merchantNo: string }>`
        select x.channel_no, x.channel_name, x.merchant_no from promotion_channel x ${sql.join(Object.values(compared(tx.today)), sql` `)}
        where x.deleted_time is null and x.enabled = 'enabled' and ${isDoubled} order by 1`)
    ).map(({ channelNo, channelName, merchantNo }) => ({
      ...{ key: channelNo, merchantNo, objectType: 'promotion_channel' },
      affected: [{ objectNo: channelNo, route: null }],
      facts: { name: channelName },
    })),
}

/** Channels with their numbers of the period that is asked for. */
export const channelSource = ({ tx, session, filters }: Reader): Partial<Source> => {
  const [from, to] = daysOf((filters?.statTime ?? 'last7') as DateRange, tx.now)
  const numbers = [
    'click_count',
    'register_count',
    'incoming_count',
    'pass_count',
    'paid_out_count',
    'payout_amount',
    'first_paid_count',
    'cost_amount',
  ]
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return {
    where: seenBy(session),
    joins: {
      m: sql`left join merchant m on m.merchant_no = x.merchant_no`,
      owner: sql`left join app_user owner on owner.user_no = x.owner_user_no`,
      n: joinSums('n', from, to),
      w: joinSums('w', addDays(tx.today, -6), tx.today),
      ...compared(tx.today),
    },
    columns: {
      merchantName: sql`m.merchant_name`,
      ownerName: sql`owner.real_name`,
      linkStanding: standingOf(tx),
      ...Object.fromEntries(numbers.map(name => [camel(name), sql.ref(`n.${name}`)])),
      costPerPayout: perPayout('n'),
      firstDueBadRate: sql`(case when n.first_due_count >= ${fewBills}::int then trim_scale(round(100.0 * n.first_bad_count / n.first_due_count, 2))::text end)`,
      todayRegister: registeredToday(tx),
      usedToday: usedToday(tx),
      weekRegister: sql`w.register_count`,
      weekCost: sql`w.cost_amount`,
      deadPostbacks: sql`(select count(*)::int from channel_postback p where p.channel_no = x.channel_no and p.delivery = 'dead')`,
      costDoubled: isDoubled,
      hostAgreed: sql`(x.postback_host is null or x.enabled = 'enabled' or x.postback_host is not distinct from x.agreed_host)`,
    },
    order: {
      firstDueBadRate: sql`(case when n.first_due_count >= ${fewBills}::int then n.first_bad_count::numeric / n.first_due_count end)`,
    },
    filters: {
      statTime: () => null,
      channelName: (text: string) => sql`strpos(lower(x.channel_name), lower(${text.trim()})) > 0`,
      promotionChannel: (code: string) => sql`lower(x.promotion_channel) = lower(${code})`,
    } as never,
  }
}
