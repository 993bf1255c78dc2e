import { type RawBuilder, sql } from 'kysely'
import { merchantConfigs } from '../../../../core/contract/merchant/merchant-config.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { Reader } from '../../../lists/listed.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { walletJoin } from '../consumption/index.ts'

type Frag = RawBuilder<unknown>
/** Who may open the screen. */
export const configPage = merchantConfigs.codes.page
/** A share of callbacks below this many of a hundred is marked. */
const healthyPercent = 95

/** Merchants whose configuration a person sees; `column` names the merchant. */
export const seenBy = (session: Session, column = 'x.merchant_no'): Frag =>
  scope(session, { merchant: column, holder: () => sql`true`, perm: configPage })

/** Whole days until a wallet `w` is empty. */
export const daysLeft = sql`(case when w.per_day > 0 then greatest(floor(w.available / w.per_day), 0)::int end)`

const standing = sql`(case when w.available <= x.credit_floor then 'at_floor' when w.available < x.low_balance then 'low' else 'fine' end)`

const keys = sql`left join lateral (
  select count(*)::int as n, max(k.created_time) as set_time from merchant_credential k where k.merchant_no = x.merchant_no and k.ended_time is null) k on true`

const callbacks = ({ now }: Pick<Tx, 'now'>) => sql`left join lateral (
  select round(100.0 * count(*) filter (where b.delivery = 'delivered') / nullif(count(*) filter (where b.delivery <> 'waiting' or b.tries > 0), 0))::int as health
  from merchant_callback b where b.merchant_no = x.merchant_no and b.created_time >= ${new Date(now.getTime() - 86_400_000)}) h on true`

const health: Readonly<Record<string, Frag>> = {
  fine: sql`h.health >= ${healthyPercent}`,
  failing: sql`h.health < ${healthyPercent}`,
  silent: sql`h.health is null`,
}

/** What the list reads of a merchant's configuration. */
export const configSource = ({ tx, session }: Reader) => ({
  where: seenBy(session),
  joins: {
    m: sql`join merchant m on m.merchant_no = x.merchant_no`,
    o: sql`join org o on o.org_no = m.org_no`,
    w: walletJoin(tx, sql`x.merchant_no`),
    k: keys,
    h: callbacks(tx),
  },
  columns: {
    merchantName: sql`m.merchant_name`,
    orgName: sql`o.org_name`,
    walletBalance: sql`w.balance`,
    accruedToday: sql`w.accrued`,
    availableBalance: sql`w.available`,
    balanceState: standing,
    daysLeft,
    contractLeft: sql`(x.contract_end - ${tx.today}::date)`,
    apiKeySetTime: sql`k.set_time`,
    liveKeys: sql`coalesce(k.n, 0)`,
    callbackHealth: sql`h.health`,
    deadCallbacks: sql`(select count(*)::int from merchant_callback b where b.merchant_no = x.merchant_no and b.delivery = 'dead')`,
    ordersToday: sql`(select count(*)::int from loan_order lo where lo.merchant_no = x.merchant_no and lo.apply_time >= ${startOfEatDay(tx.today)})`,
    openLoans: sql`(select count(*)::int from loan_order lo where lo.merchant_no = x.merchant_no and lo.order_status = 'funds_disbursed')`,
  },
  filters: {
    merchantName: (text: string) => sql`position(lower(${text}) in lower(m.merchant_no || ' ' || m.merchant_name)) > 0`,
    orgNo: (orgNo: string) => sql`m.org_no = ${orgNo}`,
    balanceState: (state: string) => sql`${standing} = ${state}`,
    callbackState: (state: string) => health[state] ?? null,
    contractWithin: (days: string) => sql`x.contract_end <= ${addDays(tx.today, Number(days))}`,
  } as never,
})
