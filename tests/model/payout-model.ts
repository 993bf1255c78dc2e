import { isProvenPayee } from '../../core/rules/payee.ts'
import { feesOf } from './bills.ts'
import { type Attempt, type Code, type Life, newestCode, type Order, type Reply, step } from './state.ts'
import { daysFrom, plusDays } from './sums.ts'

type Held = { order: Order; code: Code; attempt: Attempt }

export const findCode = (life: Life, loanCode: string): { order: Order; code: Code } => {
  for (const order of life.orders) {
    const code = order.codes.find(one => one.loanCode === loanCode)
    if (code) return { order, code }
  }
  throw new Error(`the model knows no ${loanCode}`)
}
export const findAttempt = (life: Life, id: string): Held => {
  const { order, code } = findCode(life, id.slice(0, id.lastIndexOf('-')))
  return { order, code, attempt: code.attempts.find(one => one.id === id) as Attempt }
}

const move = (life: Life, account: string, amount: number) => {
  life.bank[account] = (life.bank[account] ?? 0) + amount
}
const isOpen = (attempt: Attempt) => attempt.status === 'sent' || attempt.status === 'unknown'
const open = (life: Life, kind: string, { attempt }: Held) => {
  const item = `${kind} ${attempt.id}`
  if (!life.recon.includes(item)) life.recon.push(item)
}

/** A created code is looked at: its money is set aside and it is handed over, or it waits. */
const dispatch = (life: Life, loanCode: string): void => {
  const { order, code } = findCode(life, loanCode)
  if (code.status !== 'created' || order.status !== 'pending_disbursement') return
  if (code.waitReason === 'blocked') return
  if (!isProvenPayee(code.verify)) {
    code.waitReason = 'payee_unproven'
    return
  }
  if ((life.bank[code.account] ?? 0) < order.payout) {
    code.waitReason = 'short_balance'
    return
  }
  code.attemptNo += 1
  code.waitReason = null
  code.status = step('loanCode', code.status, 'payout.dispatch')
  order.status = step('order', order.status, 'payout.start')
  const id = `${code.loanCode}-${code.attemptNo}`
  code.attempts.push({
    id,
    no: code.attemptNo,
    status: 'prepared',
    account: code.account,
    sentAt: null,
    notFoundSince: null,
    serialNo: null,
    truth: 'pending',
  })
  move(life, code.account, -order.payout)
  life.jobs.push({ queue: 'send', attempt: id, at: life.now })
}

type Paid = { event: 'payout.success' | 'payout.lateSuccess'; date: string }
const disburse = (life: Life, { order, code }: Held, { event, date }: Paid) => {
  code.failType = null
  order.status = step('order', order.status, event)
  /** The days before the bills were made were not charged. */
  const spared = Array.from({ length: daysFrom(date, life.today) + 1 }, (_, day) => plusDays(date, day))
  order.loan = { terms: order.terms, amount: order.amount, payoutDate: date, spared }
}

/** What the newest send of a code may still become. */
const expectedAs = ({ order, code, attempt }: Held): 'running' | 'late' | null => {
  if (attempt.no !== code.attemptNo) return null
  if (code.status === 'remitting' || code.status === 'unknown') return 'running'
  const waits = order.status === 'loan_failed' || order.status === 're_withdrawal_allowed'
  return code.status === 'failed' && waits && newestCode(order) === code ? 'late' : null
}

/** What the network says, or two people by its statement: then `manual` names the day and the number that it shows. */
export const succeed = (life: Life, held: Held, manual?: { date: string; serialNo: string }): void => {
  const { order, code, attempt } = held
  if (attempt.status === 'succeeded') return
  const expected = expectedAs(held)
  const event = { sent: 'answer.ok', unknown: 'query.ok' }[attempt.status] ?? 'callback.success'
  attempt.status = step('gatewayAttempt', attempt.status, event)
  attempt.serialNo = manual?.serialNo ?? `S-${attempt.id}`
  if (!manual) code.said = null
  if (!expected) {
    life.exceptions[attempt.id] = order.payout
    move(life, attempt.account, -order.payout)
    open(life, 'paid_not_expected', held)
    for (const one of order.codes) if (one.status === 'created') one.waitReason = 'blocked'
    return
  }
  if (expected === 'late') move(life, attempt.account, -order.payout)
  const [said, as] = manual ? (['manual.confirm', 'success'] as const) : (['gateway.success', 'expected'] as const)
  code.status = step('loanCode', code.status, said, as)
  code.serialNo = attempt.serialNo
  const paid = expected === 'late' ? 'payout.lateSuccess' : 'payout.success'
  disburse(life, held, { event: paid, date: manual?.date ?? life.today })
}

export const fail = (life: Life, held: Held, failType: string, manual = false): void => {
  const { order, code, attempt } = held
  if (attempt.status === 'succeeded') open(life, 'late_contradiction', held)
  if (!isOpen(attempt)) return
  attempt.status = step('gatewayAttempt', attempt.status, attempt.status === 'sent' ? 'answer.fail' : 'query.fail')
  if (!manual) code.said = null
  code.status = manual
    ? step('loanCode', code.status, 'manual.confirm', 'failure')
    : step('loanCode', code.status, 'gateway.failure')
  code.failType = failType
  move(life, attempt.account, order.payout)
  order.status = step('order', order.status, 'payout.fail')
}

const leaveUnknown = ({ code, attempt }: Held): void => {
  if (attempt.status !== 'sent') return
  attempt.status = step('gatewayAttempt', attempt.status, 'answer.none')
  if (code.status === 'remitting') code.status = step('loanCode', code.status, 'gateway.timeout')
}

const failTypeOf = (word: string) => (word === 'payeeInvalid' ? 'payee_invalid' : 'other')

const send = (life: Life, id: string, repeated: boolean): void => {
  const held = findAttempt(life, id)
  const { attempt } = held
  if (attempt.status !== (repeated ? 'unknown' : 'prepared')) return
  if (!repeated) attempt.status = step('gatewayAttempt', attempt.status, 'attempt.send')
  attempt.sentAt = life.now
  life.sent.push(id)
  const reply: Reply = life.replies.shift() ?? 'accepted'
  if (reply === 'success') succeed(life, held)
  else if ((reply === 'failure' || reply === 'payeeInvalid') && !repeated) fail(life, held, failTypeOf(reply))
  else if (reply === 'silent') leaveUnknown(held)
}

const notFound = (life: Life, held: Held): void => {
  const { attempt } = held
  const since = (time: number | null) => (time === null ? 0 : life.now - time)
  const proven = attempt.notFoundSince !== null && since(attempt.notFoundSince) >= 30 * 60_000
  if (proven && since(attempt.sentAt) >= 24 * 3_600_000) {
    fail(life, held, 'other')
    return
  }
  leaveUnknown(held)
  if (attempt.notFoundSince !== null) return
  attempt.notFoundSince = life.now
  life.jobs.push({ queue: 'resend', attempt: attempt.id, at: life.now })
}

/** The network was asked about a send, and said what is true for it. */
export const learn = (life: Life, id: string, claimsFailure: boolean): void => {
  const held = findAttempt(life, id)
  const { attempt } = held
  const wasOpen = isOpen(attempt)
  const wasPaid = attempt.status === 'succeeded'
  const isLate = attempt.status === 'unknown' || life.now - (attempt.sentAt ?? life.now) >= 60_000
  const says = attempt.truth
  if (says === 'success') succeed(life, held)
  else if (says === 'failure' || says === 'payeeInvalid') fail(life, held, failTypeOf(says))
  else if (says === 'otherAmount' || says === 'otherPayee') {
    if (!wasPaid) {
      open(life, 'amount_differs', held)
      if (wasOpen) leaveUnknown(held)
    }
  } else if (wasOpen && isLate) {
    if (says === 'notFound') notFound(life, held)
    else leaveUnknown(held)
  }
  if (wasOpen && says === 'pending') attempt.notFoundSince = null
  const saysPaid = says === 'success' || says === 'otherAmount' || says === 'otherPayee'
  if (claimsFailure && (wasPaid || saysPaid)) open(life, 'late_contradiction', held)
}

/** Does one piece of work of the payout queues. */
export const workOn = (life: Life, job: Life['jobs'][number]): void => {
  if (job.queue === 'dispatch') dispatch(life, job.code)
  else if (job.queue === 'send') send(life, job.attempt, false)
  else if (job.queue === 'resend') send(life, job.attempt, true)
  else if (job.queue === 'ask' && findAttempt(life, job.attempt).attempt.sentAt !== null)
    learn(life, job.attempt, job.claim)
}

export const upfrontOf = (order: Pick<Order, 'terms' | 'amount'>): number => {
  const { serviceFee, managementFee } = feesOf(order.terms, order.amount, 'upfront')
  return serviceFee + managementFee
}
