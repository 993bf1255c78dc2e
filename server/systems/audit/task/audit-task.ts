import { sql } from 'kysely'
import type { AuditTask, Draft } from '../../../../core/contract/audit/queue.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { quote } from '../../../../core/rules/loan/price.ts'
import { schedule } from '../../../../core/rules/loan/schedule.ts'
import { amountRefusal } from '../../../../core/rules/loan/terms.ts'
import { add, money, sum } from '../../../../core/rules/money.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { Fault, invalid, stateConflict } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { type Move, transition } from '../../../states/transition.ts'
import { acceptOrderPayee, markOrderChecked } from '../../after-loan/payout/index.ts'
import { byRule, dueRule } from '../../merchant/maturity/index.ts'
import { checkText } from '../../operation/sensitive-word/index.ts'
import {
  findOrder,
  isLeaseLive,
  lockActiveTask,
  lockOrder,
  type Order,
  orderBlocks,
  type Task,
} from '../../order/order/index.ts'
import { limitsOf } from './audit-limits.ts'
import { auditPayout } from './audit-payout.ts'
import { type Question, questionsOf } from './audit-review.ts'
import { submit } from './audit-submit.ts'
import { refuseCodes } from './refuse-code.ts'
import { handle, leaseEnd, leaseHolder, lockTask, nameOf, newLease } from './task-lease.ts'

const { audit } = contract

/** Which row of `task.open` applies to the caller; a colleague's task needs the right to handle any, a live lease force besides. */
const opening = async ({ tx, session, input }: Call<{ force?: boolean }>, task: Task): Promise<Pick<Move, 'as'>> => {
  const opened = task.auditTaskStatus === 'opened'
  if (task.auditorNo === session.userNo) return opened ? { as: 'own' } : {}
  const name = await nameOf(tx, leaseHolder(task) ?? task.auditorNo)
  if (isLeaseLive(tx, task) && leaseHolder(task) !== session.userNo && !input.force)
    throw new Fault('stateConflict', 'errors.takenOver', { name }, { status: task.auditTaskStatus, takenOverBy: name })
  return opened ? { as: 'colleague' } : {}
}

const answer = async (
  { tx, session }: Pick<Call, 'tx' | 'session'>,
  order: Order,
  task: Task,
  questions: Question[],
): Promise<AuditTask> => {
  const today = await tx.one(sql<{ doneToday: number; averageSeconds: number }>`
    select count(*)::int as done_today, coalesce(round(avg(seconds)), 0)::int as average_seconds from audit_record
    where auditor_no = ${session.userNo} and submit_time >= ${startOfEatDay(tx.today)}`)
  return {
    auditTaskNo: task.auditTaskNo,
    orderNo: order.orderNo,
    auditTaskStatus: task.auditTaskStatus,
    leaseToken: task.leaseToken ?? '',
    leaseUntil: task.leaseUntil ?? '',
    openTime: task.openTime ?? '',
    auditStep: task.auditStep,
    auditStepCount: order.terms.auditStepCount,
    orderVersion: order.version,
    draft: task.draft as Draft | null,
    questions,
    limits: await limitsOf(tx, order, session.userNo),
    ...today,
  }
}

const open = serve(audit.open, async call => {
  const { tx, session, input, actor } = call
  const order = await lockOrder(tx, session, input.orderNo, handle)
  const task = await lockActiveTask(tx, order.orderNo)
  await orderBlocks.check(call, audit.open, order.orderNo)
  if (!task) throw stateConflict(order.orderStatus, 'ORDER_STATUS')
  const { as } = await opening(call, task)
  const before = leaseHolder(task)
  const questions = await questionsOf(tx, order, task)
  const set = {
    ...newLease(tx, session.userNo),
    openTime: task.openTime ?? tx.now.toISOString(),
    ...(task.questions ? {} : { questions: JSON.stringify(questions) }),
  }
  const opened = await transition(
    tx,
    'auditTask',
    task,
    {
      event: 'task.open',
      as,
      set,
      payload: { orderNo: order.orderNo, takenFrom: before && before !== session.userNo ? before : null },
    },
    actor,
  )
  call.audit({
    objectType: 'auditTask',
    objectNo: task.auditTaskNo,
    orderNo: order.orderNo,
    before: { auditTaskStatus: task.auditTaskStatus, holder: before ?? null },
    after: { auditTaskStatus: opened.auditTaskStatus, holder: session.userNo },
  })
  return answer(call, order, opened, questions)
})

const heartbeat = serve(audit.heartbeat, async ({ tx, session, input, actor }) => {
  const { task } = await lockTask(tx, session, input)
  const leaseUntil = leaseEnd(tx)
  await transition(tx, 'auditTask', task, { event: 'task.heartbeat', set: { leaseUntil } }, actor)
  return { leaseUntil }
})

const draft = serve(audit.draft, async ({ tx, session, input, actor }) => {
  const { task } = await lockTask(tx, session, input)
  const draftTime = tx.now.toISOString()
  await transition(
    tx,
    'auditTask',
    task,
    { event: 'draft.save', set: { draft: JSON.stringify(input.draft), draftTime } },
    actor,
  )
  return { draftTime }
})

const trial = serve(audit.trial, async ({ tx, session, input }) => {
  const order = await findOrder(tx, session, input.orderNo, handle)
  const { terms } = order
  const amount = money(input.approvalAmount)
  const refusal = amountRefusal(terms, amount)
  if (refusal) throw invalid('approvalAmount', refusal.words, { step: refusal.step })
  const priced = quote(terms, { loanAmount: amount })
  const bills = schedule(terms, amount, tx.today, byRule(await dueRule(tx, order)))
  return {
    loanAmount: priced.loanAmount,
    actualLoanAmount: priced.actualLoanAmount,
    upfrontFee: add(priced.upfront.serviceFee, priced.upfront.managementFee),
    interest: priced.interestTotal,
    fees: add(priced.spread.serviceFee, priced.spread.managementFee),
    total: priced.repayTotal,
    bills: bills.map(bill => ({
      ...bill,
      billAmount: sum([bill.principal, bill.interest, bill.serviceFee, bill.managementFee]),
    })),
  }
})

const followSave = serve(audit.followSave, async call => {
  const { tx, session, input } = call
  const { order } = await lockTask(tx, session, input)
  const contactNo = input.contactNo ?? null
  if (
    contactNo &&
    !(await tx.maybe(sql`select 1 from order_contact where contact_no = ${contactNo} and order_no = ${order.orderNo}`))
  )
    throw invalid('contactNo', 'validation.wrongValue')
  const followNo = newNo('FW', tx.now)
  const { followResult, followRemark, confirmWord } = input
  const text = followRemark ?? ''
  const written = {
    scope: 'follow_note',
    text,
    confirmed: confirmWord,
    objectType: 'order',
    objectNo: order.orderNo,
  } as const
  const refusal = await checkText(call, written)
  if (refusal) return refusal
  tx.append('followRecord', {
    followNo,
    orderNo: order.orderNo,
    contactNo,
    followResult,
    followRemark: followRemark || null,
    createdBy: session.userNo,
    createdTime: tx.now,
  })
  call.audit({ objectType: 'follow', objectNo: followNo, orderNo: order.orderNo, after: { contactNo, followResult } })
  return { followNo }
})

/** An auditor at work on one order: lease, draft, calls, payout account, decision. */
export const auditTaskModule = (deps: Deps): Module => ({
  served: [
    open,
    heartbeat,
    draft,
    trial,
    followSave,
    submit,
    refuseCodes,
    ...auditPayout(deps.payout),
    markOrderChecked(deps.payout),
  ],
  approvals: [acceptOrderPayee],
})
