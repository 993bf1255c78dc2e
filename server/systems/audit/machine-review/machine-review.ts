import { sql } from 'kysely'
import { quote } from '../../../../core/rules/loan/price.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { decisionOf, type Inputs, type Judged, offered, type Ruled, ruled } from '../../../../core/rules/risk/judge.ts'
import { type PriceCell, pricedTerms } from '../../../../core/rules/risk-price.ts'
import { ageOn, type Facts } from '../../../../core/rules/score.ts'
import type { Tx } from '../../../db/database.ts'
import { json } from '../../../db/json.ts'
import { newRequestId } from '../../../http/request.ts'
import type { Deps, Module, NetworkHandler } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { type Move, transition } from '../../../states/transition.ts'
import {
  brokenCap,
  createLoanCode,
  type Instrument,
  isSameName,
  type Owner,
  type Verified,
  verifyHolder,
} from '../../after-loan/payout/index.ts'
import { consume } from '../../merchant/consumption/index.ts'
import { releaseCoupon } from '../../operation/coupon/index.ts'
import { happened } from '../../operation/message-engine/index.ts'
import { lockOrder, type Order, takeCredit, usableLimit } from '../../order/order/index.ts'
import { type ListValues, listHitsOf, listValues, noteHits, noteNamed } from '../../risk/name-list/index.ts'
import { type Plan, planInForce } from '../../risk/plan/index.ts'
import { priceOf } from '../../risk/pricing/index.ts'
import {
  type Answers,
  type Asked,
  askServices,
  factValues,
  modelsOfOrder,
  scoreOrder,
  sealedKeys,
} from '../../risk/risk-model/index.ts'
import { noteDecision, ruleFacts, setsInForce } from '../../risk/rule-set/index.ts'

export const reviewQueue = 'machine.review'

type Prepared = {
  orderNo: string
  asked: Instrument & Owner
  /** One version from start to end, whatever is changed meanwhile. */
  plan: Plan | null
  models: Asked
  facts: ReturnType<typeof factValues>
}
type Sent = { verified: Verified; answers: Answers }
type Person = { customerName: string; phone: string; birthDate: string; monthlyIncome: string; remainingLimit: string }
type History = Pick<
  Facts,
  | 'openLoans'
  | 'settledLoans'
  | 'maxOverdueDays'
  | 'overdueNow'
  | 'recentRefusals'
  | 'contactCount'
  | 'overdueContacts'
  | 'sharedDeviceCount'
>

const dayMs = 86_400_000

const historyOf = (tx: Tx, { orderNo, customerNo, device }: Order): Promise<History> => {
  const deviceId = (device as { deviceId?: string } | null)?.deviceId ?? null
  const monthAgo = new Date(tx.now.getTime() - 30 * dayMs)
  return tx.one(sql<History>`
    select own.*, contact.*,
      (select count(distinct d.customer_no)::int from loan_order d where d.apply_time > ${monthAgo} and d.customer_no <> ${customerNo} and d.device ->> 'deviceId' = ${deviceId}) as shared_device_count
    from (
      select count(*) filter (where order_status = 'funds_disbursed')::int as open_loans, count(*) filter (where order_status = 'settled')::int as settled_loans,
        coalesce(max(overdue_days), 0)::int as max_overdue_days, coalesce(bool_or(overdue and order_status = 'funds_disbursed'), false) as overdue_now,
        count(*) filter (where order_status in ('machine_refused', 'approval_rejected') and apply_time > ${monthAgo})::int as recent_refusals
      from loan_order where customer_no = ${customerNo} and order_no <> ${orderNo}
    ) own, (
      select count(*)::int as contact_count, count(*) filter (where exists (
        select 1 from merchant_customer c join loan_order l using (customer_no, merchant_no) where c.phone = oc.contact_phone and l.overdue and l.order_status = 'funds_disbursed'))::int as overdue_contacts
      from order_contact oc where oc.order_no = ${orderNo} and oc.contact_source = 'declared'
    ) contact`)
}

const factsOf = async (tx: Tx, order: Order, verified: Verified): Promise<Facts> => {
  const person = await tx.one(sql<Person>`
    select customer_name, phone, birth_date, monthly_income, ${usableLimit(tx.today, order.merchantNo, order.orderNo)} as remaining_limit from order_customer c where customer_no = ${order.customerNo} and merchant_no = ${order.merchantNo}`)
  const device = (order.device ?? {}) as { rooted?: boolean; emulator?: boolean }
  return {
    ...(await historyOf(tx, order)),
    age: ageOn(person.birthDate, tx.today),
    monthlyIncome: person.monthlyIncome,
    requestedAmount: order.requestedAmount,
    remainingLimit: person.remainingLimit,
    rooted: device.rooted ?? false,
    emulator: device.emulator ?? false,
    ownWallet:
      order.walletAccount === person.phone &&
      isSameName(order.cardholderName, person.customerName) &&
      verified.verifyResult !== 'failed',
  }
}

const unasked: Verified = { verifyResult: 'unavailable', holderName: null, matchScore: null }

type Judging = { order: Order; known: Omit<Inputs, 'cell' | 'overCap'>; rules: Ruled }
type Price = { cell: PriceCell | null; terms: Terms; priceVersionNo: string | null }

/** The price grid of the level that rules and model found. */
const priceFor = async (tx: Tx, { productNo, loanKind, terms }: Order, { scored }: Ruled): Promise<Price> => {
  const { modelLevel, suggestedAmount } = scored
  const price = suggestedAmount && modelLevel ? await priceOf(tx, { productNo, loanKind, modelLevel }) : null
  if (!price?.cell) return { cell: null, terms, priceVersionNo: null }
  return { cell: price.cell, terms: pricedTerms(terms, price.cell), priceVersionNo: price.versionNo }
}

type Concluded = Price & { inputs: Inputs; judged: Judged }

/** The decision at a price: a person decides where the law forbids it. */
const conclude = async (tx: Tx, { order, known, rules }: Judging): Promise<Concluded> => {
  const price = await priceFor(tx, order, rules)
  const { refuseCode, modelScore, modelLevel, suggestedAmount, ruleHits } = offered(rules.scored, {
    ...known,
    ...price,
  })
  const decided = (overCap: boolean) =>
    decisionOf({ suggestedAmount, refuseCode }, rules.isDoubtful, { ...known, overCap })
  const isOver = async () =>
    Boolean(await brokenCap(tx, price.terms, quote(price.terms, { loanAmount: suggestedAmount ?? '' }).loanAmount))
  const overCap = decided(false) === 'approve' && (await isOver())
  const judged = { refuseCode, modelScore, modelLevel, suggestedAmount, ruleHits, found: rules.found }
  return {
    ...price,
    inputs: { ...known, cell: price.cell, overCap },
    judged: { ...judged, decision: decided(overCap) },
  }
}

/** The row of the machine that a decision goes by, with what it writes. */
const moveOf = (order: Order, terms: Terms, judged: Judged, now: string): Move => {
  const { decision, modelScore, modelLevel, suggestedAmount, refuseCode, ruleHits } = judged
  const found = { modelScore, modelLevel, suggestedAmount, ruleHits: json(ruleHits), machineTime: now, statusTime: now }
  const payload = { modelScore, modelLevel, suggestedAmount, ...(refuseCode ? { refuseCode } : {}) }
  if (decision === 'refuse' || !suggestedAmount)
    return { event: 'machine.refuse', set: { ...found, refuseCode, refusedBy: 'system' }, payload }
  if (decision === 'review') {
    const { actualLoanAmount } = quote(terms, { loanAmount: order.loanAmount })
    return { event: 'machine.pass', set: { ...found, actualLoanAmount }, payload }
  }
  const { loanAmount, actualLoanAmount } = quote(terms, { loanAmount: suggestedAmount })
  return {
    event: 'machine.autoApprove',
    set: { ...found, approvalAmount: loanAmount, loanAmount, actualLoanAmount, approvalTime: now, auditTime: now },
    payload,
  }
}

/** Finds what is known, asks lists, rules and model, and writes down what was decided by what. */
const judgeOrder = async (
  tx: Tx,
  order: Order,
  { plan, models, sent, lists }: Pick<Prepared, 'plan' | 'models'> & { sent: Sent; lists: ListValues },
): Promise<Concluded> => {
  const began = performance.now()
  const { verified, answers } = sent
  const facts = await factsOf(tx, order, verified)
  const hits = await listHitsOf(tx, lists, { merchantNo: order.merchantNo, named: await noteNamed(tx, lists, order) })
  await noteHits(tx, order.orderNo, hits)
  const met = hits.map(({ nameListNo, listEffect }) => ({ nameListNo, listEffect }))
  const values = await ruleFacts(tx, order, facts, met)
  const sets = await setsInForce(tx, order, plan?.ruleSetNos)
  const { terms, loanKind } = order
  const known = {
    requestedAmount: facts.requestedAmount,
    monthlyIncome: facts.monthlyIncome,
    remainingLimit: facts.remainingLimit,
    settledLoans: facts.settledLoans,
    limits: { minAmount: terms.minAmount, maxAmount: terms.maxAmount, amountStep: terms.amountStep },
    manualReview: Boolean(terms.manualReview),
    autoApproveMax: terms.autoApproveMax ?? null,
    scoring: await scoreOrder(tx, order, facts, models, answers),
    bands: models.bands
      .filter(band => band.loanKind === loanKind)
      .map(({ modelLevel, bandDecision, maxAmountRate }) => ({ modelLevel, bandDecision, maxAmountRate })),
    lists: met,
    verifyResult: verified.verifyResult,
  }
  const concluded = await conclude(tx, { order, known, rules: ruled(sets, values, known) })
  const { modelNo, modelVersion } = models.decides
  const durationMs = Math.round(performance.now() - began)
  const planVersionNo = plan?.planVersionNo ?? null
  await noteDecision(tx, order, { ...concluded, facts: values, sets, planVersionNo, modelNo, modelVersion, durationMs })
  return concluded
}

const review = async (tx: Tx, { orderNo, plan, models }: Prepared, sent: Sent, lists: ListValues): Promise<void> => {
  const order = await lockOrder(tx, null, orderNo)
  if (order.orderStatus !== 'machine_reviewing') return
  const actor = system(newRequestId())
  const now = tx.now.toISOString()
  const { verified } = sent
  const { terms, priceVersionNo, judged } = await judgeOrder(tx, order, { plan, models, sent, lists })
  const move = moveOf(order, terms, judged, now)
  const set = {
    ...move.set,
    terms: json(terms),
    priceVersionNo,
    payoutVerify: verified.verifyResult,
    payoutHolderName: verified.holderName,
  }
  const reviewed = await transition(tx, 'order', order, { ...move, set }, actor)
  await consume(tx, { meter: 'machine_review', subjectNo: orderNo, merchantNo: order.merchantNo })
  tx.append('auditLog', {
    action: move.event,
    objectType: 'order',
    objectNo: orderNo,
    orderNo,
    actor: actor.no,
    actorName: actor.name,
    at: tx.now,
    requestId: actor.requestId,
    ip: null,
    before: { orderStatus: order.orderStatus },
    after: { orderStatus: reviewed.orderStatus, payoutVerify: verified.verifyResult, ...move.payload },
  })
  const said = { 'machine.refuse': 'order.machineRefused', 'machine.autoApprove': 'order.approved' } as const
  const event = said[move.event as keyof typeof said]
  const occurrence = String(reviewed.version)
  if (event) await happened(tx, { ...reviewed, event, objectType: 'order', objectNo: orderNo, occurrence })
  if (move.event === 'machine.refuse') await releaseCoupon(tx, { orderNo }, actor)
  if (move.event !== 'machine.autoApprove') return
  const approved = { ...reviewed, terms }
  await takeCredit(tx, approved)
  await createLoanCode(tx, approved, actor)
}

/** Decides what happens to an application: refused with a code, passed to the review floor, or approved. */
export const machineReviewModule = ({
  payout,
  secretKey = Buffer.alloc(32),
  score,
}: Pick<Deps, 'payout'> & Partial<Pick<Deps, 'secretKey' | 'score'>>): Module => {
  const lists = listValues(secretKey)
  const sealed = sealedKeys(secretKey)
  const handler: NetworkHandler<Prepared, Sent> = {
    queue: reviewQueue,
    async before(tx, { jobKey }) {
      const order = await tx.one(sql<Instrument & Owner & { orderStatus: string }>`
        select o.order_status, o.payout_subtype, o.wallet_account, c.customer_name, c.phone
        from loan_order o join customer c using (customer_no) where o.order_no = ${jobKey}`)
      if (order.orderStatus !== 'machine_reviewing') return null
      const whole = await lockOrder(tx, null, jobKey)
      // Services get what is known before the wallet is asked about.
      const facts = factValues(await factsOf(tx, whole, unasked), whole.loanKind)
      const plan = await planInForce(tx, whole)
      return { orderNo: jobKey, asked: order, plan, models: await modelsOfOrder(tx, whole, plan?.modelNo), facts }
    },
    async send({ asked, models, facts }) {
      const [verified, answers] = await Promise.all([
        verifyHolder(payout, asked, asked),
        askServices(score, sealed, models, facts),
      ])
      return { verified, answers }
    },
    after: (tx, prepared, sent) => review(tx, prepared, sent, lists),
  }
  return { served: [], queues: [handler as unknown as NetworkHandler<never, never>] }
}
