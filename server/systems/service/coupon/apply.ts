import { sql } from 'kysely'
import { type CouponChoice, serviceCoupon as calls } from '../../../../core/contract/service/service-coupon.ts'
import { formatMoney, gt, isWhole, lt, type Money, money, mul } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { create, transition } from '../../../states/transition.ts'
import { findTemplate, type Template } from '../../operation/coupon/index.ts'
import { noteSearch } from '../../order/order/index.ts'
import { configSeen } from './config.ts'
import { applyBlocks, dueOf } from './lists.ts'
import {
  askedToday,
  customerFor,
  givenTo,
  lockCustomer,
  lockSettings,
  type Refusal,
  rangeOf,
  refusalFor,
  type Settings,
} from './rules.ts'

const perm = calls.my.perm as string

/** Settings in force for a merchant that a person serves. */
const inForce = (tx: Tx, session: Session) =>
  tx.rows(sql<Settings>`
    select x.* from cs_coupon_config x where x.enabled = 'enabled' and x.deleted_time is null
      and ${configSeen(session, perm)}
    order by x.config_name`)

export const quota = serve(calls.quota, async ({ tx, session }) => {
  const list = []
  for (const { serviceConfigNo, configName, perAgentDaily } of await inForce(tx, session)) {
    const submitted = await askedToday(tx, serviceConfigNo, session.userNo)
    list.push({ serviceConfigNo, configName, submitted, applicationsLeft: Math.max(0, perAgentDaily - submitted) })
  }
  return { list }
})

type Customer = { customerNo: string; customerName: string; phone: string; merchantNo: string; merchantName: string }

/** A customer of a merchant that the caller serves, by number or phone. */
const findCustomer = (tx: Tx, session: Session, o: { customerNo?: string | undefined; phone?: string | undefined }) =>
  tx.maybe(sql<Customer>`
    select c.customer_no, c.customer_name, c.phone, mc.merchant_no, m.merchant_name
    from customer c join merchant_customer mc using (customer_no) join merchant m on m.merchant_no = mc.merchant_no
    where ${o.customerNo ? sql`c.customer_no = ${o.customerNo}` : sql`c.phone = ${o.phone}`} and not c.technical
      and ${scope(session, { merchant: 'mc.merchant_no', holder: () => sql`true`, perm })} order by mc.merchant_no limit 1`)

const openOrder = (tx: Tx, customerNo: string) =>
  tx.maybe(sql<{ orderNo: string }>`
    select order_no from loan_order where customer_no = ${customerNo} and order_status = 'funds_disbursed' order by payout_time desc limit 1`)

const choiceOf = async (
  tx: Tx,
  settings: Settings,
  template: Template,
  o: { customerNo: string; userNo: string },
): Promise<CouponChoice> => {
  const { serviceConfigNo, configName, amountFree, countMax, minReasonLength, perAgentDaily } = settings
  const range = rangeOf(settings, template)
  const applicationsLeft = Math.max(0, perAgentDaily - (await askedToday(tx, serviceConfigNo, o.userNo)))
  const least = { customerNo: o.customerNo, count: 1, total: range.amountMin }
  const refusal: Refusal | null =
    applicationsLeft === 0 ? 'used_up' : await refusalFor(tx, settings, least, { waiting: true })
  const { couponType, validityDays } = template
  return {
    ...{ serviceConfigNo, configName, couponType: couponType as CouponChoice['couponType'], amountFree, ...range },
    ...{ countMax, validityDays, minReasonLength, applicationsLeft, refusal },
  }
}

/** Who the customer is, what they owe, and which coupons may be asked for them. */
export const check = serve(calls.check, async call => {
  const { tx, session, input } = call
  if (input.phone) noteSearch({ ...call, input: { phone: input.phone } })
  const found = await findCustomer(tx, session, input)
  if (!found) throw notFound()
  const { customerNo, customerName, phone, merchantName } = found
  const { due } = await tx.one(sql<{ due: Money }>`select ${dueOf(sql`${customerNo}`)} as due`)
  const configs: CouponChoice[] = []
  for (const settings of await inForce(tx, session)) {
    const template = await findTemplate(tx, settings.couponTemplateNo)
    if (!template || !(await customerFor(tx, template, settings, customerNo))) continue
    configs.push(await choiceOf(tx, settings, template, { customerNo, userNo: session.userNo }))
  }
  return {
    ...{ customerNo, customerName, phone, merchantName, configs, amountDue: due },
    openOrderNo: (await openOrder(tx, customerNo))?.orderNo ?? null,
    given30Days: (await givenTo(tx, customerNo)).given,
  }
})

/** The worth of one coupon: as the kind says, or within what the settings leave open. */
const amountOf = (settings: Settings, template: Template, typed: string | undefined): Money => {
  const { amountMin, amountMax } = rangeOf(settings, template)
  if (!settings.amountFree) return amountMax
  if (typed === undefined) throw invalid('faceAmount', 'validation.infoComplete')
  const amount = money(typed)
  if (!isWhole(amount)) throw invalid('faceAmount', 'validation.wholeShillings')
  if (lt(amount, amountMin) || gt(amount, amountMax))
    throw invalid('faceAmount', 'errors.couponAmountRange', {
      min: formatMoney(amountMin),
      max: formatMoney(amountMax),
    })
  return amount
}

/** The refusal in the words of the person who asked. */
export const faultOf = (refusal: Refusal): Fault =>
  new Fault('stateConflict', refusal === 'used_up' ? 'errors.applicationsUsedUp' : `errors.couponRefused.${refusal}`)

const orderFor = async (tx: Tx, customerNo: string, orderNo: string | undefined) => {
  if (!orderNo) return null
  if ((await openOrder(tx, customerNo))?.orderNo !== orderNo) throw invalid('orderNo', 'errors.notOpenOrder')
  return orderNo
}

/** Settings in force within reach, locked: two who ask at the same moment do so one after the other. */
const settingsFor = async ({ tx, session }: Call, serviceConfigNo: string) => {
  const locked = await lockSettings(tx, serviceConfigNo)
  const seen = locked && (await inForce(tx, session)).some(one => one.serviceConfigNo === serviceConfigNo)
  if (!locked || !seen) throw invalid('serviceConfigNo', 'validation.wrongValue')
  return locked
}

/** Asks for coupons for a customer; what may be asked for today falls in the same transaction. */
export const apply = serve(calls.apply, async call => {
  const { tx, session, input, actor, audit } = call
  const settings = await settingsFor(call, input.serviceConfigNo)
  const template = await findTemplate(tx, settings.couponTemplateNo)
  if (!template) throw faultOf('template_off')
  const found = await findCustomer(tx, session, { customerNo: input.customerNo })
  const holder = found && (await customerFor(tx, template, settings, found.customerNo))
  if (!holder) throw notFound()
  const { customerNo } = holder
  await lockCustomer(tx, customerNo)
  if (input.couponCount > settings.countMax) throw invalid('couponCount', 'errors.limitExceeded')
  if (input.reason.length < settings.minReasonLength)
    throw invalid('reason', 'errors.reasonTooShort', { min: settings.minReasonLength })
  const faceAmount = amountOf(settings, template, input.faceAmount)
  const totalAmount = mul(faceAmount, String(input.couponCount))
  const left = settings.perAgentDaily - (await askedToday(tx, settings.serviceConfigNo, actor.no))
  if (left <= 0) throw faultOf('used_up')
  const asked = { customerNo, count: input.couponCount, total: totalAmount }
  const refusal = await refusalFor(tx, settings, asked, { waiting: true })
  if (refusal) throw faultOf(refusal)
  const applyNo = newNo('CA', tx.now)
  const values = {
    ...{ applyNo, serviceConfigNo: settings.serviceConfigNo, customerNo, merchantNo: holder.merchantNo },
    ...{ orderNo: await orderFor(tx, customerNo, input.orderNo), faceAmount, couponCount: input.couponCount },
    ...{ totalAmount, reason: input.reason, applicantNo: actor.no, applicantName: actor.name, applyTime: tx.now },
  }
  await create(tx, 'couponApplication', values, { event: 'coupon.apply', payload: { totalAmount } }, actor)
  audit({
    objectType: 'couponApplication',
    objectNo: applyNo,
    after: { customerNo, faceAmount, couponCount: input.couponCount },
  })
  return { applyNo, applicationsLeft: left - 1 }
})

type Held = { applyNo: string; couponApplyStatus: string; version: number }

/** Takes the own application back; it still counts for today. */
export const withdraw = serve(calls.withdraw, async call => {
  const { tx, session, input, actor, audit } = call
  const row = await tx.maybe(sql<Held>`
    select * from cs_coupon_apply where apply_no = ${input.applyNo} and applicant_no = ${session.userNo} for update`)
  if (!row) throw notFound()
  checkVersion(row, input.version)
  await applyBlocks.check(call, calls.withdraw, row.applyNo)
  const set = { auditTime: tx.now }
  await transition(tx, 'couponApplication', row, { event: 'coupon.withdraw', set }, actor)
  audit({
    objectType: 'couponApplication',
    objectNo: row.applyNo,
    before: { couponApplyStatus: 'pending' },
    after: { couponApplyStatus: 'rejected' },
  })
  return { couponApplyStatus: 'rejected' as const }
})
