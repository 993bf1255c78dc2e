import { contract } from '../../core/contract/contract.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { type Bill, left, type Part, statusOf } from './bills.ts'
import type { Game } from './game.ts'
import { upfrontOf } from './payout-model.ts'
import { sorted } from './repay-acts.ts'
import { freeOverflow, restOf, tried } from './repay-model.ts'
import { billsToday, type Life, type Order, overdueDaysOf, posted } from './state.ts'
import { type Cents, cents, money, total } from './sums.ts'

type Detail = OutputOf<typeof contract.repay.detail>
type Balances = Record<string, Cents>

const nonZero = (balances: Balances) =>
  Object.fromEntries(
    Object.entries(balances)
      .filter(([, amount]) => amount !== 0)
      .sort()
      .map(([account, amount]) => [account, money(amount)]),
  )

const sum = (bills: readonly Bill[], which: 'due' | 'paid', parts: readonly Part[]): Cents =>
  total(bills.flatMap(bill => parts.map(part => bill[which][part])))
const fees = ['serviceFee', 'managementFee'] as const
const penalties = ['lateFee', 'liquidatedDamages'] as const

/** What every account holds because of one order, derived from its state alone. */
const balancesOf = (life: Life, order: Order): Balances => {
  const { orderNo, payout } = order
  const bills = billsToday(life, order)
  const still = (parts: readonly Part[]) => total(bills.flatMap(bill => parts.map(part => left(bill)[part])))
  const records = posted(order)
  const forgiven = (parts: readonly Part[]) =>
    total(
      records
        .flatMap(record => record.applied.waived)
        .filter(line => line.why === 'shortfall' && parts.includes(line.part))
        .map(line => line.amount),
    )
  const attempts = order.codes.flatMap(code => code.attempts)
  const taken = records.filter(record => !record.fromOverflow)
  const isBack = order.status === 'cancelled' && order.loan !== null
  const balances: Balances = {
    [`principal:${orderNo}`]: still(['principal']),
    [`interest_rcv:${orderNo}`]: still(['interest']),
    [`fee_rcv:${orderNo}`]: still(fees),
    [`penalty_rcv:${orderNo}`]: still(penalties),
    [`deferred_interest:${orderNo}`]: -still(['interest']),
    [`deferred_fee:${orderNo}`]: -still(fees),
    interest_income: -sum(bills, 'paid', ['interest']) - forgiven(['interest']),
    fee_income: -sum(bills, 'paid', fees) - forgiven(fees) - (order.loan && !isBack ? upfrontOf(order) : 0),
    penalty_income: -sum(bills, 'due', penalties),
    exemption_expense: forgiven([...fees, ...penalties, 'interest']),
    small_balance_expense: forgiven(['principal']),
    suspense: total(taken.map(record => record.amount)) + (isBack ? payout : 0),
    [`overpayment:${life.customerNo}`]: total(records.map(one => (one.fromOverflow ? one.amount : -one.overflow))),
  }
  for (const { id, account, status } of attempts) {
    const left = ['prepared', 'sent', 'unknown', 'succeeded'].includes(status)
    balances[`bank:${account}`] = (balances[`bank:${account}`] ?? 0) - (left ? payout : 0)
    if (life.exceptions[id]) balances[`payout_exception:${id}`] = payout
  }
  for (const { loanCode, status } of order.codes)
    if (status === 'remitting' || status === 'unknown') balances[`payout_in_flight:${loanCode}`] = payout
  return balances
}

const booked = (journals: Detail['journals']): Balances => {
  const balances: Balances = {}
  for (const { accountCode, debit, credit } of journals.flatMap(journal => journal.lines)) {
    const account = accountCode.startsWith('suspense:') ? 'suspense' : accountCode
    balances[account] = (balances[account] ?? 0) + cents(debit) - cents(credit)
  }
  return balances
}

const compareCodes = async (g: Game, order: Order) => {
  const rows = await g.codesOf(order.orderNo)
  for (const { loanCode, version } of rows) g.saw(loanCode, version)
  const shown = rows.map(row => [
    row.loanCode,
    row.loanCodeStatus,
    row.attemptNo,
    row.failType,
    row.waitReason,
    row.orderStatus,
  ])
  g.same(
    `codes of ${order.orderNo}`,
    shown.reverse(),
    order.codes.map(code => [code.loanCode, code.status, code.attemptNo, code.failType, code.waitReason, order.status]),
  )
}

/** The numbers that the server gives to new records, learned in the order of their posting. */
const learnRecords = (order: Order, { records }: Detail) => {
  const shown = [...records].reverse()
  for (const [index, entry] of order.records.entries()) entry.repaymentNo ||= shown[index]?.repaymentNo ?? ''
}

const compareLoan = async (g: Game, order: Order) => {
  const { life } = g
  const detail = await g.detailOf(order.orderNo)
  learnRecords(order, detail)
  g.saw(order.orderNo, detail.order.version)
  for (const { repaymentNo, version } of detail.records) g.saw(repaymentNo, version)
  const bills = billsToday(life, order)
  const amounts = (sums: Record<string, Cents>) =>
    sorted(Object.fromEntries(Object.entries(sums).map(([part, amount]) => [part, money(amount)])))
  g.same(
    `status of ${order.orderNo}`,
    [detail.order.orderStatus, detail.order.overdueDays],
    [order.status, overdueDaysOf(life, order)],
  )
  g.same(
    `bills of ${order.orderNo}`,
    detail.bills.map(bill => [bill.dueDate, bill.billStatus, sorted(bill.due), sorted(bill.paid), sorted(bill.waived)]),
    bills.map(bill => [bill.dueDate, statusOf(bill), amounts(bill.due), amounts(bill.paid), amounts(bill.waived)]),
  )
  g.same(
    `records of ${order.orderNo}`,
    detail.records
      .map(one => [one.repayType, one.recordStatus, one.amount, one.overflowAmount, one.valueDate])
      .reverse(),
    order.records.map(one => [one.type, one.status, money(one.amount), money(one.overflow), one.applied.valueDate]),
  )
  if (order.status === 'funds_disbursed') {
    const wanted = { repayType: 'settle' as const, valueDate: life.today, amounts: [], small: false }
    g.same('settle amount', detail.order.settleAmount, money(tried(life, order, wanted).settleAmount))
  }
  g.same('overflow', detail.order.overflowAmount, money(freeOverflow(life)))
  g.same(`ledger of ${order.orderNo}`, nonZero(booked(detail.journals)), nonZero(balancesOf(life, order)))
  return detail.flows
}

type FlowRow = Detail['flows'][number]

const compareFlow = (g: Game, row: FlowRow) => {
  const same = g.life.receipts.filter(one => one.serialNo === row.serialNo)
  const receipt = same.find(one => one.flowNo === row.flowNo) ?? same.find(one => one.flowNo === null)
  if (!receipt) return g.same('receipts', row.serialNo, null)
  receipt.flowNo = row.flowNo
  g.saw(row.flowNo, row.version)
  return g.same(
    `receipt ${row.serialNo}`,
    [row.flowStatus, row.amount, row.remaining, row.waitReason],
    [receipt.status, money(receipt.amount), money(restOf(receipt)), receipt.wait],
  )
}

/** Everything that staff would see of a life is what the model has. */
export const compare = async (g: Game, orders: readonly Order[] = g.life.orders) => {
  const seen: FlowRow[] = []
  for (const order of orders) {
    await compareCodes(g, order)
    if (order.loan && order.status !== 'cancelled') seen.push(...(await compareLoan(g, order)))
  }
  for (const row of seen) compareFlow(g, row)
  const shown = new Set(seen.map(row => row.flowNo))
  for (const { serialNo } of g.life.receipts.filter(one => one.flowNo === null || !shown.has(one.flowNo))) {
    const found = await g.call(contract.repay.flows, { serialNo } as never)
    for (const row of [...found.data.list].sort((a, b) => (a.flowNo < b.flowNo ? -1 : 1)))
      compareFlow(g, row as FlowRow)
  }
}

/** The kept balances and differences of a life when it is over. */
export const compareBooks = async (g: Game) => {
  const { life } = g
  const books = await g.fixture.books(life.lot, life.customerNo)
  const expected: Balances = {
    ...Object.fromEntries(
      Object.entries(life.bank)
        .filter(([no]) => no !== 'FA1')
        .map(([no, amount]) => [`bank:${no}`, amount]),
    ),
    [`overpayment:${life.customerNo}`]: -freeOverflow(life),
    ...Object.fromEntries(Object.entries(life.exceptions).map(([id, amount]) => [`payout_exception:${id}`, amount])),
  }
  g.same('kept balances', nonZero(books.balances), nonZero(expected))
  g.same('differences', books.recon.sort(), [...life.recon].sort())
  g.same('sends', g.script.sent, life.sent)
  g.same(
    'payments heard',
    books.outcomes,
    life.payIns.map(one => one.outcome),
  )
}
