import { contract } from '../../core/contract/contract.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import { lotName, walletOf } from './fixture.ts'
import type { Game } from './game.ts'
import { accountOf } from './pay-in-model.ts'
import { checkReversible } from './payout-acts.ts'
import { findCode } from './payout-model.ts'
import { restOf, rollBack, tried } from './repay-model.ts'
import { type Approval, type Order, type PayIn, type Receipt, refuse, step } from './state.ts'
import { type Cents, money } from './sums.ts'

const { repay, common } = contract

export type Payment = {
  share: number
  more: Cents
  exact: 'no' | 'settle' | 'payout'
  by: 'payCode' | 'orderNo' | 'phone' | 'wrong'
  truth: PayIn['truth']
  lie: boolean
  sameSerial: boolean
  daysAgo: number
  times: number
}

/** A customer pays by themselves, and the network says so. */
export const payIn = async (g: Game, order: Order, p: Payment) => {
  const { life } = g
  const event = `${lotName(life.lot)}-p${life.payIns.length + 1}`
  const settle =
    order.loan && order.status === 'funds_disbursed'
      ? tried(life, order, { repayType: 'settle', valueDate: life.today, amounts: [], small: false }).settleAmount
      : order.payout
  const some = p.exact === 'payout' ? order.payout : p.exact === 'settle' ? settle : (settle * p.share) / 1000 + p.more
  const amount = Math.max(100, Math.round(some / 100) * 100)
  const earlier = life.payIns.at(-1)
  const reference = { payCode: order.payCode, orderNo: order.orderNo, phone: life.phone, wrong: '7999999999' }[p.by]
  const stated: PayIn = {
    event,
    ref: event,
    serialNo: p.sameSerial && earlier ? earlier.serialNo : `N-${event}`,
    amount,
    stated: p.lie ? amount + 100_000 : amount,
    reference,
    paidAt: new Date(life.now - p.daysAgo * 86_400_000).toISOString(),
    payer: walletOf(life.lot, 901),
    truth: p.truth,
    outcome: null,
  }
  life.payIns.push(stated)
  g.script.payIns.set(event, stated)
  const body = {
    payer: stated.payer,
    referenceId: event,
    externalId: reference,
    eventId: event,
    amount: money(stated.stated),
  }
  for (let n = 0; n < p.times; n++) await g.announce(body)
  life.jobs.push({ queue: 'payIn', event, round: 0, at: life.now })
}

/** What the network says of a payment changes, until it was booked. */
export const clears = (g: Game, truth: PayIn['truth']) => {
  const payIn = g.life.payIns.at(-1)
  if (!payIn) return
  payIn.truth = truth
  g.script.payIns.set(payIn.event, { ...payIn })
}

/** Types a receipt in, that counts only once it is committed. */
export const save = async (g: Game, order: Order, o: { amount: Cents; known: boolean }) => {
  const { life } = g
  const serialNo =
    o.known && life.receipts[0]
      ? life.receipts[0].serialNo
      : `${lotName(life.lot)}D${life.receipts.length}${life.heard.length}`
  const entryTime = new Date(life.now).toISOString()
  const account = accountOf(life)
  const input = {
    paymentCode: order.payCode,
    paymentChannel: 'mtn_momo' as const,
    serialNo,
    amount: money(o.amount),
    entryTime,
    fundAccountNo: account,
  }
  const answer = await g.call(repay.flowSave, input)
  const expected = g.foresee(() => {
    if (g.life.receipts.some(one => one.serialNo === serialNo)) refuse(40001)
    const status = step('flow', '∅', 'flow.save')
    const { flowNo } = answer.data ?? { flowNo: '' }
    g.life.receipts.push({
      flowNo,
      serialNo,
      status,
      amount: o.amount,
      applied: 0,
      entryTime,
      source: 'typed',
      account,
      wait: null,
    })
  })
  g.agree('type a receipt in', answer, expected)
}

const receiptOf = (g: Game, which: number): Receipt | undefined => {
  const known = g.life.receipts.filter(one => one.flowNo !== null)
  return known[which % Math.max(1, known.length)]
}
const again = (g: Game, { flowNo }: Receipt): Receipt => g.life.receipts.find(one => one.flowNo === flowNo) as Receipt

export const decideFlow = async (g: Game, which: number, as: 'flowCommit' | 'flowDelete', stale: boolean) => {
  const receipt = receiptOf(g, which)
  if (!receipt?.flowNo) return
  const version = g.versionOf(receipt.flowNo) - (stale ? 1 : 0)
  const answer = await g.call(repay[as], { flowNo: receipt.flowNo, version })
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    const held = again(g, receipt)
    held.status = step('flow', held.status, as === 'flowCommit' ? 'flow.commit' : 'flow.delete')
    if (as === 'flowCommit') held.wait = 'unproven'
  })
  g.agree(as, answer, expected)
}

/** Asks a second person to confirm by a document what was typed. */
export const confirmFlow = async (g: Game, which: number, stale: boolean) => {
  const receipt = receiptOf(g, which)
  if (!receipt?.flowNo) return
  const { flowNo } = receipt
  const version = g.versionOf(flowNo) - (stale ? 1 : 0)
  const evidence = await readyFile(g.fixture.db, g.fixture.maker.userNo)
  const answer = await g.call(repay.flowConfirm, { flowNo, version, evidence })
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    step('flow', again(g, receipt).status, 'flow.confirm')
    if (g.life.approvals.some(one => one.about === flowNo && one.status === 'pending')) refuse(40901)
    const no = answer.data?.approvalNo ?? ''
    const expires = g.life.now + 72 * 3_600_000
    g.life.approvals.push({ no, kind: 'confirmFlow', about: flowNo, status: 'pending', expires })
  })
  g.agree('confirm a receipt', answer, expected)
}

export const voidFlow = async (g: Game, which: number, stale: boolean) => {
  const receipt = receiptOf(g, which)
  if (!receipt?.flowNo) return
  const version = g.versionOf(receipt.flowNo) - (stale ? 1 : 0)
  const { flowNo } = receipt
  const answer = await g.call(repay.flowVoid, { flowNo, version, reason: 'typed twice' })
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    if (again(g, receipt).status !== 'available') refuse(40901)
    if (g.life.approvals.some(one => one.about === flowNo && one.status === 'pending')) refuse(40901)
    const no = answer.data?.approvalNo ?? ''
    g.life.approvals.push({
      no,
      kind: 'voidFlow',
      about: flowNo,
      status: 'pending',
      expires: g.life.now + 72 * 3_600_000,
    })
  })
  g.agree('void a receipt', answer, expected)
}

const execute = (g: Game, { kind, about }: Approval) => {
  const { life } = g
  if (kind === 'cancelPaid') {
    const { order, code } = findCode(life, about)
    if (code.status !== 'success') refuse(40901)
    checkReversible(g, order)
    code.status = step('loanCode', code.status, 'code.reverse')
  } else if (kind === 'rollback') {
    const order = life.orders.find(one => one.records.some(record => record.repaymentNo === about)) as Order
    rollBack(life, order, order.records.find(record => record.repaymentNo === about) as never)
  } else if (kind === 'confirmFlow') {
    const receipt = life.receipts.find(one => one.flowNo === about) as Receipt
    receipt.status = step('flow', receipt.status, 'flow.confirm')
    receipt.wait = null
    life.bank[receipt.account] = (life.bank[receipt.account] ?? 0) + receipt.amount
  } else {
    const receipt = life.receipts.find(one => one.flowNo === about) as Receipt
    if (receipt.applied > 0 || (life.bank[receipt.account] ?? 0) < receipt.amount) refuse(40901)
    receipt.status = step('flow', receipt.status, 'flow.void')
    life.bank[receipt.account] = (life.bank[receipt.account] ?? 0) - restOf(receipt)
  }
}

export type Decision = 'approve' | 'reject' | 'withdraw'

/** Somebody decides what waits for a second person: the right one, or one who may not. */
export const decide = async (g: Game, back: number, decision: Decision, who: 'maker' | 'checker') => {
  const asked = g.life.approvals.at(-1 - (back % Math.max(1, g.life.approvals.length)))
  if (!asked) return
  const input = { approvalNo: asked.no, version: 0 }
  const answer =
    decision === 'reject'
      ? await g.call(common.reject, { ...input, reason: 'not now' }, who)
      : await g.call(common[decision], input, who)
  const expected = g.foresee(() => {
    const held = g.life.approvals.find(one => one.no === asked.no) as Approval
    if (held.status !== 'pending') refuse(40901)
    if ((decision === 'withdraw') !== (who === 'maker')) refuse(40301)
    held.status = step('approval', held.status, `approval.${decision}`)
  })
  g.agree(`${decision} by the ${who}`, answer, expected)
  if (expected !== 0) return
  const held = () => g.life.approvals.find(one => one.no === asked.no) as Approval
  if (decision === 'approve') {
    const refusal = g.foresee(() => execute(g, held()))
    held().status = step('approval', held().status, refusal === 0 ? 'approval.execute' : 'approval.conflict')
  }
  g.same('approval', answer.data.approvalStatus, held().status)
}
