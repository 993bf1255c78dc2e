import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import { money } from '../../../../core/rules/money.ts'
import { isProvenPayee } from '../../../../core/rules/payee.ts'
import type { Tx } from '../../../db/database.ts'
import { keepAsEvidence } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import { changes } from '../../../states/changes.ts'
import { type Move, transition } from '../../../states/transition.ts'
import { checkLegal, createLoanCode } from '../../after-loan/payout/index.ts'
import { releaseCoupon } from '../../operation/coupon/index.ts'
import { happened } from '../../operation/message-engine/index.ts'
import { type Order, takeCredit } from '../../order/order/index.ts'
import { hasReviewed } from '../person/audit-person.ts'
import { followReReview } from '../re-review/index.ts'
import { checkAmount, limitsOf } from './audit-limits.ts'
import { type Answered, answered, questionsOf } from './audit-review.ts'
import { refuseCodeFor } from './refuse-code.ts'
import { type Held, lockHeld } from './task-lease.ts'

const { audit } = contract
type Input = ParsedOf<typeof audit.submit>
type Of<R extends Input['auditResult']> = Call<Extract<Input, { auditResult: R }>>
type Decision = { move: Move; answers?: Answered[]; approvalAmount?: string; approvalTime?: string }

/** Clocks of desks are a little off; a time that much in the future counts as now. */
const clockToleranceMs = 60_000

const checkReview = async ({ tx, input }: Of<'pass'> | Of<'refuse'>, { order, task }: Held): Promise<Answered[]> => {
  const answers = answered(await questionsOf(tx, order, task), input.answers)
  if (input.faceConsistency === 'unsure' && !input.remark) throw invalid('remark', 'validation.faceUnsure')
  return answers
}

const approvalTimeOf = ({ tx, input }: Of<'pass'>, order: Order): string => {
  const at = Date.parse(input.approvalTime)
  if (at < Date.parse(order.applyTime) || at > tx.now.getTime() + clockToleranceMs)
    throw invalid('approvalTime', 'validation.approvalTimeRange')
  return new Date(Math.min(at, tx.now.getTime())).toISOString()
}

const pass = async (call: Of<'pass'>, held: Held): Promise<Decision> => {
  const { tx, session, input } = call
  const { order } = held
  const answers = await checkReview(call, held)
  if (!input.faceConsistency) throw invalid('faceConsistency', 'validation.infoComplete')
  if (input.faceConsistency === 'inconsistent') throw invalid('faceConsistency', 'validation.faceInconsistent')
  const approvalTime = approvalTimeOf(call, order)
  const approvalAmount = money(input.approvalAmount)
  checkAmount(order, await limitsOf(tx, order, session.userNo, { lock: true }), approvalAmount)
  if (!isProvenPayee(order.payoutVerify)) throw invalid('payout', 'validation.payoutNotVerified')
  const reviewed = { approvalAmount, approvalTime, statusTime: tx.now.toISOString(), auditTime: tx.now.toISOString() }
  if (order.auditStep < order.terms.auditStepCount) {
    return {
      answers,
      approvalAmount,
      approvalTime,
      move: {
        event: 'audit.pass',
        as: 'next',
        set: { ...reviewed, auditStep: order.auditStep + 1, auditorNo: null, lastSendBackReason: null },
      },
    }
  }
  const { loanAmount, actualLoanAmount } = quote(order.terms, { loanAmount: approvalAmount })
  await checkLegal(tx, order.terms, loanAmount)
  const set = {
    ...reviewed,
    loanAmount,
    actualLoanAmount,
    auditorNo: session.userNo,
    refuseCode: null,
    refuseRemark: null,
    refusedBy: null,
    lastSendBackReason: null,
  }
  return { answers, approvalAmount, approvalTime, move: { event: 'audit.pass', as: 'last', set } }
}

const refuse = async (call: Of<'refuse'>, held: Held): Promise<Decision> => {
  const { tx, session, input } = call
  const answers = await checkReview(call, held)
  const { refuseCode } = await refuseCodeFor(tx, session.language, input.refuseCode, input.remark)
  const set = {
    refuseCode,
    refuseRemark: input.remark || null,
    refusedBy: session.userNo,
    auditorNo: session.userNo,
    auditTime: tx.now.toISOString(),
    statusTime: tx.now.toISOString(),
  }
  return { answers, move: { event: 'audit.refuse', set } }
}

const sendBack = async ({ tx, input }: Of<'sent_back'>, { order }: Held): Promise<Decision> => {
  if (input.sendBackReason === 'other' && !input.remark) throw invalid('remark', 'validation.remarkNeeded')
  const set = {
    auditStep: Math.max(1, order.auditStep - 1),
    lastSendBackReason: input.sendBackReason,
    auditorNo: null,
    auditTime: tx.now.toISOString(),
    statusTime: tx.now.toISOString(),
  }
  return { move: { event: 'audit.reject', set } }
}

const decide = (call: Call<Input>, held: Held): Promise<Decision> => {
  switch (call.input.auditResult) {
    case 'pass':
      return pass(call as Of<'pass'>, held)
    case 'refuse':
      return refuse(call as Of<'refuse'>, held)
    case 'sent_back':
      return sendBack(call as Of<'sent_back'>, held)
  }
}

/** One person takes one step of an order. */
export const checkFresh = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, order: Order): Promise<void> => {
  const earlier = await tx.rows(
    sql<{
      auditorNo: string
      auditStep: number
    }>`select auditor_no, audit_step from order_hand where order_no = ${order.orderNo}`,
  )
  if (hasReviewed(earlier, session.userNo, order.auditStep)) throw new Fault('forbidden', 'errors.allotReviewed')
}

const writeRecord = async (
  { tx, session, input }: Call<Input>,
  { order, task }: Held,
  { answers, approvalAmount, approvalTime }: Decision,
) => {
  const auditRecordNo = newNo('AR', tx.now)
  const seconds = Math.max(0, Math.round((tx.now.getTime() - Date.parse(task.openTime ?? task.allotTime)) / 1000))
  tx.append('auditRecord', {
    auditRecordNo,
    orderNo: order.orderNo,
    auditTaskNo: task.auditTaskNo,
    auditorNo: session.userNo,
    auditStep: task.auditStep,
    auditResult: input.auditResult,
    approvalAmount,
    approvalTime,
    refuseCode: input.auditResult === 'refuse' ? input.refuseCode : null,
    sendBackReason: input.auditResult === 'sent_back' ? input.sendBackReason : null,
    faceConsistency: input.auditResult === 'sent_back' ? null : (input.faceConsistency ?? null),
    remark: input.remark || null,
    answers: answers ?? [],
    seconds,
    submitTime: tx.now,
  })
  for (const { questionNo, questionVersion, optionNos, answer } of answers ?? [])
    tx.append('auditAnswer', {
      auditRecordNo,
      questionNo,
      questionVersion,
      optionNos,
      answerText: optionNos.length ? null : answer,
      submitTime: tx.now,
    })
  return { auditRecordNo, seconds }
}

const decisions = { pending_disbursement: 'order.approved', approval_rejected: 'order.refused' } as const

/** The customer hears of a decision that ends the review. */
const tellDecision = async (tx: Tx, order: Order): Promise<void> => {
  const event = decisions[order.orderStatus as keyof typeof decisions]
  const objectNo = order.orderNo
  if (event) await happened(tx, { ...order, event, objectType: 'order', objectNo, occurrence: String(order.version) })
}

/** The credit that the approved amount takes from the customer. */
const reserve = async ({ tx, audit: note }: Call<Input>, order: Order): Promise<void> => {
  const { before, after } = await takeCredit(tx, order)
  note({
    objectType: 'customer',
    objectNo: order.customerNo,
    orderNo: order.orderNo,
    before: { remainingLimit: before },
    after: { remainingLimit: after },
  })
}

const shown = ({
  orderStatus,
  auditStep,
  loanAmount,
  actualLoanAmount,
  approvalAmount,
  approvalTime,
  auditorNo,
  refuseCode,
  lastSendBackReason,
}: Order) => ({
  orderStatus,
  auditStep,
  loanAmount,
  actualLoanAmount,
  approvalAmount,
  approvalTime,
  auditorNo,
  refuseCode,
  lastSendBackReason,
})

/** The decision of an auditor on one step: order, task, record, credit and loan code in one transaction. */
export const submit = serve(audit.submit, async call => {
  const { tx, session, input, actor } = call
  const held = await lockHeld(tx, session, input)
  const { order, task } = held
  checkVersion(order, input.version)
  await checkFresh(call, order)
  const decision = await decide(call, held)
  const { auditRecordNo, seconds } = await writeRecord(call, held, decision)
  const payload = {
    auditTaskNo: task.auditTaskNo,
    auditRecordNo,
    auditStep: task.auditStep,
    auditResult: input.auditResult,
  }
  const decided = await transition(tx, 'order', order, { ...decision.move, payload }, actor)
  if (input.auditResult !== 'sent_back')
    await keepAsEvidence(tx, { objectType: 'order', objectNo: order.orderNo, decision: 'audit.submit' })
  const set = {
    auditResult: input.auditResult,
    handleSeconds: seconds,
    submitTime: tx.now.toISOString(),
    leaseToken: null,
    leaseUntil: null,
    draft: null,
  }
  await transition(
    tx,
    'auditTask',
    task,
    { event: 'task.submit', set, payload: { ...payload, orderNo: order.orderNo } },
    actor,
  )
  call.audit({
    objectType: 'order',
    objectNo: order.orderNo,
    orderNo: order.orderNo,
    ...changes(shown(order), shown(decided)),
  })
  if (decided.orderStatus === 'pending_disbursement') {
    await reserve(call, decided)
    await createLoanCode(tx, decided, actor)
  }
  await followReReview(tx, decided, actor)
  await tellDecision(tx, decided)
  if (decided.orderStatus === 'approval_rejected') await releaseCoupon(tx, { orderNo: order.orderNo }, actor)
  return {
    orderNo: order.orderNo,
    orderStatus: decided.orderStatus,
    auditStep: task.auditStep,
    auditStepCount: order.terms.auditStepCount,
  }
})
