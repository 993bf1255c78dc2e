import { sql } from 'kysely'
import { quote } from '../../../../core/rules/loan/price.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import { gt } from '../../../../core/rules/money.ts'
import { offeredAmount, pricedTerms } from '../../../../core/rules/risk-price.ts'
import { ageOn, type Facts, type RuleHit, type Score, score } from '../../../../core/rules/score.ts'
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
import {
  type ListHit,
  type ListValues,
  listHitsOf,
  listValues,
  noteHits,
  noteNamed,
} from '../../risk/name-list/index.ts'
import { priceOf } from '../../risk/pricing/index.ts'

export const reviewQueue = 'machine.review'

type Prepared = { orderNo: string; asked: Instrument & Owner }
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

type Priced = { scored: Score; terms: Terms; priceVersionNo: string | null }

/** The offer of the price grid: terms and amount of the level, never more than was found to be bearable. */
const priced = async (tx: Tx, order: Order, scored: Score, settledLoans: number): Promise<Priced> => {
  const { productNo, loanKind, terms } = order
  const { modelLevel, suggestedAmount, ruleHits } = scored
  const price = suggestedAmount ? await priceOf(tx, { productNo, loanKind, modelLevel }) : null
  if (!price?.cell || !suggestedAmount) return { scored, terms, priceVersionNo: null }
  const offered = offeredAmount(terms, price.cell, suggestedAmount, settledLoans)
  const at = { terms: pricedTerms(terms, price.cell), priceVersionNo: price.versionNo }
  if (offered) return { ...at, scored: { ...scored, suggestedAmount: offered } }
  const refused: RuleHit = { ruleNo: 'MR_AMOUNT', outcome: 'refuse', points: 0 }
  return {
    ...at,
    scored: { ...scored, suggestedAmount: null, refuseCode: 'MR_AMOUNT', ruleHits: [refused, ...ruleHits] },
  }
}

/** Only the best go without a person, only at a lawful price, and only to an account that is proven theirs. */
const moveOf = async (
  tx: Tx,
  order: Order,
  { verifyResult }: Verified,
  now: string,
  { isDoubtful, ...scored }: Score & { isDoubtful: boolean },
): Promise<Move> => {
  const { modelScore, modelLevel, suggestedAmount, refuseCode, ruleHits } = scored
  const found = { modelScore, modelLevel, suggestedAmount, ruleHits: json(ruleHits), machineTime: now, statusTime: now }
  const payload = { modelScore, modelLevel, suggestedAmount, ...(refuseCode ? { refuseCode } : {}) }
  if (refuseCode || !suggestedAmount)
    return { event: 'machine.refuse', set: { ...found, refuseCode, refusedBy: 'system' }, payload }
  const { terms } = order
  const passed = { ...found, actualLoanAmount: quote(terms, { loanAmount: order.loanAmount }).actualLoanAmount }
  const isLarge = terms.autoApproveMax !== undefined && gt(suggestedAmount, terms.autoApproveMax)
  if (terms.manualReview || isDoubtful || isLarge || modelLevel !== 'A' || verifyResult !== 'passed')
    return { event: 'machine.pass', set: passed, payload }
  const { loanAmount, actualLoanAmount } = quote(terms, { loanAmount: suggestedAmount })
  if (await brokenCap(tx, terms, loanAmount)) return { event: 'machine.pass', set: passed, payload }
  return {
    event: 'machine.autoApprove',
    set: { ...found, approvalAmount: loanAmount, loanAmount, actualLoanAmount, approvalTime: now, auditTime: now },
    payload,
  }
}

/** A list that refuses decides before the score does; every hit is listed. */
const withLists = (scored: Score, hits: readonly ListHit[]): Score => {
  if (hits.length === 0) return scored
  const met = hits.map(
    ({ nameListNo, listEffect }): RuleHit => ({
      ruleNo: nameListNo,
      outcome: listEffect === 'refuse' ? 'refuse' : 'points',
      points: 0,
    }),
  )
  const ruleHits = [...met, ...scored.ruleHits]
  return hits.some(hit => hit.listEffect === 'refuse')
    ? { ...scored, suggestedAmount: null, refuseCode: 'MR_LIST', ruleHits }
    : { ...scored, ruleHits }
}

const review = async (tx: Tx, orderNo: string, verified: Verified, lists: ListValues): Promise<void> => {
  const order = await lockOrder(tx, null, orderNo)
  if (order.orderStatus !== 'machine_reviewing') return
  const actor = system(newRequestId())
  const now = tx.now.toISOString()
  const facts = await factsOf(tx, order, verified)
  const hits = await listHitsOf(tx, lists, { merchantNo: order.merchantNo, named: await noteNamed(tx, lists, order) })
  await noteHits(tx, orderNo, hits)
  const metBy = withLists(score(facts, order.terms), hits)
  const { scored, terms, priceVersionNo } = await priced(tx, order, metBy, facts.settledLoans)
  const isDoubtful = hits.some(hit => hit.listEffect === 'review')
  const move = await moveOf(tx, { ...order, terms }, verified, now, { ...scored, isDoubtful })
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
  secretKey,
}: Pick<Deps, 'payout'> & Partial<Pick<Deps, 'secretKey'>>): Module => {
  const lists = listValues(secretKey ?? Buffer.alloc(32))
  const handler: NetworkHandler<Prepared, Verified> = {
    queue: reviewQueue,
    async before(tx, { jobKey }) {
      const order = await tx.one(sql<Instrument & Owner & { orderStatus: string }>`
        select o.order_status, o.payout_subtype, o.wallet_account, c.customer_name, c.phone
        from loan_order o join customer c using (customer_no) where o.order_no = ${jobKey}`)
      return order.orderStatus === 'machine_reviewing' ? { orderNo: jobKey, asked: order } : null
    },
    send: ({ asked }) => verifyHolder(payout, asked, asked),
    after: (tx, { orderNo }, verified) => review(tx, orderNo, verified, lists),
  }
  return { served: [], queues: [handler as unknown as NetworkHandler<never, never>] }
}
