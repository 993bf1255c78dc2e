import { contract } from '../../core/contract/contract.ts'
import { isProvenPayee, standingResult } from '../../core/rules/payee.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import { accountsOf, walletOf } from './fixture.ts'
import type { Game } from './game.ts'
import { customerName } from './network.ts'
import { findCode, learn } from './payout-model.ts'
import { newestCode, type Order, posted, type Reply, refuse, step, type Truth, verdictOf } from './state.ts'
import { daysFrom } from './sums.ts'

const { common, loan } = contract
const payeeFailures = ['payee_invalid', 'payee_barred', 'payee_limit']
export const samePayee = (order: Order) => {
  const { payee } = newestCode(order)
  return payee.wallet === order.payee.wallet && payee.name === order.payee.name
}

const cancelOne = (order: Order, alone: boolean) => {
  const code = newestCode(order)
  if (code.status === 'remitting' || code.status === 'unknown') refuse(40901)
  if (code.status === 'created' && !alone) refuse(40901)
  const [codeStatus, orderStatus] = [
    step('loanCode', code.status, 'code.cancel'),
    step('order', order.status, 'order.cancel'),
  ]
  code.status = codeStatus
  order.status = orderStatus
}

/** Gives up the payout of one order, or of both at once. */
export const cancel = async (g: Game, orders: readonly Order[]) => {
  const loanCodes = orders.map(order => newestCode(order).loanCode)
  const answer = await g.call(loan.cancel, { loanCodes, reason: 'duplicate' })
  const expected = orders.map((order, index): [string, number] => [
    loanCodes[index] as string,
    g.foresee(() => cancelOne(find(g, order), orders.length === 1)),
  ])
  g.agreeRows('cancel', answer, expected)
}

/** The order as the model has it now; a foreseen refusal puts other objects in its place. */
export const find = (g: Game, { orderNo }: Order): Order => g.life.orders.find(one => one.orderNo === orderNo) as Order

const retryOne = (g: Game, order: Order, checked: boolean) => {
  const code = newestCode(order)
  if (code.status !== 'failed') refuse(40901)
  if (order.status !== 'loan_failed') refuse(40901)
  if (code.attemptNo >= 5) refuse(40901)
  if (!samePayee(order)) refuse(40901)
  if (!isProvenPayee(code.verify)) refuse(40901)
  if (payeeFailures.includes(code.failType ?? '') && !checked) refuse(40002)
  code.status = step('loanCode', code.status, 'payout.retry')
  order.status = step('order', order.status, 'payout.replay')
  code.failType = null
  code.waitReason = null
  g.life.jobs.push({ queue: 'dispatch', code: code.loanCode, at: g.life.now })
}

export const retry = async (g: Game, orders: readonly Order[], checked: boolean) => {
  const codes = orders.map(newestCode)
  const loanCodes = codes.map(code => code.loanCode)
  const answer = await g.call(loan.retry, { loanCodes, ...(checked ? { accountChecked: true } : {}) })
  const unchecked = codes.some(code => code.status === 'failed' && payeeFailures.includes(code.failType ?? ''))
  if (!checked && unchecked) return g.agree('retry', answer, 40002)
  const expected = orders.map((order, index): [string, number] => [
    loanCodes[index] as string,
    g.foresee(() => retryOne(g, find(g, order), checked)),
  ])
  return g.agreeRows('retry', answer, expected)
}

const versionsOf = (g: Game, order: Order) => g.versionOf(newestCode(order).loanCode)
const checkCorrectable = (order: Order) => {
  if (newestCode(order).status !== 'failed') refuse(40901)
  if (!['loan_failed', 're_withdrawal_allowed'].includes(order.status)) refuse(40901)
}

/** Corrects the customer's account; the network says whose the new one is. */
export const correct = async (g: Game, order: Order, wallet: number, stale: boolean) => {
  const version = versionsOf(g, order) - (stale ? 1 : 0)
  const walletAccount = walletOf(g.life.lot, wallet)
  const { loanCode } = newestCode(order)
  const account = { payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount, cardholderName: customerName } as const
  const evidence = await readyFile(g.fixture.db, g.fixture.clerk.userNo)
  const answer = await g.call(loan.userInfo, { loanCode, version, ...account, evidence }, 'clerk')
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    const held = find(g, order)
    checkCorrectable(held)
    if (held.payee.wallet === walletAccount && held.payee.name === customerName) refuse(40001)
  })
  g.agree('correct the payee', answer, expected)
  if (expected !== 0) return
  g.same('correct the payee', answer.data.verifyResult, verdictOf(walletAccount))
  const { approvalNo } = answer.data
  const agreed = await g.call(common.approve, { approvalNo, version: 0 }, 'reader')
  g.agree(
    'agree to the payee',
    agreed,
    g.foresee(() => {
      const held = find(g, order)
      held.payee = { wallet: walletAccount, name: customerName }
      held.verify = verdictOf(walletAccount) === 'passed' ? 'passed' : 'accepted'
    }),
  )
}

export const recreate = async (g: Game, order: Order, stale: boolean) => {
  const version = versionsOf(g, order) - (stale ? 1 : 0)
  const answer = await g.call(loan.recreate, { loanCode: newestCode(order).loanCode, version })
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    const held = find(g, order)
    checkCorrectable(held)
    if (samePayee(held)) refuse(40901)
    if (!isProvenPayee(held.verify)) refuse(40901)
    const old = newestCode(held)
    old.status = step('loanCode', old.status, 'code.recreate')
    held.status = step('order', held.status, held.status === 'loan_failed' ? 'code.recreate' : 'reWithdraw.submit')
    const { loanCode } = answer.data ?? { loanCode: '' }
    held.codes.push({
      loanCode,
      seq: old.seq + 1,
      status: step('loanCode', '∅', 'code.create'),
      attemptNo: 0,
      payee: { ...held.payee },
      verify: held.verify,
      failType: null,
      waitReason: null,
      account: accountsOf(g.life.lot).main,
      serialNo: null,
      attempts: [],
      askedAt: null,
      said: null,
    })
    g.life.jobs.push({ queue: 'dispatch', code: loanCode, at: g.life.now })
  })
  g.agree('recreate', answer, expected)
}

export const allowAgain = async (g: Game, order: Order, stale: boolean) => {
  const version = versionsOf(g, order) + (stale ? 1000 : 0)
  const answer = await g.call(loan.allowReWithdraw, { orderNo: order.orderNo, version }, 'clerk')
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    const held = find(g, order)
    if (held.status !== 'loan_failed') refuse(40901)
    if (![...payeeFailures, 'name_mismatch'].includes(newestCode(held).failType ?? '')) refuse(40901)
    held.status = step('order', held.status, 'reWithdrawal.allow')
  })
  g.agree('allow another account', answer, expected)
}

export const verify = async (g: Game, order: Order) => {
  const { loanCode } = newestCode(order)
  const answer = await g.call(loan.verify, { loanCodes: [loanCode] })
  const expected = g.foresee(() => {
    const held = find(g, order)
    if (!['created', 'failed'].includes(newestCode(held).status)) refuse(40901)
    const code = newestCode(held)
    const found = verdictOf(code.payee.wallet)
    code.verify = standingResult(code.verify, found)
    if (samePayee(held)) held.verify = standingResult(held.verify, found)
  })
  g.agreeRows('verify', answer, [[loanCode, expected]])
}

export const reroute = async (g: Game, order: Order, to: 'main' | 'spare' | 'other') => {
  const { loanCode } = newestCode(order)
  const fundAccountNo = to === 'other' ? 'FA1' : accountsOf(g.life.lot)[to]
  const answer = await g.call(loan.channel, { loanCodes: [loanCode], fundAccountNo })
  const expected = g.foresee(() => {
    const held = find(g, order)
    const code = newestCode(held)
    if (code.status !== 'created') refuse(40901)
    if (to === 'other' || (g.life.bank[fundAccountNo] ?? 0) < held.payout) refuse(40001)
    code.account = fundAccountNo
    if (code.waitReason !== 'blocked') code.waitReason = null
    g.life.jobs.push({ queue: 'dispatch', code: loanCode, at: g.life.now })
  })
  g.agreeRows('reroute', answer, [[loanCode, expected]])
}

/** Somebody asks the network at once. */
export const askByHand = async (g: Game, order: Order) => {
  const { loanCode } = newestCode(order)
  const answer = await g.call(loan.query, { loanCode })
  const expected = g.foresee(() => {
    const { code } = findCode(g.life, loanCode)
    if (!['remitting', 'unknown'].includes(code.status)) refuse(40901)
    if (code.askedAt !== null && g.life.now - code.askedAt < 30_000) refuse(42901)
    code.askedAt = g.life.now
    const attempt = code.attempts.at(-1)
    if (attempt && attempt.status !== 'prepared') learn(g.life, attempt.id, false)
  })
  g.agree('ask the network', answer, expected)
  if (expected === 0) g.same('asked', answer.data.loanCodeStatus, findCode(g.life, loanCode).code.status)
}

/** What the network will answer to the next sends of this life. */
export const reply = (g: Game, replies: readonly Reply[]) => {
  g.life.replies.push(...replies)
  g.script.replies.push(...replies)
}

/** What became of a send, as the network will tell when it is asked. */
export const becomes = (g: Game, order: Order, back: number, truth: Truth) => {
  const attempts = order.codes.flatMap(code => code.attempts)
  const attempt = attempts.at(-1 - (back % Math.max(1, attempts.length)))
  if (!attempt) return
  attempt.truth = truth
  g.script.truths.set(attempt.id, truth)
}

/** The network tells about a send by itself, truly or not; what it says is only a reason to ask. */
export const callBack = async (
  g: Game,
  order: Order,
  o: { back: number; claim: boolean; times: number; unknown: boolean },
) => {
  const attempts = order.codes.flatMap(code => code.attempts)
  const attempt = attempts.at(-1 - (o.back % Math.max(1, attempts.length)))
  const externalId = o.unknown || !attempt ? `unknown-${g.life.heard.length}` : attempt.id
  const eventId = `${externalId}-${g.life.heard.length}`
  const body = { payee: '256770000000', externalId, eventId, status: o.claim ? 'FAILED' : 'SUCCESSFUL' }
  for (let n = 0; n < o.times; n++) await g.announce(body)
  g.life.heard.push(eventId)
  if (attempt && externalId === attempt.id)
    g.life.jobs.push({ queue: 'ask', attempt: attempt.id, claim: o.claim, at: g.life.now })
}

export const checkReversible = (g: Game, order: Order) => {
  if (newestCode(order).status !== 'success') refuse(40901)
  if (order.status !== 'funds_disbursed') refuse(40901)
  if (posted(order).length > 0) refuse(40901)
  if (daysFrom(order.loan?.payoutDate ?? g.life.today, g.life.today) > 3) refuse(40901)
}

export const cancelPaid = async (g: Game, order: Order, stale: boolean) => {
  const version = versionsOf(g, order) - (stale ? 1 : 0)
  const { loanCode } = newestCode(order)
  const answer = await g.call(loan.cancelPaid, { loanCode, version, reason: 'wrong customer' })
  const expected = g.foresee(() => {
    if (stale) refuse(40902)
    checkReversible(g, find(g, order))
    if (g.life.approvals.some(one => one.about === loanCode && one.status === 'pending')) refuse(40901)
    g.life.approvals.push({
      no: answer.data?.approvalNo ?? '',
      kind: 'cancelPaid',
      about: loanCode,
      status: 'pending',
      expires: g.life.now + 72 * 3_600_000,
    })
  })
  g.agree('cancel the payout', answer, expected)
}

export const abort = async (g: Game, order: Order) => {
  const version = versionsOf(g, order)
  const answer = await g.call(loan.abortCancelPaid, { loanCode: newestCode(order).loanCode, version })
  const expected = g.foresee(() => {
    const code = newestCode(find(g, order))
    code.status = step('loanCode', code.status, 'reverse.abort')
  })
  g.agree('abort', answer, expected)
}
