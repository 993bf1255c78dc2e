import { add, eq, gt, gte, isPositive, isZero, lt, lte, type Money, max, sub, sum, zeroMoney } from '../money.ts'
import { addDays, type EatDate } from '../time.ts'
import { allocate, type Discount, discount, exempt, waive } from './allocate.ts'
import { applyLines, type Bill, isOpen, oldestFirst, openBill, outstandingOf, remaining } from './bill.ts'
import { type Amounts, components, contractComponents, type Line, sumAmounts } from './components.ts'
import { unearned } from './early.ts'
import { type ExtensionQuote, extensionQuote } from './extension.ts'
import { accrue, type LateRoom, type Limit, penaltiesOf, type Rewound, reaccrue, rewind, type Tick } from './penalty.ts'
import type { Terms } from './terms.ts'

/** An order as it stands now. */
export type TrialOrder = {
  terms: Terms
  bills: readonly Bill[]
  payoutDate: EatDate
  loanAmount: Money
  actualLoanAmount: Money
  /** The sum of what posted repayment records wrote off. */
  writtenOffSoFar: Money
  /** The value date of the latest posted record. */
  lastValueDate?: EatDate | null
  /** Penalties charged per bill; needed where a value date may lie before today. */
  ticks?: Readonly<Record<string, readonly Tick[]>>
  /** What the law still allows to charge for lateness; no limit unless given. */
  lateRoom?: LateRoom
}

/** A repayment to try out. */
export type TrialRequest = {
  repayType: 'settle' | 'partial' | 'extension' | 'overpayment'
  /** The day on which the money counts. After `businessDate` the answer is a projection. */
  valueDate: EatDate
  /** Today, the day up to which the bills carry their penalties. */
  businessDate: EatDate
  /** The write-off amount of each flow; none for a settlement at zero. */
  amounts: readonly Money[]
  /** The most that may be forgiven to settle, and how much of that may be principal. */
  shortfallLimit?: Money
  principalLimit?: Money
  /** A passed exemption; an extension is paid in full. */
  exempt?: Partial<Amounts>
  /** What a coupon takes off; of an extension, off the bill that it puts off. */
  discount?: Discount
}

/** Why a line is forgiven: by the terms for paying early, by a passed exemption, by a coupon, or as a small shortfall. */
export type WaiveReason = 'proRata' | 'exemption' | 'coupon' | 'shortfall'
/** An amount that is forgiven, with the reason. */
export type WaivedLine = Line & { reason: WaiveReason }

/** The penalties of a touched bill that are reversed and charged again because of an earlier value date. */
export type Accrual = { billNo: string; reversed: Tick[]; ticks: Tick[] }

/** The text key of why a repayment cannot be posted. */
export type TrialRefusal =
  | 'validation.writeOffIncomplete'
  | 'validation.dateBeforeLoan'
  | 'errors.writeOffBelowPayout'
  | 'errors.shortfallNotCovered'
  | 'errors.chooseSettle'
  | 'errors.notOverpayment'
  | 'errors.extensionNotAllowed'
  | 'errors.extensionBelow'
  | 'errors.couponNothing'

/** The bill that a successor replaces, what that costs, and the successor, whose number is given when it is written. */
export type Extension = ExtensionQuote & { billNo: string; dueDate: EatDate; successor: Bill }

/** Stands for the number of a successor that is not written yet. */
const successorNo = '+'

/** What a payment would do, before anything is posted. */
export type Trial = {
  /** What is owed on the value date, per component and in all. */
  due: Amounts
  outstanding: Money
  /** What settles the order on the value date: `outstanding` less what paying early, the exemption and the coupon take off. */
  settleAmount: Money
  /** What puts the oldest open bill off on the value date; null when it cannot be. */
  extension: Extension | null
  /** The sum of the flows. */
  amount: Money
  allocation: Line[]
  waived: WaivedLine[]
  overflow: Money
  accruals: Accrual[]
  after: Bill[]
  outstandingAfter: Money
  orderSettled: boolean
  /** What a person has to confirm before it is posted, in the order of the dialog. */
  flags: { confirmGreater: boolean; confirmLess: boolean; confirmNotExtension: boolean }
  refusal?: TrialRefusal
}

type AsOf = { bills: Bill[]; rewound: Map<string, Rewound> }

/** The limit of the law on one bill, given how the bills of its order stand. */
export const limitOf = (
  { lateRoom }: Pick<TrialOrder, 'lateRoom'>,
  bills: readonly Bill[],
  bill: Bill,
): Limit | undefined =>
  lateRoom && { room: lateRoom, others: penaltiesOf(bills.filter(other => other.billNo !== bill.billNo)) }

/** The bills as they stood, or will stand, on the value date. */
const standing = (order: TrialOrder, { valueDate, businessDate }: TrialRequest): AsOf => {
  const rewound = new Map<string, Rewound>()
  const bills = [...order.bills]
  for (const [index, bill] of order.bills.entries()) {
    if (valueDate > businessDate) {
      const limit = limitOf(order, bills, bill)
      bills[index] = accrue(bill, order.terms, addDays(businessDate, 1), valueDate, { limit }).bill
      continue
    }
    const back = rewind(bill, order.ticks?.[bill.billNo] ?? [], valueDate)
    if (back.reversed.length > 0) rewound.set(bill.billNo, back)
    bills[index] = back.bill
  }
  return { bills, rewound }
}

const isSame = (one: Bill | undefined) => (bill: Bill) => bill.billNo === one?.billNo
const because = (reason: WaiveReason, lines: readonly Line[]): WaivedLine[] => lines.map(line => ({ ...line, reason }))

/** Bills that money or forgiveness reached get their later penalties recomputed; the others stay as they are today. */
const bringForward = (
  order: TrialOrder,
  request: TrialRequest,
  asOf: AsOf,
  paid: readonly Bill[],
  touched: ReadonlySet<string>,
) => {
  const accruals: Accrual[] = []
  const isBack = (bill: Bill) => asOf.rewound.has(bill.billNo) && touched.has(bill.billNo)
  const after = paid.map((bill, index) =>
    asOf.rewound.has(bill.billNo) && !isBack(bill) ? (order.bills[index] ?? bill) : bill,
  )
  for (const [index, bill] of after.entries()) {
    const back = isBack(bill) && asOf.rewound.get(bill.billNo)
    if (!back) continue
    const limit = limitOf(order, after, bill)
    const again = reaccrue(bill, order.terms, request.valueDate, request.businessDate, { kept: back.kept, limit })
    accruals.push({ billNo: bill.billNo, reversed: back.reversed, ticks: again.ticks })
    after[index] = again.bill
  }
  return { accruals, after }
}

type Facts = Pick<Trial, 'amount' | 'settleAmount' | 'extension'> & {
  /** Principal, interest and fees owed on the value date, less what paying early forgives. */
  contract: Money
  shortfall: Money
  /** Whether the shortfall may be forgiven, in full. */
  covered: boolean
  /** A coupon was given, and nothing is owed that it could take off. */
  useless: boolean
}

const refusalOf = (order: TrialOrder, request: TrialRequest, facts: Facts): TrialRefusal | undefined => {
  const { repayType, valueDate } = request
  const { amount, settleAmount } = facts
  if (repayType !== 'settle' && !isPositive(amount)) return 'validation.writeOffIncomplete'
  if (valueDate < order.payoutDate || (order.lastValueDate && valueDate < order.lastValueDate))
    return 'validation.dateBeforeLoan'
  if (facts.useless) return 'errors.couponNothing'
  if (repayType === 'settle') {
    if (lt(add(order.writtenOffSoFar, amount), order.actualLoanAmount)) return 'errors.writeOffBelowPayout'
    if (!facts.covered) return 'errors.shortfallNotCovered'
  }
  if (repayType === 'partial' && gte(amount, settleAmount)) return 'errors.chooseSettle'
  if (repayType === 'extension') {
    if (!facts.extension) return 'errors.extensionNotAllowed'
    if (lt(amount, facts.extension.amount)) return 'errors.extensionBelow'
  }
  if (repayType === 'overpayment' && isPositive(settleAmount) && lte(amount, settleAmount))
    return 'errors.notOverpayment'
  return undefined
}

const flagsOf = (order: TrialOrder, { repayType }: TrialRequest, facts: Facts): Trial['flags'] => ({
  confirmGreater: repayType === 'settle' && gt(add(order.writtenOffSoFar, facts.amount), order.actualLoanAmount),
  confirmLess: repayType === 'settle' && (lt(facts.amount, facts.contract) || isPositive(facts.shortfall)),
  confirmNotExtension: repayType === 'partial' && facts.extension !== null && eq(facts.amount, facts.extension.amount),
})

const noCharge = { interest: zeroMoney, serviceFee: zeroMoney, managementFee: zeroMoney }

/** The offer to put the oldest open bill off: not to a day that has passed by now, and not where no principal is left. */
export const extensionOf = (
  terms: Terms,
  oldest: Bill | undefined,
  { valueDate, businessDate }: Pick<TrialRequest, 'valueDate' | 'businessDate'>,
): Extension | null => {
  const quote = oldest && extensionQuote(terms, oldest, valueDate)
  if (!quote || quote.newDueDate <= (valueDate > businessDate ? valueDate : businessDate)) return null
  const { principal } = remaining(oldest)
  if (!isPositive(principal)) return null
  const successor = openBill(successorNo, {
    ...noCharge,
    installmentNo: oldest.installmentNo,
    dueDate: quote.newDueDate,
    principal,
  })
  return {
    ...quote,
    billNo: oldest.billNo,
    dueDate: oldest.dueDate,
    successor: { ...successor, extensionCount: (oldest.extensionCount ?? 0) + 1 },
  }
}

/** Pays for an extension: all that is due on its bill but the principal, which the successor owes; what is over its price is left over. */
const extend = (bills: readonly Bill[], { billNo, due, amount }: Extension, paid: Money) => {
  const lines: Line[] = components
    .filter(component => isPositive(due[component]))
    .map(component => ({ billNo, component, amount: due[component] }))
  const after = applyLines(bills, lines, 'paid').map(bill =>
    bill.billNo === billNo ? { ...bill, status: 'extended' as const } : bill,
  )
  return { lines, overflow: max(sub(paid, amount), zeroMoney), after }
}

type Reduced = {
  open: Bill[]
  settleAmount: Money
  contract: Money
  /** The bills without what terms, exemption and coupon take off in this repayment. */
  left: Bill[]
  waived: WaivedLine[]
  useless: boolean
}

/** What a repayment takes off before money is counted: for paying early, by an exemption, by a coupon. */
const reduce = ({ terms, payoutDate }: TrialOrder, request: TrialRequest, { bills }: AsOf): Reduced => {
  const extending = request.repayType === 'extension'
  const settling = request.repayType !== 'partial' && !extending
  const open = oldestFirst(bills)
  const early = unearned(terms, bills, payoutDate, request.valueDate)
  const afterEarly = applyLines(bills, early, 'waived')
  const less = (of: readonly Bill[]) =>
    request.discount ? discount(of, terms, request.discount) : { lines: [], after: [...of] }
  const forgiven = exempt(afterEarly, terms, request.exempt ?? {})
  const cheaper = less(forgiven.after)
  const exempted = settling ? forgiven : exempt(bills, terms, extending ? {} : (request.exempt ?? {}))
  const coupon = settling ? cheaper : less(extending ? exempted.after.filter(isSame(open[0])) : exempted.after)
  return {
    open,
    settleAmount: outstandingOf(cheaper.after),
    contract: outstandingOf(afterEarly, contractComponents),
    left: exempted.after.map(bill => coupon.after.find(isSame(bill)) ?? bill),
    waived: [
      ...because('proRata', settling ? early : []),
      ...because('exemption', exempted.lines),
      ...because('coupon', coupon.lines),
    ],
    useless: request.discount !== undefined && coupon.lines.length === 0,
  }
}

/**
 * What a repayment would do to an order: the posting runs the same function and stores its answer.
 * Pure: the same order and request answer the same. With a `refusal` the rest shows what was asked for and must not be posted.
 * @throws TypeError when an amount is not money; RangeError when one is negative
 */
export const trial = (order: TrialOrder, request: TrialRequest): Trial => {
  const { terms } = order
  const amount = sum(request.amounts)
  const asOf = standing(order, request)
  const { open, settleAmount, contract, left, waived: off, useless } = reduce(order, request, asOf)
  const [oldest] = open
  const shortfall = request.repayType === 'settle' ? max(sub(settleAmount, amount), zeroMoney) : zeroMoney
  const small = waive(left, terms, shortfall, { principalLimit: request.principalLimit })
  const covered = lte(shortfall, request.shortfallLimit ?? zeroMoney) && isZero(small.uncovered)
  const extending = request.repayType === 'extension'
  const offer = extensionOf(terms, extending ? left.find(isSame(oldest)) : oldest, request)
  const extension = extending ? offer : null
  const {
    lines: allocation,
    overflow,
    after: paid,
  } = extension ? extend(left, extension, amount) : allocate(covered ? small.after : left, terms, amount)
  const waived = [...off, ...because('shortfall', covered ? small.lines : [])]

  const touched = new Set([...allocation, ...waived, ...(extension ? [extension] : [])].map(line => line.billNo))
  const { accruals, after } = bringForward(order, request, asOf, paid, touched)
  const owing = extension ? [...after, extension.successor] : after
  const facts: Facts = { amount, settleAmount, extension: offer, contract, shortfall, covered, useless }
  return {
    due: sumAmounts(open.map(remaining)),
    outstanding: outstandingOf(asOf.bills),
    settleAmount,
    extension: offer,
    amount,
    allocation,
    waived,
    overflow,
    accruals,
    after,
    outstandingAfter: outstandingOf(owing),
    orderSettled: isZero(outstandingOf(owing)) && !owing.some(isOpen),
    flags: flagsOf(order, request, facts),
    refusal: refusalOf(order, request, facts),
  }
}
