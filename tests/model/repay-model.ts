import { type Entry, isReversing, type Life, type Order, posted, type Receipt, refuse, step } from './state.ts'
import { type Cents, dayOf, daysFrom, earliest, latest, total } from './sums.ts'
import { type Foreseen, foresee } from './trial.ts'

export const freeOverflow = (life: Life): Cents => life.overpayment.credited - life.overpayment.reapplied
export const restOf = (receipt: Receipt): Cents => receipt.amount - receipt.applied

export const pastOf = (order: Order) => {
  const records = posted(order)
  return {
    records: records.map(record => record.applied),
    writtenOff: total(records.map(record => record.amount - record.overflow)),
    payout: order.payout,
    lastValueDate: records.length > 0 ? latest(...records.map(record => record.applied.valueDate)) : null,
  }
}

export const checkRepayable = (order: Order, also: readonly string[] = []): void => {
  if (isReversing(order)) refuse(40901)
  if (!['funds_disbursed', ...also].includes(order.status)) refuse(40901)
}

/** The day on which money counts that came at some times. */
export const naturalDay = (life: Life, order: Order, arrivals: readonly string[]): string => {
  const { lastValueDate } = pastOf(order)
  const payoutDate = order.loan?.payoutDate ?? life.today
  const arrival = arrivals.length > 0 ? latest(...arrivals.map(dayOf)) : life.today
  return earliest(latest(arrival, payoutDate, lastValueDate ?? payoutDate), life.today)
}

export type Wanted = {
  repayType: 'settle' | 'partial' | 'overpayment'
  valueDate: string
  amounts: readonly Cents[]
  small: boolean
}

const forgivenThisMonth = (life: Life): Cents =>
  total(
    life.orders
      .flatMap(posted)
      .filter(record => dayOf(record.at).slice(0, 7) === life.today.slice(0, 7))
      .map(record => record.shortfall),
  )

/** What a repayment would do now, and the code by which it is refused. */
export const tried = (life: Life, order: Order, wanted: Wanted): Foreseen & { code: 0 | 40001 | 41001 } => {
  if (!order.loan) throw new Error(`${order.orderNo} has no loan`)
  const foreseen = foresee(order.loan, pastOf(order), {
    ...wanted,
    today: life.today,
    shortfallLimit: wanted.small ? life.limits.shortfall : 0,
    principalLimit: life.limits.principal,
  })
  const capped = foreseen.shortfall > 0 && forgivenThisMonth(life) + foreseen.shortfall > life.limits.month
  return { ...foreseen, code: foreseen.refused ? 40001 : capped ? 41001 : 0 }
}

const spend = (receipt: Receipt, amount: Cents): void => {
  receipt.applied += amount
  receipt.status = step('flow', receipt.status, 'flow.writeOff', restOf(receipt) === 0 ? 'all' : 'part')
  receipt.wait = null
}

/** Holds more for the customer (`amount` above nothing), or less of it. */
const hold = (life: Life, part: 'credited' | 'reapplied', amount: Cents): void => {
  const held = life.overpayment
  const gains = part === 'credited' ? amount > 0 : amount < 0
  held[part] += amount
  if (gains) held.status = step('overpayment', held.status ?? '∅', 'overflow.credit')
  else
    held.status = step('overpayment', held.status ?? '∅', 'overflow.reapply', freeOverflow(life) === 0 ? 'all' : 'part')
}

export type Source = { receipts: readonly { receipt: Receipt; amount: Cents }[] } | 'overflow' | 'none'

/** Writes off what was foreseen. */
export const post = (
  life: Life,
  order: Order,
  foreseen: Foreseen,
  o: { type: string; valueDate: string; source: Source; event: string },
): Entry => {
  step('repaymentRecord', '∅', o.event)
  const settles = foreseen.settled && order.status === 'funds_disbursed'
  const receipts = typeof o.source === 'string' ? [] : o.source.receipts
  for (const { receipt, amount } of receipts) spend(receipt, amount)
  if (o.source === 'overflow') hold(life, 'reapplied', foreseen.amount)
  if (foreseen.overflow > 0) hold(life, 'credited', foreseen.overflow)
  const entry: Entry = {
    repaymentNo: '',
    type: o.type,
    status: 'posted',
    amount: foreseen.amount,
    overflow: foreseen.overflow,
    shortfall: foreseen.shortfall,
    settledOrder: settles,
    at: new Date(life.now).toISOString(),
    flows: receipts.map(({ receipt, amount }) => ({ flow: receipt.serialNo, amount })),
    fromOverflow: o.source === 'overflow',
    applied: { valueDate: o.valueDate, paid: foreseen.paid, waived: foreseen.waived },
  }
  order.records.push(entry)
  if (settles) order.status = step('order', order.status, 'settle')
  return entry
}

/** Refuses a rollback as the desk does; what may be taken back now is the newest posted record. */
export const checkRollback = (life: Life, order: Order, entry: Entry): void => {
  if (entry.status !== 'posted') refuse(40901)
  checkRepayable(order, ['settled'])
  if (posted(order).at(-1) !== entry) refuse(40901)
  if (daysFrom(dayOf(entry.at), life.today) > 30) refuse(40901)
  if (entry.overflow > 0 && freeOverflow(life) < entry.overflow) refuse(40901)
}

export const rollBack = (life: Life, order: Order, entry: Entry): void => {
  checkRollback(life, order, entry)
  entry.status = step('repaymentRecord', entry.status, 'rollback.full')
  for (const { flow, amount } of entry.flows) {
    const receipt = life.receipts.find(one => one.serialNo === flow && one.status !== 'void') as Receipt
    receipt.applied -= amount
    receipt.status = step('flow', receipt.status, 'flow.rollback', receipt.applied === 0 ? 'all' : 'part')
  }
  if (entry.fromOverflow) hold(life, 'reapplied', -entry.amount)
  else if (entry.overflow > 0) hold(life, 'credited', -entry.overflow)
  if (entry.settledOrder) order.status = step('order', order.status, 'rollback.settle')
}
