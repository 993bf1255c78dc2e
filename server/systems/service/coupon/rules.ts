import { sql } from 'kysely'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { applyRefusals } from '../../../../core/contract/service/service-coupon.ts'
import { add, gt, lt, type Money } from '../../../../core/rules/money.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { findTemplate, holderOf, type Template } from '../../operation/coupon/index.ts'
import { spentOf } from './config.ts'
import { given30 } from './lists.ts'

export type Refusal = ValueOf<typeof applyRefusals>

/** Settings as they stand, with their kind of coupon. */
export type Settings = {
  serviceConfigNo: string
  configName: string
  enabled: string
  couponTemplateNo: string
  merchantNos: string[]
  amountFree: boolean
  amountMin: Money | null
  amountMax: Money | null
  countMax: number
  perAgentDaily: number
  perCustomer30Days: number
  monthlyBudget: Money
  minReasonLength: number
}

/** Coupons that customer service gave a customer in 30 days, and those asked for and not decided. */
export const givenTo = async (tx: Tx, customerNo: string): Promise<{ given: number; waiting: number }> =>
  tx.one(sql<{ given: number; waiting: number }>`
    select ${given30(tx, sql`${customerNo}`)} as given,
      (select coalesce(sum(a.coupon_count), 0)::int from cs_coupon_apply a where a.customer_no = ${customerNo} and a.coupon_apply_status = 'pending') as waiting`)

/** What an agent has asked for by these settings today; what was withdrawn counts. */
export const askedToday = async (tx: Tx, serviceConfigNo: string, userNo: string): Promise<number> =>
  (
    await tx.one(sql<{ n: number }>`
      select count(*)::int as n from cs_coupon_apply where service_config_no = ${serviceConfigNo} and applicant_no = ${userNo} and apply_time >= ${startOfEatDay(tx.today)}`)
  ).n

/** Settings, locked: applications and decisions by them wait for one another. */
export const lockSettings = (tx: Tx, serviceConfigNo: string): Promise<Settings | undefined> =>
  tx.maybe(sql<Settings>`
    select * from cs_coupon_config x where x.service_config_no = ${serviceConfigNo} and x.deleted_time is null for update`)

/** Two who ask or decide for one customer do so one after the other, by whichever settings. Comes after the lock of the settings. */
export const lockCustomer = (tx: Tx, customerNo: string): Promise<unknown> =>
  tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`service coupons ${customerNo}`}, 0))`)

/** The customer as a holder of this kind of coupon, among the merchants of the settings. */
export const customerFor = (tx: Tx, template: Template, settings: Settings, customerNo: string) =>
  holderOf(tx, { ...template, merchantNos: settings.merchantNos }, customerNo)

/** The least and the most that a coupon may be worth. */
export const rangeOf = ({ amountFree, amountMin, amountMax }: Settings, { faceAmount }: Template) => ({
  amountMin: amountFree ? (amountMin ?? faceAmount) : faceAmount,
  amountMax: amountFree ? (amountMax ?? faceAmount) : faceAmount,
})

type Asked = { customerNo: string; count: number; total: Money }

/**
 * Why so many coupons of so much cannot be given now; null where they can. `waiting`: what is asked for and not decided counts too, as
 * it does for an applicant; a decision counts what was given alone.
 */
export const refusalFor = async (
  tx: Tx,
  settings: Settings,
  { customerNo, count, total }: Asked,
  { waiting }: { waiting: boolean },
): Promise<Refusal | null> => {
  const template = await findTemplate(tx, settings.couponTemplateNo)
  if (template?.enabled !== 'enabled') return 'template_off'
  const holder = await customerFor(tx, template, settings, customerNo)
  if (holder?.barred) return 'barred'
  if (template.couponType === 'increase_loan_limit_coupon' && holder?.overdue) return 'overdue'
  const had = await givenTo(tx, customerNo)
  if (had.given + (waiting ? had.waiting : 0) + count > settings.perCustomer30Days) return 'customer_cap'
  const { used, pending } = await spentOf(tx, settings.serviceConfigNo)
  const taken = waiting ? add(used, pending) : used
  if (gt(add(taken, total), settings.monthlyBudget)) return 'budget'
  return lt(template.budgetAmount, add(template.issuedAmount, total)) ? 'budget' : null
}
