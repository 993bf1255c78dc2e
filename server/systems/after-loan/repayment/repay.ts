import { sql } from 'kysely'
import { repay } from '../../../../core/contract/after-loan/repayment.ts'
import { gt, gte, isZero, money, sum } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { ApprovalAction, Deps, Module } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { orderScope } from '../../order/order/index.ts'
import { flowScope } from '../flow/flow-store.ts'
import { type WriteOff, writeOff } from '../write-off/write-off.ts'
import { checkConfirmed, flowsOf, readForm } from '../write-off/write-off-form.ts'
import { checkConversion, type RollbackKind, rollBackAs } from './convert.ts'
import { extensionCancel, extensionQuote, openExtensions } from './extension/quote.ts'
import { freeOf, lockOverpayment } from './overflow.ts'
import { billList } from './repay-bills.ts'
import { recordBlocks, repayBlocks } from './repay-blocks.ts'
import { repayList, repayRow } from './repay-list.ts'
import { balancesOfOrder, billsOfOrder, flowsOfOrder, journalsOfOrder, recordsOfOrder } from './repay-source.ts'
import { lockForRollback, rollbackSummary } from './rollback.ts'
import { checkRepayable, type Outcome, type Standing, shown, standingOf, tryOut } from './trial.ts'
import { zeroPreview, zeroSettle } from './zero-settle.ts'

const rollbackPerm = 'postloan:rollback:full'
/** By which list somebody reads orders: that of orders, or that of bills. */
const pageOf = ({ perms }: Session) => (perms.has('repay:order:page') ? 'repay:order:page' : 'repay:bill:page')

type OrderKeys = { orderNo: string; customerNo: string; payCode: string | null }
const keysOf = (tx: Tx, orderNo: string) =>
  tx.one(sql<OrderKeys>`select order_no, customer_no, pay_code from loan_order where order_no = ${orderNo}`)

const detail = serve(repay.detail, async ({ tx, session, input: { orderNo } }) => {
  const order = await repayRow(tx, orderNo, orderScope(session, pageOf(session)))
  if (!order) throw notFound()
  const keys = await keysOf(tx, orderNo)
  const records = await recordsOfOrder(tx, orderNo)
  const [blockedBy = {}] = await repayBlocks.of({ tx, session }, [orderNo])
  const said = await recordBlocks.of(
    { tx, session },
    records.map(record => record.repaymentNo),
  )
  return {
    order: { ...order, blockedBy },
    bills: await billsOfOrder(tx, orderNo),
    records: records.map((record, at) => ({ ...record, blockedBy: said[at] ?? {} })),
    extensions: await openExtensions({ tx, session }, orderNo),
    flows: await flowsOfOrder(tx, keys, flowScope(session)),
    journals: await journalsOfOrder(tx, orderNo),
    balances: await balancesOfOrder(tx, keys),
  }
})

const trial = serve(repay.trial, async ({ tx, session, input, request }) => {
  const { standing, outcome, unproven, coupons } = await readForm(tx, session, input, {
    commit: false,
    perm: pageOf(session),
  })
  const said = input.flows.length > 0 ? outcome : { ...outcome, refusal: undefined }
  const projected = outcome.asked.valueDate > tx.today
  return shown(standing, said, request.language, { unproven, projected, coupons })
})

const events = {
  settle: 'repay.settle',
  partial: 'repay.partial',
  extension: 'repay.extension',
  overpayment: 'repay.overpayment',
} as const

/** Writes off, notes it in the audit log together with `noted`, and answers the new state of the order. */
const writeOffNoted = async (
  { tx, actor, audit }: Pick<Call, 'tx' | 'actor' | 'audit'>,
  { standing, outcome }: { standing: Standing; outcome: Outcome },
  { noted, ...how }: Omit<WriteOff, 'actor'> & { noted: Record<string, unknown> },
) => {
  const { orderNo, orderStatus: statusBefore } = standing.order
  const { repaymentNo, amount, outstanding, orderStatus } = await writeOff(tx, standing, outcome, { ...how, actor })
  audit({
    objectType: 'order',
    objectNo: orderNo,
    orderNo,
    before: { orderStatus: statusBefore, outstanding: outcome.trial.outstanding },
    after: { orderStatus, outstanding, repaymentNo, ...noted },
  })
  return { repaymentNo, amount, outstanding, orderStatus }
}

const commit = serve(repay.commit, async call => {
  const { tx, session, input, request } = call
  const { version, trialKey, confirmGreater, confirmLess, confirmNotExtension, remark, ...form } = input
  const read = await readForm(tx, session, form, { commit: true, perm: 'postloan:repay:commit' })
  const { standing, outcome } = read
  checkVersion(standing.order, version)
  const answer = shown(standing, outcome, request.language)
  checkConfirmed(outcome, { trialKey, confirmGreater, confirmLess, confirmNotExtension }, standing, answer)
  return writeOffNoted(call, read, {
    event: events[form.repayType],
    sources: { kind: 'flows', flows: flowsOf(form, read) },
    remark,
    noted: { amount: outcome.trial.amount, valueDate: outcome.asked.valueDate },
  })
})

const reuseOverflow = serve(repay.reuseOverflow, async call => {
  const { tx, session, input } = call
  const amount = money(input.amount)
  if (isZero(amount)) throw invalid('amount', 'validation.writeOffIncomplete')
  const standing = await standingOf(tx, input.orderNo, {
    where: orderScope(session, 'postloan:repay:commit'),
    lock: true,
  })
  const { order } = standing
  checkVersion(order, input.version)
  checkRepayable(standing)
  const overpayment = await lockOverpayment(tx, order.customerNo)
  if (!overpayment || isZero(freeOf(overpayment))) throw new Fault('validation', 'errors.noOverflow')
  const quote = { valueDate: tx.today, sources: [overpayment.overpaymentNo], smallSettle: false }
  const { settleAmount } = tryOut(standing, { ...quote, repayType: 'settle', amounts: [] }, tx.today).trial
  if (gt(amount, freeOf(overpayment)) || gt(amount, settleAmount)) throw invalid('amount', 'errors.limitExceeded')
  const repayType = gte(amount, settleAmount) ? 'settle' : 'partial'
  const outcome = tryOut(standing, { ...quote, repayType, amounts: [amount] }, tx.today)
  if (outcome.refusal) throw new Fault('validation', outcome.refusal)
  const { repaymentNo, outstanding } = await writeOffNoted(
    call,
    { standing, outcome },
    { event: events[repayType], sources: { kind: 'overflow', overpayment, amount }, noted: { overflowUsed: amount } },
  )
  return { repaymentNo, outstanding }
})

const rollback = serve(repay.rollback, async call => {
  const { tx, session, input, audit } = call
  const { record, standing } = await lockForRollback(tx, input.repaymentNo, orderScope(session, rollbackPerm))
  checkVersion(record, input.version)
  await checkConversion(tx, record, input.rollbackAs, call.actor)
  const approvalNo = await requestApproval(call, {
    action: 'repay.rollback',
    perm: rollbackPerm,
    objectType: 'repaymentRecord',
    objectNo: record.repaymentNo,
    orderNo: record.orderNo,
    merchantNo: standing.order.merchantNo,
    version: record.version,
    payload: { repaymentNo: record.repaymentNo, reason: input.reason, rollbackAs: input.rollbackAs },
    summary: rollbackSummary(record, input),
  })
  audit({
    objectType: 'repaymentRecord',
    objectNo: record.repaymentNo,
    orderNo: record.orderNo,
    after: { approvalNo, reason: input.reason, rollbackAs: input.rollbackAs },
  })
  return { approvalNo }
})

const rollbackApproval: ApprovalAction = {
  action: 'repay.rollback',
  perm: rollbackPerm,
  money: true,
  execute: (tx, { objectNo, payload, maker, checker }) =>
    rollBackAs(tx, objectNo, (payload as { rollbackAs?: RollbackKind }).rollbackAs ?? 'plain', { maker, checker }),
}

const payCode = serve(repay.payCode, async ({ tx, session, input: { orderNo } }) => {
  const order = await repayRow(tx, orderNo, orderScope(session, pageOf(session)))
  if (!order) throw notFound()
  const code = (await keysOf(tx, orderNo)).payCode
  const until = order.dueDate && order.dueDate > tx.today ? order.dueDate : tx.today
  const due = (await billsOfOrder(tx, orderNo)).filter(
    bill => ['pending', 'partial'].includes(bill.billStatus) && bill.dueDate <= until,
  )
  return {
    payCode: code,
    channel: code ? ('mtn_momo' as const) : null,
    amount: sum(due.map(bill => bill.left)),
    dueDate: order.dueDate,
  }
})

/** Repayments: what is owed, writing received money off, settling residues, and taking a mistake back. */
export const repayModule = (_deps?: Deps): Module => ({
  served: [
    serveListed(repayList),
    serveListed(billList),
    detail,
    trial,
    commit,
    extensionQuote,
    extensionCancel,
    zeroPreview,
    zeroSettle,
    reuseOverflow,
    rollback,
    payCode,
  ],
  lists: [repayList, billList],
  approvals: [rollbackApproval],
})
