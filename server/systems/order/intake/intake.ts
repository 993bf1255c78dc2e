import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Application } from '../../../../core/contract/order/intake.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import { amountRefusal, type Terms } from '../../../../core/rules/loan/terms.ts'
import { money } from '../../../../core/rules/money.ts'
import { pricedTerms } from '../../../../core/rules/risk-price.ts'
import { startingLimit } from '../../../../core/rules/score.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Claim, claim, finish, hashOf } from '../../../http/idempotency.ts'
import { type PublicCall, type Request, serveSigned } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Deps, Module } from '../../../module.ts'
import { newNo, newPayCode } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create } from '../../../states/transition.ts'
import { brokenCap, checkLegal } from '../../after-loan/payout/index.ts'
import { reviewQueue } from '../../audit/machine-review/index.ts'
import { type MerchantSecrets, merchantSecrets, merchantSigner } from '../../common/index.ts'
import { consume } from '../../merchant/consumption/index.ts'
import { nameCoupon } from '../../operation/coupon/index.ts'
import { broughtBy } from '../../operation/launch/index.ts'
import { checkIntake, type Intake, intakeColumns, noteHits } from '../../operation/merchant/index.ts'
import { happened } from '../../operation/message-engine/index.ts'
import { type ListValues, listHitsOf, listValues } from '../../risk/name-list/index.ts'
import { gridsInForce } from '../../risk/pricing/index.ts'
import { keepCollected } from '../collected/index.ts'
import { grantCredit } from '../order/credit.ts'

type Merchant = Intake & { merchantName: string }
type Product = { productNo: string; terms: Terms; versionNo: string | null }

/** The merchant whose system sends applications, which it takes no more of once it is drained. */
const signer = async (tx: Tx, request: Request, secrets: MerchantSecrets | undefined): Promise<Merchant> => {
  const { merchantNo, drain } = await merchantSigner(tx, request, secrets)
  if (drain) throw new Fault('forbidden', 'errors.merchantClosed')
  return tx.one(sql<Merchant>`select ${intakeColumns}, merchant_name from merchant where merchant_no = ${merchantNo}`)
}

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

const productOf = async (tx: Tx, merchantNo: string, { productNo, loanAmount }: Application): Promise<Product> => {
  const product = await tx.maybe(
    sql<Product>`
      select p.product_no, p.terms, v.version_no from product p
      left join product_version v on v.product_no = p.product_no and v.version_status = 'effective'
      where p.product_no = ${productNo} and p.merchant_no = ${merchantNo} and p.enabled = 'enabled' and p.terms is not null and p.deleted_time is null`,
  )
  if (!product) throw invalid('productNo', 'validation.wrongValue')
  const refusal = amountRefusal(product.terms, loanAmount)
  if (refusal) throw invalid('loanAmount', refusal.words, { step: refusal.step })
  return product
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

/** Which customers a merchant takes: any (-1), only those who never settled a loan with it (0), or with at least n settled. */
const checkTraffic = async (tx: Tx, { merchantNo, trafficLimit }: Merchant, customerNo: string): Promise<void> => {
  if (trafficLimit < 0) return
  const { settled } = await tx.one(sql<{ settled: number }>`
    select count(*)::int as settled from loan_order where customer_no = ${customerNo} and merchant_no = ${merchantNo} and settled_time is not null`)
  if (trafficLimit === 0 ? settled > 0 : settled < trafficLimit) throw new Fault('quota', 'errors.trafficLimit')
}

/** Whether the merchant has had an application of this person before; who has none would be registered by this one. */
const checkRegistered = async (tx: Tx, { merchantNo, registerAllowed }: Merchant, idNumber: string): Promise<void> => {
  if (registerAllowed) return
  const known = await tx.maybe(sql`
    select 1 from merchant_customer mc join customer c using (customer_no) where mc.merchant_no = ${merchantNo} and c.id_number = ${idNumber.toUpperCase()}`)
  if (!known) throw new Fault('quota', 'errors.registrationClosed')
}

/** Whom people have put on a black list by hand is not taken at all; other lists are met by machine review. */
const checkListed = async (tx: Tx, lists: ListValues, merchantNo: string, input: Application): Promise<void> => {
  const { customer, payout, device } = input
  const { phone, idNumber } = customer
  const named = { phone, idNumber, walletAccount: payout.walletAccount, deviceId: device.deviceId }
  const hits = await listHitsOf(tx, lists, { merchantNo, named })
  if (hits.some(hit => hit.byHand && hit.listEffect === 'refuse')) throw new Fault('quota', 'errors.notAccepted')
}

/** The customer, as far as the merchant takes them, and the filters that met them and only count. */
const admit = async (
  { tx, input, actor }: PublicCall<Application>,
  merchant: Merchant,
  terms: Terms,
  lists: ListValues,
) => {
  await checkListed(tx, lists, merchant.merchantNo, input)
  await checkRegistered(tx, merchant, input.customer.idNumber)
  const customerNo = await customerFor(tx, merchant.merchantNo, input, terms, actor)
  await checkTraffic(tx, merchant, customerNo)
  const { device, payout, contacts } = input
  const applying = { customerNo, deviceId: device.deviceId, account: payout.walletAccount, contacts: contacts.length }
  return { customerNo, hits: await checkIntake(tx, merchant, applying) }
}

const freePayCode = async (tx: Tx): Promise<string> => {
  for (;;) {
    const payCode = newPayCode()
    if (!(await tx.maybe(sql<object>`select 1 as taken from loan_order where pay_code = ${payCode}`))) return payCode
  }
}

const kindOf = async (tx: Tx, customerNo: string): Promise<'first' | 'repeat'> =>
  (await tx.maybe(
    sql<object>`select 1 as lent from loan_order where customer_no = ${customerNo} and payout_time is not null limit 1`,
  ))
    ? 'repeat'
    : 'first'

/** A product takes orders while one of its prices is lawful; which one an order gets, its review decides. */
const checkServes = async (
  tx: Tx,
  { productNo, loanKind, terms }: { productNo: string; loanKind: string; terms: Terms },
  loanAmount: string,
): Promise<void> => {
  const [grid] = await gridsInForce(tx, sql`x.product_no = ${productNo} and x.loan_kind = ${loanKind}`)
  for (const cell of grid?.cells ?? []) if (!(await brokenCap(tx, pricedTerms(terms, cell), cell.amountMax))) return
  await checkLegal(tx, grid?.cells[0] ? pricedTerms(terms, grid.cells[0]) : terms, loanAmount)
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

/** One application of a merchant's system; machine review takes it from there. */
const take = async (call: PublicCall<Application>, merchant: Merchant, lists: ListValues): Promise<Answer> => {
  const { tx, input } = call
  const { merchantNo } = merchant
  call.actor = { ...call.actor, no: `merchant:${merchantNo}`, name: merchant.merchantName }
  const key = keyOf(call)
  const before = await answeredBefore(tx, key, merchantNo, input)
  if (before) {
    call.audit({ objectType: 'order', objectNo: before.orderNo, orderNo: before.orderNo, after: { replayed: true } })
    return before
  }
  const { productNo, terms, versionNo } = await productOf(tx, merchantNo, input)
  const { customerNo, hits } = await admit(call, merchant, terms, lists)
  const { loanAmount, actualLoanAmount } = quote(terms, { loanAmount: money(input.loanAmount) })
  const loanKind = await kindOf(tx, customerNo)
  await checkServes(tx, { productNo, loanKind, terms }, loanAmount)
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
  noteHits(tx, merchantNo, orderNo, hits)
  await follow(call, { orderNo, customerNo, merchantNo, loanAmount })
  call.audit({
    objectType: 'order',
    objectNo: orderNo,
    orderNo,
    after: {
      orderStatus: 'machine_reviewing',
      merchantNo,
      productNo,
      thirdOrderNo: input.thirdOrderNo,
      requestedAmount: loanAmount,
    },
  })
  const answer: Answer = { orderNo, orderStatus: 'machine_reviewing' }
  await finish(tx, key, JSON.stringify(answer))
  return answer
}

/** Where applications arrive, signed. */
const apply = (secrets: MerchantSecrets | undefined, lists: ListValues) =>
  serveSigned(contract.intake.apply, {
    signer: (tx, request) => signer(tx, request, secrets),
    handle: (call, merchant) => take(call, merchant, lists),
  })

/** Without a key of the installation secrets are read as they stand, which only tests do. */
export const intakeModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => ({
  served: [apply(secretKey && merchantSecrets(secretKey), listValues(secretKey ?? Buffer.alloc(32)))],
})
