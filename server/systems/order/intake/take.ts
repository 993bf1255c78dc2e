import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Application } from '../../../../core/contract/order/intake.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { money } from '../../../../core/rules/money.ts'
import { startingLimit } from '../../../../core/rules/score.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { Fault } from '../../../http/fault.ts'
import { type Claim, claim, finish, hashOf } from '../../../http/idempotency.ts'
import type { PublicCall } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { newNo, newPayCode } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create } from '../../../states/transition.ts'
import { reviewQueue } from '../../audit/machine-review/index.ts'
import { consume } from '../../merchant/consumption/index.ts'
import { checkShare, noteAccepted, onePersonAtATime, takePlace } from '../../merchant/order-acquire/index.ts'
import { nameCoupon } from '../../operation/coupon/index.ts'
import { broughtBy } from '../../operation/launch/index.ts'
import { intakeColumns, noteHits } from '../../operation/merchant/index.ts'
import { happened } from '../../operation/message-engine/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { keepCollected } from '../collected/index.ts'
import { grantCredit } from '../order/credit.ts'
import { type Asking, askingOf, checks, coded, type Merchant } from './checks.ts'

export const merchantOf = (tx: Tx, merchantNo: string): Promise<Merchant> =>
  tx.one(sql<Merchant>`select ${intakeColumns}, merchant_name from merchant where merchant_no = ${merchantNo}`)

type Answer = { orderNo: string; orderStatus: 'machine_reviewing' }
const reused = () => new Fault('keyReused', 'errors.orderReused')

/** Keys expire, orders never do: a later repeat is compared with the order itself. */
const olderOrder = async (tx: Tx, merchantNo: string, input: Application): Promise<Answer | null> => {
  const order = await tx.maybe(sql<{ orderNo: string; productNo: string; requestedAmount: string; idNumber: string }>`
    select o.order_no, o.product_no, o.requested_amount, c.id_number from loan_order o join customer c using (customer_no)
    where o.merchant_no = ${merchantNo} and o.third_order_no = ${input.thirdOrderNo}`)
  if (!order) return null
  const isSame =
    order.productNo === input.productNo &&
    order.requestedAmount === money(input.loanAmount) &&
    order.idNumber === input.customer.idNumber.toUpperCase()
  if (!isSame) throw reused()
  return { orderNo: order.orderNo, orderStatus: 'machine_reviewing' }
}

/** The answer given before to the same application; another application under its number is refused. */
const answeredBefore = async (tx: Tx, key: Claim, merchantNo: string, input: Application): Promise<Answer | null> => {
  try {
    const stored = await claim(tx, key)
    return stored ? (JSON.parse(stored) as Answer) : olderOrder(tx, merchantNo, input)
  } catch (error) {
    if (error instanceof Fault && error.key === 'errors.keyReused') throw reused()
    throw error
  }
}

/**
 * The person with this ID number, the same in every app: who somebody is stays as first given. How they are reached and live is brought
 * up to date at the merchant that sends it, and nowhere else.
 */
const customerFor = async (
  tx: Tx,
  merchantNo: string,
  { customer: c }: Application,
  terms: Terms,
  actor: Actor,
): Promise<string> => {
  const limit = startingLimit(c.monthlyIncome, terms)
  const { customerNo } = await tx.one(sql<{ customerNo: string }>`
    insert into customer (customer_no, customer_name, id_number, phone, gender, birth_date, marital_status, education, children_count, occupation, employer_name,
      monthly_income, payday, address_text, district, residence_type, email, credit_limit, remaining_limit, register_time)
    values (${newNo('CU', tx.now)}, ${c.customerName}, ${c.idNumber.toUpperCase()}, ${c.phone}, ${c.gender}, ${c.birthDate}, ${c.maritalStatus}, ${c.education}, ${c.childrenCount}, ${c.occupation}, ${c.employerName},
      ${c.monthlyIncome}, ${c.payday}, ${c.addressText}, ${c.district}, ${c.residenceType}, ${c.email ?? null}, ${limit}, ${limit}, ${tx.now})
    on conflict (id_number) do update set version = customer.version
    returning customer_no`)
  await tx.exec(sql`
    insert into merchant_customer (customer_no, merchant_no, phone, marital_status, education, children_count, occupation, employer_name, monthly_income, payday,
      address_text, district, residence_type, email, updated_time)
    values (${customerNo}, ${merchantNo}, ${c.phone}, ${c.maritalStatus}, ${c.education}, ${c.childrenCount}, ${c.occupation}, ${c.employerName}, ${c.monthlyIncome}, ${c.payday},
      ${c.addressText}, ${c.district}, ${c.residenceType}, ${c.email ?? null}, ${tx.now})
    on conflict (customer_no, merchant_no) do update set phone = excluded.phone, marital_status = excluded.marital_status, education = excluded.education,
      children_count = excluded.children_count, occupation = excluded.occupation, employer_name = excluded.employer_name, monthly_income = excluded.monthly_income,
      payday = excluded.payday, address_text = excluded.address_text, district = excluded.district, residence_type = excluded.residence_type,
      email = coalesce(excluded.email, merchant_customer.email), updated_time = excluded.updated_time, version = merchant_customer.version + 1`)
  await grantCredit(tx, customerNo, actor)
  return customerNo
}

const freePayCode = async (tx: Tx): Promise<string> => {
  for (;;) {
    const payCode = newPayCode()
    if (!(await tx.maybe(sql<object>`select 1 as taken from loan_order where pay_code = ${payCode}`))) return payCode
  }
}

const attach = (tx: Tx, orderNo: string, { contacts, consents }: Application): void => {
  for (const [index, contact] of contacts.entries())
    tx.append('orderContact', {
      contactNo: newNo('CT', tx.now),
      orderNo,
      contactSource: 'declared',
      ...contact,
      sort: index + 1,
    })
  const latest = new Map(consents.map(consent => [consent.consentKind, consent]))
  for (const consent of latest.values()) tx.append('orderConsent', { orderNo, ...consent })
}

/** An application is sent once under the number that the merchant gave it. */
const keyOf = ({ input, actor }: PublicCall<Application>): Claim => ({
  caller: actor.no,
  key: input.thirdOrderNo,
  endpoint: contract.intake.apply.path,
  bodyHash: hashOf(JSON.stringify(input)),
})

type Taken = { orderNo: string; customerNo: string; merchantNo: string; loanAmount: string }

/** What follows of an application: its coupon waits for it, its review, and a word to the customer. */
const follow = async ({ tx, input, actor }: PublicCall<Application>, of: Taken): Promise<void> => {
  const { orderNo, merchantNo } = of
  if (input.couponNo) await nameCoupon(tx, input.couponNo, of, actor)
  await consume(tx, { meter: 'order_accepted', subjectNo: orderNo, merchantNo })
  await enqueue(tx, reviewQueue, orderNo, { orderNo })
  await happened(tx, { event: 'order.submitted', objectType: 'order', objectNo: orderNo, ...of })
}

/** The order of an application that passed all checks. */
const make = async (
  call: PublicCall<Application>,
  asking: Asking,
): Promise<{ orderNo: string; customerNo: string }> => {
  const { tx, input } = call
  const { merchant, rule, loanKind, hits } = asking
  const { merchantNo } = merchant
  const { productNo, terms, versionNo } = asking.product as NonNullable<Asking['product']>
  await coded('106', () => takePlace(tx, rule))
  await coded('107', () => checkShare(tx, rule, loanKind))
  const customerNo = await customerFor(tx, merchantNo, input, terms, call.actor)
  const { loanAmount, actualLoanAmount } = quote(terms, { loanAmount: money(input.loanAmount) })
  const orderNo = newNo('LO', tx.now)
  const values = {
    orderNo,
    thirdOrderNo: input.thirdOrderNo,
    merchantNo,
    customerNo,
    productNo,
    terms: json(terms),
    productVersionNo: versionNo,
    requestedAmount: loanAmount,
    loanAmount,
    actualLoanAmount,
    term: terms.termDays,
    installmentCount: terms.installmentCount,
    loanKind,
    loanPurpose: input.customer.loanPurpose,
    applyTime: tx.now,
    statusTime: tx.now,
    incomingChannel: input.incomingChannel,
    promotionChannel: (await broughtBy(tx, { customerNo, clickIds: input.clickIds ?? [] })) ?? input.promotionChannel,
    ...input.payout,
    payCode: await freePayCode(tx),
    device: json(input.device),
  }
  await create(tx, 'order', values, { event: 'order.create' }, call.actor)
  attach(tx, orderNo, input)
  keepCollected(tx, orderNo, input)
  noteHits(tx, merchantNo, orderNo, [...hits])
  await follow(call, { orderNo, customerNo, merchantNo, loanAmount })
  const after = { orderStatus: 'machine_reviewing', merchantNo, productNo, thirdOrderNo: input.thirdOrderNo }
  call.audit({ objectType: 'order', objectNo: orderNo, orderNo, after: { ...after, requestedAmount: loanAmount } })
  await tx.flush()
  return { orderNo, customerNo }
}

type Taking = { merchant: Merchant; lists: ListValues; payloadHash: string }

/** One application of a merchant's system; machine review takes it from there. */
export const take = async (
  call: PublicCall<Application>,
  { merchant, lists, payloadHash }: Taking,
): Promise<{ answer: Answer; isNew: boolean }> => {
  const { tx, input } = call
  const { merchantNo } = merchant
  const key = keyOf(call)
  const before = await coded('103', () => answeredBefore(tx, key, merchantNo, input))
  if (before) return { answer: before, isNew: false }
  await onePersonAtATime(tx, input.customer.idNumber, input.customer.phone)
  const asking = await askingOf(tx, { input, merchant, lists })
  for (const { code, ask } of checks) await coded(code, () => ask(asking))
  const { orderNo, customerNo } = await make(call, asking)
  const { thirdOrderNo, incomingChannel } = input
  const { loanKind, rule } = asking
  const latencyMs = Date.now() - (call.request.arrived ?? Date.now())
  const of = { merchantNo, payloadHash, thirdOrderNo, incomingChannel, orderNo, customerNo, loanKind, latencyMs }
  await noteAccepted(tx, { ...of, acquireNo: rule?.acquireNo ?? null })
  const answer: Answer = { orderNo, orderStatus: 'machine_reviewing' }
  await finish(tx, key, JSON.stringify(answer))
  return { answer, isNew: true }
}

/** Acts as the merchant whose system sent the application. */
export const asMerchant = (
  actor: PublicCall['actor'],
  { merchantNo, merchantName }: Pick<Merchant, 'merchantNo' | 'merchantName'>,
) => ({ ...actor, no: `merchant:${merchantNo}`, name: merchantName })
