import type { Calendar } from './calendar.ts'
import { compare, compareBooks } from './compare.ts'
import { confirm } from './confirm-acts.ts'
import { accountsOf, type Fixture, lotName, walletOf } from './fixture.ts'
import { clears, confirmFlow, decide, decideFlow, payIn, save, voidFlow } from './flow-acts.ts'
import { Divergence, type Game, newGame } from './game.ts'
import { customerName } from './network.ts'
import {
  abort,
  allowAgain,
  askByHand,
  becomes,
  callBack,
  cancel,
  cancelPaid,
  correct,
  recreate,
  reply,
  reroute,
  retry,
  verify,
} from './payout-acts.ts'
import { upfrontOf } from './payout-model.ts'
import { reuse, rollback, writeOff, zeroSettle } from './repay-acts.ts'
import { type Life, newestCode, type Order, type Reply } from './state.ts'
import { type Begin, products, type Sequence, type Step } from './steps.ts'
import { dayOf } from './sums.ts'

/** A customer's life as it begins: two orders that wait for their payout. */
const begin = async (fixture: Fixture, calendar: Calendar, lot: number, given: Sequence): Promise<Life> => {
  const name = lotName(lot)
  const orders = ([0, 1] as const).map(slot => {
    const terms = products[given.products[slot]] as Order['terms']
    const amount = given.amounts[slot] * 1_000_000
    const upfront = upfrontOf({ terms, amount })
    return {
      orderNo: `LO${name}${slot}`,
      payCode: `7${String(lot).padStart(4, '0')}0000${slot}`,
      status: 'pending_disbursement',
      payee: { wallet: walletOf(lot, slot), name: customerName },
      verify: 'passed',
      terms,
      amount,
      upfront,
      payout: amount - upfront,
      loan: null,
      records: [],
    }
  })
  const { main, spare } = accountsOf(lot)
  const most = Math.max(...orders.map(order => order.payout))
  const bank = { [main]: given.poor ? most : 5_000_000_000, [spare]: 4_000_000_000 }
  const customerNo = `CU${name}`
  const phone = walletOf(lot, 900)
  const { shortfall, principal } = given.limits
  const limits = { ...given.limits, principal: Math.min(principal, shortfall), month: 2_000_000 }
  const codes = await fixture.furnish(lot, { customerNo, phone, bank, limits, orders })
  const now = calendar.now()
  return {
    lot,
    customerNo,
    phone,
    limits,
    orders: orders.map((order, index) => ({
      ...order,
      codes: [
        {
          loanCode: codes[index] as string,
          seq: 1,
          status: 'created',
          attemptNo: 0,
          payee: { ...order.payee },
          verify: order.verify,
          failType: null,
          waitReason: null,
          account: main,
          serialNo: null,
          attempts: [],
          askedAt: null,
          said: null,
        },
      ],
    })),
    receipts: [],
    approvals: [],
    bank,
    exceptions: {},
    overpayment: { credited: 0, reapplied: 0, status: null },
    payIns: [],
    jobs: codes.map(code => ({ queue: 'dispatch', code, at: now })),
    replies: [],
    sent: [],
    recon: [],
    heard: [],
    today: dayOf(new Date(now)),
    now,
  }
}

const onLoans: readonly Step['do'][] = ['writeOff', 'payIn', 'zeroSettle', 'reuse', 'rollback', 'cancelPaid', 'abort']
const onFailures: readonly Step['do'][] = ['retry', 'correct', 'recreate', 'allowAgain']

/** Whether a step may do anything to an order, so that not every second command is in vain. */
const fits = (one: Step, order: Order): boolean => {
  if (onLoans.includes(one.do)) return order.status === 'funds_disbursed'
  if (one.do === 'confirm') return ['remitting', 'unknown'].includes(newestCode(order).status)
  return !onFailures.includes(one.do) || newestCode(order).status === 'failed'
}

const beginnings: Record<Begin, Reply> = {
  created: 'accepted',
  paid: 'success',
  sent: 'accepted',
  unknown: 'silent',
  failed: 'failure',
  wrongPayee: 'payeeInvalid',
}

const act = async (g: Game, one: Step): Promise<void> => {
  const named = g.life.orders[one.order] as Order
  const second = g.life.orders[one.order === 0 ? 1 : 0] as Order
  const turned = !one.strict && !fits(one, named) && fits(one, second)
  const [order, other] = turned ? [second, named] : [named, second]
  switch (one.do) {
    case 'work':
      return g.work()
    case 'pass':
      return g.pass(one.minutes * 60_000)
    case 'reply':
      return reply(g, one.replies)
    case 'becomes':
      becomes(g, order, one.back, one.truth)
      if (!one.heard) return undefined
      await callBack(g, order, { back: one.back, claim: false, times: 1, unknown: false })
      return g.work()
    case 'callBack':
      return callBack(g, order, one)
    case 'ask':
      return askByHand(g, order)
    case 'verify':
      return verify(g, order)
    case 'cancel':
      return cancel(g, one.both ? [order, other] : [order])
    case 'retry':
      return retry(g, one.both ? [order, other] : [order], one.checked)
    case 'correct':
      return correct(g, order, one.wallet, one.stale)
    case 'recreate':
      return recreate(g, order, one.stale)
    case 'allowAgain':
      return allowAgain(g, order, one.stale)
    case 'confirm':
      return confirm(g, order, one)
    case 'reroute':
      return reroute(g, order, one.to)
    case 'writeOff':
      return writeOff(g, order, one)
    case 'payIn':
      return payIn(g, order, one)
    case 'clears':
      return clears(g, one.truth)
    case 'zeroSettle':
      return zeroSettle(g, order, one.blind)
    case 'reuse':
      return reuse(g, order, one.share, one.stale)
    case 'rollback':
      return rollback(g, order, one.back, one.stale)
    case 'save':
      return save(g, order, one)
    case 'commitFlow':
      return decideFlow(g, one.which, 'flowCommit', one.stale)
    case 'confirmFlow':
      return confirmFlow(g, one.which, one.stale)
    case 'deleteFlow':
      return decideFlow(g, one.which, 'flowDelete', one.stale)
    case 'voidFlow':
      return voidFlow(g, one.which, one.stale)
    case 'cancelPaid':
      return cancelPaid(g, order, one.stale)
    case 'abort':
      return abort(g, order)
    case 'decide':
      return decide(g, one.back, one.decision, one.who)
  }
}

const silent: readonly Step['do'][] = ['reply', 'callBack', 'payIn', 'clears']

/** Looks at whatever a step may have changed. */
const look = async (g: Game, one: Step): Promise<void> => {
  const isChanged = g.takeChanged()
  if (silent.includes(one.do)) return
  if (isChanged || one.do === 'work' || one.do === 'becomes' || (one.do === 'pass' && one.minutes > 60))
    await compare(g)
}

/** Lives one sequence; answers where server and model part, or null. `count` hears of every command. */
export const play = async (
  fixture: Fixture,
  calendar: Calendar,
  lot: number,
  given: Sequence,
  count: (step: Step['do']) => void = () => undefined,
): Promise<string | null> =>
  calendar.live(async () => {
    const life = await begin(fixture, calendar, lot, given)
    const g = newGame({ fixture, calendar, life })
    let at = 'the payout at the beginning'
    try {
      const first = given.begin.map(one => beginnings[one])
      if (given.begin.some(one => one !== 'created')) {
        reply(g, first)
        await g.work()
      }
      await compare(g)
      for (const [index, one] of given.steps.entries()) {
        at = `step ${index + 1} of ${given.steps.length}, ${JSON.stringify(one)}`
        await act(g, one)
        if (one.twice) await g.again()
        await look(g, one)
        count(one.do)
      }
      at = 'the end'
      await g.work()
      await compare(g)
      await compareBooks(g)
      return null
    } catch (error) {
      if (error instanceof Divergence) return `${error.message}\n  at ${at}`
      return `${error instanceof Error ? error.stack : error}\n  at ${at}`
    }
  })
