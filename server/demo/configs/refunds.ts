import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { type Money, wholePart } from '../../../core/rules/money.ts'
import type { Tx } from '../../db/database.ts'
import { noPayout } from '../../money/no-gateway.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { bookReceipt, enterFlow } from '../../systems/after-loan/flow/flow-store.ts'
import { loanModule } from '../../systems/after-loan/payout/desk/loan.ts'
import { repayModule } from '../../systems/after-loan/repayment/repay.ts'
import { closeRejected, refundModule } from '../../systems/charge/refund/refund.ts'
import { refundSender } from '../../systems/charge/refund/refund-sender.ts'
import { lockRefund } from '../../systems/charge/refund/refund-store.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

const { repay, refund } = contract
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Desk = { tx: Tx; hand: Hand; maker: Session; checker: Session; serial: () => string }
type Payer = {
  orderNo: string
  customerNo: string
  merchantNo: string
  payCode: string
  phone: string
  settledTime: string
  name: string
  version: number
}

/** Customers whose loan is settled, and for whom nothing is held yet. */
const payers = (tx: Tx): Promise<Payer[]> =>
  tx.rows(sql<Payer>`
    select * from (
      select distinct on (o.customer_no) o.order_no, o.customer_no, o.merchant_no, o.pay_code, c.phone, c.customer_name as name, o.version, o.settled_time
      from loan_order o join order_customer c using (customer_no, merchant_no)
      where o.order_status = 'settled' and not exists (select 1 from overpayment v where v.customer_no = o.customer_no)
        and not exists (select 1 from loan_order other where other.customer_no = o.customer_no and other.order_status = 'funds_disbursed')
      order by o.customer_no, o.settled_time desc) x
    order by settled_time, order_no limit 60`)

const received = async ({ serial }: Desk, then: Tx, of: Payer, amount: Money, known = true) => {
  const actor = system(`received too much ${of.orderNo}`)
  const flow = await enterFlow(
    then,
    'channel.callback',
    {
      channel: 'mtn_momo',
      serialNo: serial(),
      amount,
      entryTime: then.now.toISOString(),
      source: 'callback',
      paymentCode: known ? of.payCode : '7000000000',
      fundAccountNo: 'FA2',
      payerName: known ? of.name : 'Opio Moses',
      payerAccount: known ? of.phone : '256772404404',
      isrecord: true,
      merchantNo: of.merchantNo,
      customerNo: known ? of.customerNo : null,
      waitReason: known ? 'amount_unclear' : 'no_match',
    },
    actor,
  )
  await bookReceipt(then, flow, actor)
  return flow
}

/** A customer pays for a loan that is settled already, and an officer holds it for them. */
const overpay = async (desk: Desk, of: Payer, amount: Money, age: number) => {
  const then = at(desk.tx, new Date(desk.tx.now.getTime() - age))
  const { flowNo, serialNo, entryTime, paymentCode } = await received(desk, then, of, amount)
  const line = {
    flowNo,
    serialNo,
    amount,
    entryTime,
    paymentCode: paymentCode ?? '',
    paymentChannel: 'mtn_momo' as const,
  }
  const form = { orderNo: of.orderNo, repayType: 'overpayment' as const, flows: [{ ...line, writeOffAmount: amount }] }
  await then.flush()
  const { trialKey } = await desk.hand.call(then, desk.maker, repay.trial, form)
  const confirmed = { version: of.version, trialKey, confirmGreater: true, confirmLess: true }
  await desk.hand.call(then, desk.maker, repay.commit, { ...form, ...confirmed })
  await then.flush()
}

type Step = 'verify' | 'mismatch' | 'ignore' | 'approve' | 'reject' | 'send' | 'lose' | 'fail' | 'again' | 'pay'

const actor = system('demo refunds')

/** What the channel said of the account; nobody asks it in a demo. */
const heard = async (then: Tx, refundNo: string, passed: boolean, holderName: string) => {
  const { refund: row } = await lockRefund(then, null, refundNo)
  const set = { matchScore: passed ? 100 : 33, holderName: passed ? holderName : null }
  await transition(then, 'refundVerification', row, { event: 'verify.run', as: passed ? 'pass' : 'fail', set }, actor)
}

const answered = async (then: Tx, refundNo: string, what: 'paid' | 'lost' | 'failed', serialNo: string) => {
  const { refund: row } = await lockRefund(then, null, refundNo)
  const held = await refundSender.hold(then, `${refundNo}-${row.attemptNo}`)
  if (what === 'paid') await held.apply({ kind: 'success', serialNo }, actor)
  else if (what === 'lost') await held.apply({ kind: 'unknown', answerCode: 'TIMEOUT' }, actor)
  else
    await held.apply(
      { kind: 'failure', failType: 'payee_limit', answerCode: 'PAYEE_LIMIT', answerMessage: 'payee limit reached' },
      actor,
    )
}

const step = async (desk: Desk, then: Tx, refundNo: string, of: Payer, what: Step) => {
  const { hand, checker } = desk
  const version = async () => (await lockRefund(then, null, refundNo)).refund.version
  const sends = async () => {
    const { refund: row } = await lockRefund(then, null, refundNo)
    const externalId = `${refundNo}-${row.attemptNo}`
    await then.flush()
    await hand.network(then, 'payout.send', externalId, { externalId }, { kind: 'accepted' })
  }
  if (what === 'verify') await heard(then, refundNo, true, of.name)
  if (what === 'mismatch') await heard(then, refundNo, false, of.name)
  if (what === 'ignore') {
    const seen = { reason: 'maiden name on the wallet', seen: ['id_picture', 'customer_call'] as const }
    await hand.call(then, checker, refund.ignore, { refundNo, version: await version(), ...seen, seen: [...seen.seen] })
  }
  if (what === 'approve') await hand.call(then, checker, refund.approve, { refundNos: [refundNo] })
  if (what === 'reject') {
    const why = { rejectReason: 'evidence_missing' as const, remark: 'Receipt is not readable' }
    await hand.call(then, checker, refund.reject, { refundNo, version: await version(), ...why })
  }
  if (what === 'send') {
    await hand.call(then, checker, refund.payout, { refundNos: [refundNo], fundAccountNo: 'FA1' })
    await sends()
  }
  if (what === 'again') {
    await hand.call(then, checker, refund.again, { refundNo, version: await version(), fundAccountNo: 'FA1' })
    await sends()
  }
  if (what === 'lose') await answered(then, refundNo, 'lost', '')
  if (what === 'fail') await answered(then, refundNo, 'failed', '')
  if (what === 'pay') await answered(then, refundNo, 'paid', desk.serial())
  await then.flush()
}

type Case = {
  amount: Money
  age: number
  steps: readonly Step[]
  by?: 'checker'
  reason?: 'customer_asked' | 'paid_by_mistake'
}

const pair = ['fail', 'again'] as const
const cases: readonly Case[] = [
  { amount: '36000.00', age: 2 * hour, steps: [] },
  { amount: '12500.00', age: 5 * hour, steps: ['verify'] },
  { amount: '58000.00', age: 7 * hour, steps: ['mismatch'] },
  { amount: '21000.00', age: 26 * hour, steps: ['mismatch', 'ignore'] },
  { amount: '620000.00', age: 3 * hour, steps: ['verify'], reason: 'paid_by_mistake' },
  { amount: '18000.00', age: 2 * day, steps: ['verify', 'reject'] },
  { amount: '9000.00', age: 9 * day, steps: ['verify', 'reject'] },
  { amount: '45000.00', age: 20 * hour, steps: ['verify', 'approve'] },
  { amount: '7500.00', age: 4 * minute, steps: ['verify', 'approve', 'send'] },
  { amount: '30000.00', age: 51 * minute, steps: ['verify', 'approve', 'send', 'lose'] },
  { amount: '16000.00', age: 6 * hour, steps: ['verify', 'approve', 'send', 'fail'] },
  {
    amount: '11000.00',
    age: 30 * hour,
    steps: ['verify', 'approve', 'send', ...pair, ...pair, ...pair, ...pair, 'fail'],
  },
  { amount: '27000.00', age: 4 * day, steps: ['verify', 'approve', 'send', 'pay'] },
  { amount: '14000.00', age: 11 * day, steps: ['verify', 'approve', 'send', 'pay'], reason: 'paid_by_mistake' },
  { amount: '33000.00', age: hour, steps: ['verify'], by: 'checker' },
]

const asks = async (desk: Desk, of: Payer, given: Case) => {
  const { tx, hand } = desk
  await overpay(desk, of, given.amount, given.age + 2 * hour)
  const begun = tx.now.getTime() - given.age
  const then = at(tx, new Date(begun))
  const who = given.by === 'checker' ? desk.checker : desk.maker
  const { refundNo } = await hand.call(then, who, refund.submit, {
    customerNo: of.customerNo,
    orderNo: of.orderNo,
    refundSource: 'paid_after_settle',
    refundAmount: wholePart(given.amount),
    channel: 'mtn_momo',
    payeeName: of.name,
    payeeAccount: of.phone,
    refundReason: given.reason ?? 'customer_asked',
  })
  await then.flush()
  for (const [n, what] of given.steps.entries())
    await step(desk, at(tx, new Date(begun + Math.min((n + 1) * minute, given.age / 2))), refundNo, of, what)
}

/** Money of nobody known, held to go back to where it came from, and a refund of it. */
const unknown = async (desk: Desk, of: Payer) => {
  const then = at(desk.tx, new Date(desk.tx.now.getTime() - 3 * day))
  const { flowNo } = await received(desk, then, of, '52000.00', false)
  await then.flush()
  const call = desk.hand.call
  const { customerNo } = await call(then, desk.maker, refund.fromFlow, { flowNo, reason: 'No customer of this number' })
  await then.flush()
  await call(at(desk.tx, new Date(then.now.getTime() + hour)), desk.maker, refund.submit, {
    customerNo,
    refundSource: 'wrong_payer',
    refundAmount: '52000.00',
    channel: 'mtn_momo',
    payeeName: 'Opio Moses',
    payeeAccount: '256772404404',
    refundReason: 'paid_by_mistake',
  })
  await desk.tx.flush()
}

/** What customers paid too much, and refunds of it in all their states. */
export const writeRefunds = async (tx: Tx): Promise<void> => {
  const payout = { mtn_momo: noPayout }
  let numbers = 9_900_000_000
  const desk: Desk = {
    tx,
    hand: handFor([refundModule({ payout }), loanModule({ payout }, undefined, [refundSender]), repayModule()]),
    maker: await rightsOfPerson(tx, userNoOf('finance1'), 'en'),
    checker: await rightsOfPerson(tx, userNoOf('finance2'), 'en'),
    serial: () => String(numbers++),
  }
  const pool = await payers(tx)
  /** The next customer whose loan was settled before. */
  const take = (age: number) => {
    const found = pool.findLastIndex(of => Date.parse(of.settledTime) < tx.now.getTime() - age - day)
    return found < 0 ? undefined : pool.splice(found, 1)[0]
  }
  const first = take(3 * day)
  if (!first) return
  await unknown(desk, first)
  const held: readonly Money[] = ['15.00', '20.00', '1500.50', '64000.00']
  for (const [n, amount] of held.entries()) {
    const of = take((n * 5 + 1) * day)
    if (of) await overpay(desk, of, amount, (n * 5 + 1) * day)
  }
  for (const given of cases) {
    const of = take(given.age)
    if (of) await asks(desk, of, given)
  }
  await closeRejected.run(tx, { date: tx.today })
}
