import { sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { type ActivityTask, activities } from '../../../../core/contract/operation/activity.ts'
import { eq, formatMoney, lt, type Money } from '../../../../core/rules/money.ts'
import type { Item, Values } from '../../../configs/config-hooks.ts'
import { isSame } from '../../../configs/history.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Choices } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { findTemplate } from '../coupon/index.ts'
import { activitySeen, stateOf } from './store.ts'

const tasksIn = (values: Values) => (values.tasks ?? []) as readonly ActivityTask[]

/** Merchants within reach, and apps of these. */
const checkPlaces = async (tx: Tx, session: Session, form: Values): Promise<void> => {
  const nos = form.merchantNos as string[]
  const seen = await tx.rows(sql<{ appName: string }>`
    select tm.app_name from merchant tm where tm.merchant_no = any(${nos}) and tm.deleted_time is null
      and ${scope(session, { merchant: 'tm.merchant_no', holder: () => sql`true`, perm: activities.codes.save })}`)
  if (seen.length !== new Set(nos).size) throw invalid('merchantNos', 'validation.wrongValue')
  const apps = new Set(seen.map(({ appName }) => appName))
  if (!(form.appCodes as string[]).every(app => apps.has(app))) throw invalid('appCodes', 'errors.appOfMerchants')
}

/** Coupons that are given away are of a kind in force, for the customers of all its merchants. */
const checkCoupons = async (tx: Tx, values: Values): Promise<void> => {
  for (const { awardKind, couponTemplateNo } of tasksIn(values)) {
    if (awardKind !== 'coupon') continue
    const template = await findTemplate(tx, String(couponTemplateNo))
    if (!template) throw invalid('tasks', 'validation.wrongValue')
    if (template.enabled !== 'enabled') throw invalid('tasks', 'errors.couponTemplateOff')
    if (!(values.merchantNos as string[]).every(no => template.merchantNos.includes(no)))
      throw invalid('merchantNos', 'errors.merchantsOfTemplate')
  }
}

/** What customers were promised: fixed while an activity is on, and what was earned by it stays what it was. */
const promised = ['activityType', 'merchantNos', 'appCodes', 'awardsPerCustomer', 'tasks'] as const

/** While an activity is on it is only shortened, or its words are corrected; money is added by a call of its own. */
const checkRunning = (form: Values, before: Item): void => {
  const changed = promised.find(name => !isSame(before[name], form[name]))
  if (changed) throw invalid(changed, 'errors.activityRuns')
  const at = (value: unknown) => new Date(String(value)).getTime()
  if (at(form.startTime) !== at(before.startTime)) throw invalid('startTime', 'errors.activityRuns')
  if (at(form.endTime) > at(before.endTime)) throw invalid('endTime', 'errors.activityShorter')
  if (!eq(form.budgetAmount as Money, before.budgetAmount as Money))
    throw invalid('budgetAmount', 'errors.activityBudget')
}

const mostOf = async (tx: Tx, activityNo: unknown): Promise<number> => {
  const { n } = await tx.one(sql<{ n: number }>`
    select coalesce(max(n), 0)::int as n from (
      select count(*) as n from activity_award where activity_no = ${activityNo} and award_status in ('held', 'given') group by customer_no) x`)
  return n
}

const checkEarned = async (tx: Tx, form: Values, before: Item): Promise<void> => {
  const most = await mostOf(tx, before.activityNo)
  if (most === 0) return
  const changed = (['activityType', 'tasks'] as const).find(name => !isSame(before[name], form[name]))
  if (changed) throw invalid(changed, 'errors.activityEarned')
  if (Number(form.awardsPerCustomer) < most) throw invalid('awardsPerCustomer', 'errors.activityEarned')
  const spent = String(before.budgetSpent)
  if (lt(String(form.budgetAmount), spent))
    throw invalid('budgetAmount', 'errors.budgetBelowSpent', { amount: formatMoney(spent) })
}

const awards = (what: ReturnType<typeof sql>) =>
  sql`(select count(*)::int from activity_award w where w.activity_no = x.activity_no and ${what})`
const standing = sql`w.award_status in ('held', 'given')`

const cost = sql`(
  select case when p.n > 0 then round((coalesce(s.wallet, 0) + coalesce(s.coupons, 0)) / p.n, 2)::numeric(18,2) end
  from (select sum(w.award_amount) filter (where w.award_kind = 'wallet') as wallet,
      sum(coalesce(c.used_amount, c.face_amount)) filter (where c.coupon_status = 'used') as coupons
    from activity_award w left join coupon c on c.coupon_no = w.coupon_no where w.activity_no = x.activity_no and w.award_status = 'given') s,
    (select count(*)::int as n from loan_order o where o.merchant_no = any(x.merchant_nos) and o.payout_time >= x.start_time and o.payout_time < x.end_time
      and o.customer_no in (select coalesce(w.invitee_no, w.customer_no) from activity_award w where w.activity_no = x.activity_no and ${standing})) p)`

export const served = serveConfig(activities, {
  prefix: 'AC',
  unique: 'activityName',
  needsChecker: (item, change) =>
    'to' in change && change.to === 'enabled' && tasksIn(item).some(task => task.awardKind === 'wallet'),
  async check({ tx, session }, form, before) {
    await checkPlaces(tx, session, form)
    await checkCoupons(tx, form)
    if (!before) return
    if (before.enabled === 'enabled') checkRunning(form, before)
    await checkEarned(tx, form, before)
  },
  async switches(tx, item, to) {
    if (to === 'disabled') return
    if (Date.parse(String(item.endTime)) <= tx.now.getTime()) throw new Fault('stateConflict', 'errors.activityOver')
    await checkCoupons(tx, item)
  },
  async turned(tx, item, to) {
    const set = to === 'enabled' ? sql`enabled_time = ${tx.now}, stopped_time = null` : sql`stopped_time = ${tx.now}`
    await tx.exec(sql`update activity set ${set} where activity_no = ${item.activityNo}`)
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select activity_no as key, 'activity_award' as kind, count(*)::text as no, '' as name from activity_award
      where activity_no = any(${[...keys]}::text[]) group by activity_no
      union all select activity_no, 'activity_invite', count(*)::text, '' from activity_invite where activity_no = any(${[...keys]}::text[]) group by activity_no`),
  source: ({ tx, session }) => ({
    where: activitySeen(session),
    columns: {
      merchantNames: sql`(select string_agg(tm.merchant_name, ', ' order by tm.merchant_name) from merchant tm where tm.merchant_no = any(x.merchant_nos))`,
      activityState: stateOf(tx),
      participants: sql`(select count(distinct w.customer_no)::int from activity_award w where w.activity_no = x.activity_no and ${standing})`,
      awardCount: awards(standing),
      heldCount: awards(sql`w.award_status = 'held'`),
      costPerPayout: cost,
    },
    filters: {
      activityName: words => sql`position(lower(${String(words)}) in lower(x.activity_name)) > 0`,
      merchantNo: no => sql`${no} = any(x.merchant_nos)`,
      appCode: app => sql`${app} = any(x.app_codes)`,
    },
  }),
})

export const activityChoices: Choices = {
  key: 'ACTIVITY',
  list: ({ tx, session }) =>
    tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select x.activity_no as value, x.activity_name as label, true as enabled from activity x
      where x.deleted_time is null and ${activitySeen(session)} order by x.activity_name, x.activity_no`),
}
