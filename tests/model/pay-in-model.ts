import { naturalDay, post, restOf, tried } from './repay-model.ts'
import { isReversing, type Life, type Order, type PayIn, posted, type Receipt, Refused, step } from './state.ts'

const pauses = [15, 60, 300, 1800, 3600]
export const fixture = 'FA1'

/** The one order that a reference means, or why it means none. */
const matched = (life: Life, reference: string): Order | 'no_match' | 'several_orders' => {
  const found = life.orders.filter(
    order =>
      order.status === 'funds_disbursed' &&
      (order.payCode === reference || order.orderNo === reference || life.phone === reference),
  )
  if (found.length > 1) return 'several_orders'
  return found[0] ?? 'no_match'
}

const small = { small: false } as const

/** What is written off by itself of a receipt, or why it waits. */
const readBy = (life: Life, order: Order, receipt: Receipt): string | null => {
  const amount = restOf(receipt)
  const valueDate = naturalDay(life, order, [receipt.entryTime])
  const settle = tried(life, order, { repayType: 'settle', valueDate, amounts: [amount], ...small })
  const all = amount >= settle.settleAmount
  if (all && settle.overflow > life.limits.overflow) return 'overflow_limit'
  const outcome = all ? settle : tried(life, order, { repayType: 'partial', valueDate, amounts: [amount], ...small })
  if (outcome.code !== 0 || outcome.extends) return 'amount_unclear'
  const source = { receipts: [{ receipt, amount }] }
  post(life, order, outcome, { type: all ? 'settle' : 'partial', valueDate, source, event: 'repay.auto' })
  return null
}

/** The money of a payout that is taken back is here again. */
const takeBack = (order: Order, receipt: Receipt): string | null => {
  const code = order.codes.find(one => one.status === 'reversing')
  if (!code || receipt.amount !== order.payout || posted(order).length > 0) return 'amount_unclear'
  receipt.applied = receipt.amount
  receipt.status = step('flow', receipt.status, 'flow.writeOff', 'all')
  code.status = step('loanCode', code.status, 'reverse.matched')
  order.status = step('order', order.status, 'payout.reversed', 'cancelled')
  return null
}

/** Books what the network says was paid to us. */
const book = (life: Life, payIn: PayIn): string => {
  const match = matched(life, payIn.reference)
  const order = typeof match === 'string' ? null : match
  const same = life.receipts.filter(one => one.serialNo === payIn.serialNo)
  const known = same.find(one => one.status !== 'void') ?? same.find(one => one.source === 'callback')
  if (known && known.status !== 'draft' && known.status !== 'unproven') {
    if (known.amount !== payIn.amount) differs(life, payIn)
    return 'duplicate'
  }
  const said = {
    entryTime: payIn.paidAt,
    source: 'callback' as const,
    account: order ? accountOf(life) : fixture,
    wait: typeof match === 'string' ? match : null,
  }
  const isProven = known?.status === 'unproven' && known.amount === payIn.amount
  if (known && !isProven) known.status = step('flow', known.status, 'flow.delete')
  const receipt: Receipt =
    known && isProven
      ? Object.assign(known, said, { status: step('flow', known.status, 'flow.prove') })
      : {
          ...said,
          flowNo: null,
          serialNo: payIn.serialNo,
          status: step('flow', '∅', 'channel.callback'),
          amount: payIn.amount,
          applied: 0,
        }
  if (receipt !== known) life.receipts.push(receipt)
  life.bank[receipt.account] = (life.bank[receipt.account] ?? 0) + receipt.amount
  if (payIn.stated !== payIn.amount) differs(life, payIn)
  if (!order) return 'booked'
  receipt.wait = isReversing(order) ? takeBack(order, receipt) : readBy(life, order, receipt)
  return receipt.wait ? 'booked' : 'written_off'
}

const differs = (life: Life, { serialNo }: PayIn): void => {
  const item = `amount_differs ${serialNo}`
  if (!life.recon.includes(item)) life.recon.push(item)
}

/** The first of the merchant's own accounts that takes money in. */
export const accountOf = (life: Life): string =>
  Object.keys(life.bank)
    .filter(no => no !== fixture)
    .sort()[0] as string

/** Asks the network about a payment that a callback announced. */
export const hear = (life: Life, event: string, round: number): void => {
  const payIn = life.payIns.find(one => one.event === event) as PayIn
  if (payIn.outcome !== null && payIn.outcome !== 'forged') return
  const again = (most: number) => {
    const seconds = pauses[Math.min(round, pauses.length - 1)] ?? 3600
    if (round < most) life.jobs.push({ queue: 'payIn', event, round: round + 1, at: life.now + seconds * 1000 })
  }
  if (payIn.truth === 'success') payIn.outcome = book(life, payIn)
  else if (payIn.truth === 'failure') payIn.outcome = 'not_paid'
  else if (payIn.truth === 'notFound') {
    payIn.outcome = 'forged'
    again(3)
  } else again(72)
}

/** What the desk does not foresee is a refusal, anything else a mistake of the model. */
export const codeOf = (act: () => void): number => {
  try {
    act()
    return 0
  } catch (error) {
    if (error instanceof Refused) return error.code
    throw error
  }
}
