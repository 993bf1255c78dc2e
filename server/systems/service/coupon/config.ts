import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { couponTypes } from '../../../../core/contract/order/order.ts'
import { serviceCouponConfigs } from '../../../../core/contract/service/service-coupon.ts'
import { add, formatMoney, gt, lt, type Money } from '../../../../core/rules/money.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { capOf, findTemplate } from '../../operation/coupon/index.ts'

const perm = serviceCouponConfigs.codes.page
type Values = Readonly<Record<string, unknown>>

/** Merchants `tm` that a person serves. */
const served = (session: Session, code: string) =>
  scope(session, { merchant: 'tm.merchant_no', holder: () => sql`true`, perm: code })

/** Settings `x` for the customers of a merchant that a person serves. */
export const configSeen = (session: Session, code = perm) =>
  sql`exists (select 1 from merchant tm where tm.merchant_no = any(x.merchant_nos) and ${served(session, code)})`

/** What settings have given in this month of Kampala, and what waits for a decision, as a table of one row. */
export const spent = (tx: Tx, serviceConfigNo: RawBuilder<unknown>) => sql`
  select coalesce(sum(p.total_amount) filter (where p.coupon_apply_status = 'approved'
      and p.audit_time >= date_trunc('month', ${tx.today}::date)::timestamp at time zone 'Africa/Kampala'), 0)::numeric(18,2) as used,
    coalesce(sum(p.total_amount) filter (where p.coupon_apply_status = 'pending'), 0)::numeric(18,2) as pending,
    count(*) filter (where p.coupon_apply_status = 'pending')::int as waiting
  from cs_coupon_apply p where p.service_config_no = ${serviceConfigNo}`

export const spentOf = (tx: Tx, serviceConfigNo: string) =>
  tx.one(sql<{ used: Money; pending: Money }>`${spent(tx, sql`${serviceConfigNo}`)}`)

const checkTemplate = async (tx: Tx, values: Values) => {
  const template = await findTemplate(tx, String(values.couponTemplateNo))
  if (!template) throw invalid('couponTemplateNo', 'validation.wrongValue')
  if (template.enabled !== 'enabled') throw invalid('couponTemplateNo', 'errors.couponTemplateOff')
  if (!(values.merchantNos as string[]).every(no => template.merchantNos.includes(no)))
    throw invalid('merchantNos', 'errors.merchantsOfTemplate')
  const cap = await capOf(tx, template.couponType as ValueOf<typeof couponTypes>)
  if (values.amountFree === true && gt(String(values.amountMax), cap))
    throw invalid('amountMax', 'errors.couponCap', { max: formatMoney(cap) })
  return template
}

const oneAtATime = (tx: Tx) => tx.exec(sql`select pg_advisory_xact_lock(hashtext('service coupon settings'))`)

/** Two settings in force for the same kind of coupon and merchant would leave it open which of them counts. */
const checkOnce = async (tx: Tx, values: Values, no: unknown) => {
  const other = await tx.maybe(sql`
    select 1 from cs_coupon_config x join coupon_template t using (coupon_template_no), coupon_template own
    where own.coupon_template_no = ${values.couponTemplateNo} and x.enabled = 'enabled' and x.deleted_time is null and x.service_config_no <> ${no ?? ''}
      and x.merchant_nos && ${values.merchantNos as string[]}::text[] and t.coupon_type = own.coupon_type and t.coupon_repay_type is not distinct from own.coupon_repay_type limit 1`)
  if (other) throw new Fault('stateConflict', 'errors.settingsExist')
}

export const configs = serveConfig(serviceCouponConfigs, {
  prefix: 'SC',
  unique: 'configName',
  async check({ tx, session }, form, before) {
    const nos = form.merchantNos as string[]
    const seen = await tx.rows(sql`
      select 1 from merchant tm where tm.merchant_no = any(${nos}) and tm.deleted_time is null
        and ${served(session, perm)}`)
    if (seen.length !== new Set(nos).size) throw invalid('merchantNos', 'validation.wrongValue')
    await oneAtATime(tx)
    await checkTemplate(tx, form)
    if (!before) return
    if (before.enabled === 'enabled') await checkOnce(tx, form, before.serviceConfigNo)
    const { used, pending } = await spentOf(tx, String(before.serviceConfigNo))
    const taken = add(used, pending)
    if (lt(String(form.monthlyBudget), taken))
      throw invalid('monthlyBudget', 'errors.budgetBelowIssued', { amount: formatMoney(taken) })
  },
  async switches(tx, item, to) {
    if (to !== 'enabled') return
    await oneAtATime(tx)
    await checkTemplate(tx, item)
    await checkOnce(tx, item, item.serviceConfigNo)
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select service_config_no as key, 'cs_coupon_apply' as kind, count(*)::text as no, '' as name from cs_coupon_apply
      where service_config_no = any(${[...keys]}::text[]) group by service_config_no`),
  source: ({ tx, session }) => ({
    where: configSeen(session),
    joins: {
      t: sql`join coupon_template t on t.coupon_template_no = x.coupon_template_no`,
      a: sql`left join lateral (${spent(tx, sql`x.service_config_no`)}) a on true`,
    },
    columns: {
      couponName: sql`t.coupon_name`,
      couponType: sql`t.coupon_type`,
      couponRepayType: sql`t.coupon_repay_type`,
      faceAmount: sql`t.face_amount`,
      validityDays: sql`t.validity_days`,
      merchantNames: sql`(select string_agg(tm.merchant_name, ', ' order by tm.merchant_name) from merchant tm where tm.merchant_no = any(x.merchant_nos))`,
      usedBudget: sql`a.used`,
      pendingBudget: sql`a.pending`,
      pendingCount: sql`a.waiting`,
    },
    filters: {
      configName: text => sql`position(lower(${String(text)}) in lower(x.config_name)) > 0`,
      merchantNo: no => sql`${no} = any(x.merchant_nos)`,
    },
  }),
})
