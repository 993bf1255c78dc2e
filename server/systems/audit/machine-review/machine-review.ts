import { sql } from 'kysely'
import { quote } from '../../../../core/rules/loan/price.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import {
  concluded,
  decisionOf,
  type Incomplete,
  type Inputs,
  type Judged,
  offered,
  type Ruled,
  ruled,
  undecided,
} from '../../../../core/rules/risk/judge.ts'
import { type PriceCell, pricedTerms } from '../../../../core/rules/risk-price.ts'
import { ageOn, type Facts } from '../../../../core/rules/score.ts'
import type { Tx } from '../../../db/database.ts'
import { isPassing } from '../../../db/faults.ts'
import { json } from '../../../db/json.ts'
import { newRequestId } from '../../../http/request.ts'
import type { Deps, Module, NetworkHandler } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
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
import { type Plan, planInForce, reviewMode } from '../../risk/plan/index.ts'
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
import { incompleteWarning, noteIncomplete, reviewQueue } from './incomplete.ts'

/** Longer than this nobody is waited for. */
const patienceMs = 30_000

type Ready = {
  asked: Instrument & Owner
  /** One version from start to end, whatever is changed meanwhile. */
  plan: Plan
  models: Asked
  facts: ReturnType<typeof factValues>
}
type Sent = { verified: Verified; answers: Answers }
/** Nothing can be decided, and why. */
type Off = { off: Incomplete }
type Prepared = { orderNo: string; ready: Ready | Off }
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

/** Whether everything goes to people now. */
const allManual = async (tx: Tx): Promise<true | undefined> =>
  (await reviewMode(tx)) === 'manual_all' ? true : undefined

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
  const offer = offered(rules.scored, { ...known, ...price })
  const isOver = async () =>
    Boolean(
      await brokenCap(tx, price.terms, quote(price.terms, { loanAmount: offer.suggestedAmount ?? '' }).loanAmount),
    )
  const overCap = decisionOf(offer, rules.isDoubtful, { ...known, overCap: false }) === 'approve' && (await isOver())
  const inputs = { ...known, cell: price.cell, overCap }
  return { ...price, inputs, judged: concluded(rules, offer, inputs) }
}

/** The row of the machine that a decision goes by, with what it writes. */
const moveOf = (order: Order, terms: Terms, judged: Judged, now: string): Move => {
  const { decision, modelScore, modelLevel, suggestedAmount, refuseCode, ruleHits } = judged
  const found = { modelScore, modelLevel, suggestedAmount, ruleHits: json(ruleHits), machineTime: now, statusTime: now }
  const payload = { modelScore, modelLevel, suggestedAmount, ...(refuseCode ? { refuseCode } : {}) }
  if (decision === 'refuse')
    return { event: 'machine.refuse', set: { ...found, refuseCode, refusedBy: 'system' }, payload }
  if (decision !== 'approve' || !suggestedAmount) {
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
  { plan, models, sent, lists }: Pick<Ready, 'plan' | 'models'> & { sent: Sent; lists: ListValues },
): Promise<Concluded> => {
  const began = performance.now()
  const { verified, answers } = sent
  const facts = await factsOf(tx, order, verified)
  const hits = await listHitsOf(tx, lists, { merchantNo: order.merchantNo, named: await noteNamed(tx, lists, order) })
  await noteHits(tx, order.orderNo, hits)
  const met = hits.map(({ nameListNo, listEffect }) => ({ nameListNo, listEffect }))
  const values = await ruleFacts(tx, order, facts, met)
  const sets = await setsInForce(tx, order, plan.ruleSetNos)
  const { terms, loanKind } = order
  const manualAll = await allManual(tx)
  const known = {
    ...(manualAll ? { manualAll } : {}),
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
  const { planVersionNo } = plan
  await noteDecision(tx, order, { ...concluded, facts: values, sets, planVersionNo, modelNo, modelVersion, durationMs })
  return concluded
}

/** Moves an order as was decided, with a line in the audit log. */
const moved = async (tx: Tx, order: Order, move: Move, actor: Actor): Promise<Order> => {
  const { orderNo } = order
  const reviewed = await transition(tx, 'order', order, move, actor)
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
    after: { orderStatus: reviewed.orderStatus, payoutVerify: reviewed.payoutVerify, ...move.payload },
  })
  return reviewed
}

const review = async (
  tx: Tx,
  order: Order,
  { plan, models }: Ready,
  given: { sent: Sent; lists: ListValues },
): Promise<void> => {
  const { orderNo } = order
  const actor = system(newRequestId())
  const { verified } = given.sent
  const { terms, priceVersionNo, judged } = await judgeOrder(tx, order, { plan, models, ...given })
  const move = moveOf(order, terms, judged, tx.now.toISOString())
  const set = {
    ...move.set,
    terms: json(terms),
    priceVersionNo,
    payoutVerify: verified.verifyResult,
    payoutHolderName: verified.holderName,
  }
  const reviewed = await moved(tx, order, { ...move, set }, actor)
  await consume(tx, { meter: 'machine_review', subjectNo: orderNo, merchantNo: order.merchantNo })
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

/** Notes that nothing could be decided; after the last try a person decides. */
const leave = async (tx: Tx, order: Order, why: Incomplete): Promise<void> => {
  const isLast = await noteIncomplete(tx, order, { why, manualAll: await allManual(tx), durationMs: 0 })
  if (!isLast) return
  const move = moveOf(order, order.terms, undecided, tx.now.toISOString())
  await moved(tx, order, { ...move, payload: { incomplete: why } }, system(newRequestId()))
}

/** What is known before anybody outside is asked. */
const prepare = async (tx: Tx, order: Order, asked: Instrument & Owner): Promise<Ready | Off> => {
  const plan = await planInForce(tx, order)
  if (!plan) return { off: 'no_plan' }
  // Services get what is known before the wallet is asked about.
  const facts = factValues(await factsOf(tx, order, unasked), order.loanKind)
  return { asked, plan, models: await modelsOfOrder(tx, order, plan.modelNo), facts }
}

/** What somebody takes too long over is not waited for. */
const inTime = async <T>(work: Promise<T>): Promise<T | Off> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Off>(done => {
    timer = setTimeout(() => done({ off: 'timeout' }), patienceMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Decides what happens to an application: refused with a code, passed to the review floor, or approved. */
export const machineReviewModule = ({
  payout,
  secretKey = Buffer.alloc(32),
  score,
  log,
}: Pick<Deps, 'payout'> & Partial<Pick<Deps, 'secretKey' | 'score' | 'log'>>): Module => {
  const lists = listValues(secretKey)
  const sealed = sealedKeys(secretKey)
  /** A fault decides nothing; what collided with another transaction is run again at once. */
  const safely = async <T>(orderNo: string, work: () => Promise<T>): Promise<T | Off> => {
    try {
      return await work()
    } catch (error) {
      if (isPassing(error)) throw error
      log?.error({ event: 'machineReview.fault', orderNo, err: error }, 'machine review could not decide')
      return { off: 'fault' }
    }
  }
  const ask = async ({ asked, models, facts }: Ready): Promise<Sent> => {
    const [verified, answers] = await Promise.all([
      verifyHolder(payout, asked, asked),
      askServices(score, sealed, models, facts),
    ])
    return { verified, answers }
  }
  const handler: NetworkHandler<Prepared, Sent | Off> = {
    queue: reviewQueue,
    async before(tx, { payload }) {
      const orderNo = String(payload.orderNo)
      const asked = await tx.one(sql<Instrument & Owner & { orderStatus: string }>`
        select o.order_status, o.payout_subtype, o.wallet_account, c.customer_name, c.phone
        from loan_order o join customer c using (customer_no) where o.order_no = ${orderNo}`)
      if (asked.orderStatus !== 'machine_reviewing') return null
      const order = await lockOrder(tx, null, orderNo)
      return { orderNo, ready: await safely(orderNo, () => tx.attempt(inner => prepare(inner, order, asked))) }
    },
    send: async ({ orderNo, ready }) => ('off' in ready ? ready : safely(orderNo, () => inTime(ask(ready)))),
    async after(tx, { orderNo, ready }, sent) {
      const order = await lockOrder(tx, null, orderNo)
      if (order.orderStatus !== 'machine_reviewing') return
      const off = 'off' in ready ? ready : 'off' in sent ? sent : null
      const work = (inner: Tx) => review(inner, order, ready as Ready, { sent: sent as Sent, lists })
      const failed = off ?? (await safely(orderNo, () => tx.attempt(work)))
      if (failed) await leave(tx, order, failed.off)
    },
  }
  return {
    served: [],
    queues: [handler as unknown as NetworkHandler<never, never>],
    warnings: [incompleteWarning],
  }
}
