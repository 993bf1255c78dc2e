import { sql } from 'kysely'
import { businessConfigs } from '../../../../core/contract/common/business-config.ts'
import type { Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { couponTemplates } from '../../../../core/contract/operation/coupon.ts'
import type { couponTypes } from '../../../../core/contract/order/order.ts'
import { formatMoney, gt, lt, type Money } from '../../../../core/rules/money.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Choices } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { businessValue } from '../../common/index.ts'

const { coupon } = contract
const perm = couponTemplates.codes.page
type Kind = ValueOf<typeof couponTypes>

/** Kinds of coupons `x` that a person sees: those for the customers of a merchant that they serve. */
export const templateSeen = (session: Session) =>
  sql`exists (select 1 from merchant tm where tm.merchant_no = any(x.merchant_nos) and ${scope(session, { merchant: 'tm.merchant_no', holder: () => sql`true`, perm })})`

/** The most that one coupon of a type may be worth. */
export const capOf = async (tx: Tx, type: Kind): Promise<Money> =>
  (await businessValue(tx, 'COUPON_TYPE_CAPS'))?.[type] ?? businessConfigs.COUPON_TYPE_CAPS.plain[type]

const checkCap = async (tx: Tx, form: Readonly<Record<string, unknown>>) => {
  const cap = await capOf(tx, form.couponType as Kind)
  if (gt(String(form.faceAmount), cap)) throw invalid('faceAmount', 'errors.couponCap', { max: formatMoney(cap) })
}

/** What customers hold already stays what it was: a kind that was given keeps its type and its worth. */
const fixedOnceGiven = ['couponType', 'couponRepayType', 'faceAmount', 'minOrderAmount'] as const

export const templates = serveConfig(couponTemplates, {
  prefix: 'CT',
  unique: 'couponName',
  async check({ tx, session }, form, before) {
    const nos = form.merchantNos as string[]
    const seen = await tx.rows(sql`
      select 1 from merchant tm where tm.merchant_no = any(${nos}) and tm.deleted_time is null
        and ${scope(session, { merchant: 'tm.merchant_no', holder: () => sql`true`, perm: couponTemplates.codes.save })}`)
    if (seen.length !== new Set(nos).size) throw invalid('merchantNos', 'validation.wrongValue')
    await checkCap(tx, form)
    if (!before) return
    if (lt(String(form.budgetAmount), String(before.issuedAmount)))
      throw invalid('budgetAmount', 'errors.budgetBelowIssued', { amount: formatMoney(String(before.issuedAmount)) })
    const given = Number(before.issuedCount) > 0
    const changed = fixedOnceGiven.find(name => String(form[name] ?? '') !== String(before[name] ?? ''))
    if (given && changed) throw invalid(changed, 'errors.couponGiven')
  },
  async switches(tx, item, to) {
    if (to === 'enabled') await checkCap(tx, item)
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select coupon_template_no as key, 'coupon' as kind, count(*)::text as no, '' as name from coupon
      where coupon_template_no = any(${[...keys]}::text[]) group by coupon_template_no
      union all select coupon_template_no, 'promo_code', count(*)::text, '' from promo_code where coupon_template_no = any(${[...keys]}::text[]) group by coupon_template_no
      union all select coupon_template_no, 'coupon_issue_batch', count(*)::text, '' from coupon_issue_batch
        where coupon_template_no = any(${[...keys]}::text[]) group by coupon_template_no`),
  source: ({ session }) => ({
    where: templateSeen(session),
    joins: {
      used: sql`left join lateral (select count(*)::int as n, coalesce(sum(c.face_amount), 0)::numeric(18,2) as spent
        from coupon c where c.coupon_template_no = x.coupon_template_no and c.coupon_status = 'used') used on true`,
    },
    columns: {
      merchantNames: sql`(select string_agg(tm.merchant_name, ', ' order by tm.merchant_name) from merchant tm where tm.merchant_no = any(x.merchant_nos))`,
      couponUses: sql`used.n`,
      usedShare: sql`round(100.0 * used.n / nullif(x.issued_count, 0), 2)::numeric(5,2)`,
      spentAmount: sql`used.spent`,
    },
    filters: {
      couponName: text => sql`position(lower(${String(text)}) in lower(x.coupon_name)) > 0`,
      merchantNo: no => sql`${no} = any(x.merchant_nos)`,
    },
  }),
})

/** What a kind of coupon cost so far, and how it was given and used day by day. */
export const stat = serve(coupon.stat, async ({ tx, session, input: { couponTemplateNo } }) => {
  const seen = await tx.maybe(
    sql`select 1 from coupon_template x where x.coupon_template_no = ${couponTemplateNo} and ${templateSeen(session)}`,
  )
  if (!seen) throw notFound()
  const first = addDays(tx.today, -29)
  const sums = await tx.one(sql<{ issued: number; used: number; expired: number; cost: Money }>`
    select count(*)::int as issued, count(*) filter (where coupon_status = 'used')::int as used,
      count(*) filter (where coupon_status = 'expired')::int as expired,
      coalesce(sum(coalesce(used_amount, face_amount)) filter (where coupon_status = 'used'), 0)::numeric(18,2) as cost
    from coupon where coupon_template_no = ${couponTemplateNo}`)
  const byDay = await tx.rows(sql<{ date: string; issued: number; used: number }>`
    select d::date::text as date,
      (select count(*)::int from coupon c where c.coupon_template_no = ${couponTemplateNo} and (c.created_time at time zone 'Africa/Kampala')::date = d::date) as issued,
      (select count(*)::int from coupon c where c.coupon_template_no = ${couponTemplateNo} and (c.used_time at time zone 'Africa/Kampala')::date = d::date) as used
    from generate_series(${first}::date, ${tx.today}::date, interval '1 day') d order by d`)
  return { ...sums, byDay }
})

/** A day from which a coupon holds is today or later. */
export const startOf = (tx: Tx, startDate: string): Date => {
  if (startDate < tx.today) throw invalid('startDate', 'validation.dateFromToday')
  return new Date(startOfEatDay(startDate))
}

export const templateChoices: Choices = {
  key: 'COUPON_TEMPLATE',
  list: ({ tx, session }) =>
    tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select x.coupon_template_no as value, x.coupon_name as label, x.enabled = 'enabled' as enabled from coupon_template x
      where x.deleted_time is null and ${templateSeen(session)} order by x.coupon_name, x.coupon_template_no`),
}
