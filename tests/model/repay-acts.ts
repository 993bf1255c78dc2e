import { contract } from '../../core/contract/contract.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { received } from '../../server/testing/received.ts'
import { type Bill, isOpen, type Line, nothing, type Sums } from './bills.ts'
import { lotName } from './fixture.ts'
import type { Game } from './game.ts'
import { accountOf } from './pay-in-model.ts'
import { find } from './payout-acts.ts'
import { checkRepayable, checkRollback, freeOverflow, naturalDay, pastOf, post, restOf, tried } from './repay-model.ts'
import { type Entry, type Order, type Receipt, refuse, step } from './state.ts'
import { type Cents, dayOf, daysFrom, money, plusDays, total } from './sums.ts'

const { repay } = contract
/** A bill is not put off in these lives: a part that equals the price of it stays a part. */
type Form = InputOf<typeof repay.trial> & { repayType: Chosen['repayType'] }

export type Chosen = {
  repayType: 'settle' | 'partial' | 'overpayment'
  /** Parts of the settle amount that are typed in, in thousandths, and how many days ago the money came. */
  typed: readonly { share: number; more: Cents; daysAgo: number; keep: Cents }[]
  /** Which waiting receipts are taken as well. */
  picked: readonly number[]
  valueDate: number | null
  blind: boolean
  flaw: 'none' | 'stale' | 'unconfirmed' | 'key' | 'repeated' | 'known' | 'tooMuch' | 'nothing' | 'unproven'
}

/** Forms with money that nothing but their typing shows. */
const staysTyped: readonly Chosen['flaw'][] = ['repeated', 'known', 'unproven']

const sumsOf = (lines: readonly Line[]): Sums => {
  const sums = nothing()
  for (const { part, amount } of lines) sums[part] += amount
  return sums
}
const shown = (sums: Sums): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sums)
      .sort()
      .map(([part, amount]) => [part, money(amount)]),
  )
export const sorted = (amounts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).sort())
const dueOf = (bills: readonly Bill[]): Sums =>
  sumsOf(
    bills.filter(isOpen).flatMap(bill =>
      Object.keys(bill.due).map(name => {
        const part = name as keyof Sums
        return { bill: bill.no, part, amount: bill.due[part] - bill.paid[part] - bill.waived[part] }
      }),
    ),
  )

/** What it takes to settle now; nothing where there is no loan. */
const settleOf = (g: Game, order: Order): Cents =>
  order.loan && order.status === 'funds_disbursed'
    ? tried(g.life, order, { repayType: 'settle', valueDate: g.life.today, amounts: [], small: true }).settleAmount
    : 0

let serial = 0
type Filled = {
  form: Form
  lines: { receipt: Receipt | null; amount: Cents; writeOff: Cents; serialNo: string; entryTime: string }[]
}

const fill = (g: Game, order: Order, chosen: Chosen): Filled => {
  const settle = settleOf(g, order)
  const whole = (amount: Cents) => Math.max(100, Math.round(amount / 100) * 100)
  const typed = chosen.typed.map(({ share, more, daysAgo, keep }) => {
    const writeOff = whole((settle * share) / 1000 + more)
    const entryTime = new Date(g.life.now - daysAgo * 86_400_000).toISOString()
    return {
      receipt: null,
      amount: writeOff + keep,
      writeOff,
      serialNo: `${lotName(g.life.lot)}T${++serial}`,
      entryTime,
    }
  })
  const waiting = g.life.receipts.filter(one => one.flowNo !== null)
  const picked = [...new Set(chosen.picked.map(index => waiting[index % Math.max(1, waiting.length)]))].flatMap(
    receipt =>
      receipt
        ? [
            {
              receipt,
              amount: receipt.amount,
              writeOff: Math.max(100, restOf(receipt)),
              serialNo: receipt.serialNo,
              entryTime: receipt.entryTime,
            },
          ]
        : [],
  )
  const lines: Filled['lines'] = [...picked, ...typed]
  const [first, second] = [lines[0], lines[1]]
  if (chosen.flaw === 'repeated' && first && second && !second.receipt) second.serialNo = first.serialNo
  if (chosen.flaw === 'tooMuch' && first) first.writeOff = first.amount + 100
  if (chosen.flaw === 'nothing' && first) first.writeOff = 0
  const known = g.life.receipts[0]
  const last = lines.at(-1)
  if (chosen.flaw === 'known' && known && last && !last.receipt) last.serialNo = known.serialNo
  const form = {
    orderNo: order.orderNo,
    repayType: chosen.repayType,
    ...(chosen.valueDate === null ? {} : { valueDate: plusDays(g.life.today, chosen.valueDate) }),
    flows: lines.map(line => ({
      ...(line.receipt?.flowNo ? { flowNo: line.receipt.flowNo } : {}),
      paymentCode: order.payCode,
      paymentChannel: 'mtn_momo' as const,
      serialNo: line.serialNo,
      amount: money(line.amount),
      entryTime: line.entryTime,
      writeOffAmount: money(line.writeOff),
    })),
  }
  return { form, lines }
}

/** Refuses a form as the desk does, and says on which day its money counts. */
const readForm = (g: Game, order: Order, { form, lines }: Filled, commit: boolean): string => {
  const { life } = g
  if (commit && lines.length === 0) refuse(40001)
  if (lines.some(line => line.amount === 0 || line.writeOff === 0)) refuse(40001)
  if (new Set(lines.map(line => line.serialNo)).size < lines.length) refuse(40001)
  if (!order.loan) refuse(40401)
  const typed = lines.filter(line => !line.receipt)
  if (typed.some(line => life.receipts.some(one => one.serialNo === line.serialNo))) refuse(40001)
  for (const { receipt, amount, writeOff } of lines) {
    const now = receipt && (life.receipts.find(one => one.flowNo === receipt.flowNo) as Receipt)
    if (now?.status === 'exhausted') refuse(40001)
    if (now && !['available', 'partly_used', 'unproven'].includes(now.status)) refuse(40901)
    if (writeOff > (now ? restOf(now) : amount)) refuse(40001)
  }
  checkRepayable(order, form.repayType === 'overpayment' ? ['settled'] : [])
  const payoutDate = order.loan?.payoutDate as string
  if (typed.some(line => dayOf(line.entryTime) < payoutDate)) refuse(40001)
  const isUnproven = ({ receipt }: Filled['lines'][number]) =>
    !receipt || life.receipts.find(one => one.flowNo === receipt.flowNo)?.status === 'unproven'
  const proven = (day: string): string => (commit && lines.some(isUnproven) ? refuse(40901) : day)
  const arrivals = lines.map(line => (isUnproven(line) ? new Date(life.now).toISOString() : line.entryTime))
  const { valueDate } = form
  if (!valueDate) return proven(naturalDay(life, order, arrivals))
  const { lastValueDate } = pastOf(order)
  if (commit && valueDate > life.today) refuse(40001)
  if (valueDate < payoutDate || (lastValueDate && valueDate < lastValueDate)) refuse(40001)
  if (arrivals.some(arrival => valueDate < dayOf(arrival))) refuse(40001)
  return proven(valueDate)
}

const outcomeOf = (g: Game, order: Order, filled: Filled, commit: boolean) => {
  const valueDate = readForm(g, order, filled, commit)
  const amounts = filled.lines.map(line => line.writeOff)
  return { valueDate, ...tried(g.life, order, { repayType: filled.form.repayType, valueDate, amounts, small: true }) }
}

/** The trial on the screen is the model's, number by number. */
const compareTrial = async (g: Game, order: Order, filled: Filled) => {
  const answer = await g.call(repay.trial, filled.form)
  const expected = g.foresee(() => void outcomeOf(g, find(g, order), filled, false))
  g.agree('trial', answer, expected)
  if (expected !== 0) return null
  const foreseen = outcomeOf(g, find(g, order), filled, false)
  const { data } = answer
  const isRefused = foreseen.code !== 0 && filled.lines.length > 0
  g.same('trial refusal', data.refusal !== null, isRefused)
  g.same('trial value date', data.valueDate, foreseen.valueDate)
  g.same('trial settle amount', data.settleAmount, money(foreseen.settleAmount))
  g.same('trial due', sorted(data.due), shown(dueOf(foreseen.before)))
  if (foreseen.code !== 0) return { key: data.trialKey, foreseen }
  g.same('trial applied', sorted(data.applied), shown(sumsOf(foreseen.paid)))
  g.same('trial waived', sorted(data.waived), shown(sumsOf(foreseen.waived)))
  g.same('trial overflow', data.overflow, money(foreseen.overflow))
  g.same('trial left', data.outstandingAfter, money(foreseen.outstandingAfter))
  const { confirmNotExtension: _, ...flags } = data.flags
  g.same('trial flags', flags, { confirmGreater: foreseen.confirmGreater, confirmLess: foreseen.confirmLess })
  g.same('trial end', data.orderStatusAfter, foreseen.settled ? 'settled' : find(g, order).status)
  return { key: data.trialKey, foreseen }
}

/** The kind that fits the amount, as staff would choose it; a tenth of the forms keeps the kind that was chosen blindly. */
const fitting = (g: Game, order: Order, given: Chosen): Chosen => {
  if (given.blind) return given
  const age = order.loan ? daysFrom(order.loan.payoutDate, g.life.today) : 0
  const typed = given.typed.map(line => ({ ...line, daysAgo: Math.min(line.daysAgo, age) }))
  const chosen = { ...given, typed, valueDate: given.valueDate === null ? null : Math.max(given.valueDate, -age) }
  const amount = total(fill(g, order, chosen).lines.map(line => line.writeOff))
  if (order.status === 'settled') return { ...chosen, repayType: 'overpayment' }
  const isEnough = amount >= settleOf(g, order) - g.life.limits.shortfall
  return isEnough || chosen.repayType === 'overpayment' ? chosen : { ...chosen, repayType: 'partial' }
}

/** The money of the typed lines comes by the record of the network, and the form names it. */
const arrive = async (g: Game, filled: Filled): Promise<Filled> => {
  const account = accountOf(g.life)
  const flows: Form['flows'] = []
  for (const [index, line] of filled.form.flows.entries()) {
    const own = filled.lines[index]
    if (!own || own.receipt || own.amount === 0) {
      flows.push(line)
      continue
    }
    const flowNo = await received(g.fixture.db, { ...line, merchantNo: lotName(g.life.lot), fundAccountNo: account })
    const { serialNo, amount, entryTime } = own
    const status = step('flow', '∅', 'import.row')
    own.receipt = { flowNo, serialNo, status, amount, applied: 0, entryTime, source: 'callback', account, wait: null }
    g.life.receipts.push(own.receipt)
    g.saw(flowNo, 0)
    g.life.bank[account] = (g.life.bank[account] ?? 0) + amount
    flows.push({ ...line, flowNo })
  }
  return { ...filled, form: { ...filled.form, flows } }
}

/** Takes receipts that are typed, have come, or wait, tries, and writes off. */
export const writeOff = async (g: Game, order: Order, chosen: Chosen) => {
  const typed = fill(g, order, fitting(g, order, chosen))
  const filled = staysTyped.includes(chosen.flaw) ? typed : await arrive(g, typed)
  const trial = await compareTrial(g, order, filled)
  const version = versionOf(g, order)
  const confirmed =
    chosen.flaw === 'unconfirmed' ? {} : { confirmGreater: true, confirmLess: true, confirmNotExtension: true }
  const input = {
    ...filled.form,
    version: chosen.flaw === 'stale' ? version - 1 : version,
    trialKey: chosen.flaw === 'key' ? 'other' : (trial?.key ?? ''),
    ...confirmed,
  }
  const answer = await g.call(repay.commit, input)
  const expected = g.foresee(() => {
    const held = find(g, order)
    const foreseen = outcomeOf(g, held, filled, true)
    if (chosen.flaw === 'stale') refuse(40902)
    if (foreseen.code !== 0) refuse(foreseen.code)
    if (chosen.flaw === 'key') refuse(40002)
    if (chosen.flaw === 'unconfirmed' && (foreseen.confirmGreater || foreseen.confirmLess)) refuse(40002)
    const receipts = filled.lines.map(line => ({
      receipt: known(g, line.receipt as Receipt),
      amount: line.writeOff,
    }))
    const event = `repay.${filled.form.repayType}`
    const { valueDate } = foreseen
    post(g.life, held, foreseen, { type: filled.form.repayType, valueDate, source: { receipts }, event })
  })
  g.agree(`write off (${chosen.repayType})`, answer, expected)
}

const known = (g: Game, { serialNo, flowNo }: Receipt): Receipt =>
  g.life.receipts.find(one => one.serialNo === serialNo && one.flowNo === flowNo) as Receipt

/** The version that staff see; an order that was taken back is not on the desk any more. */
const versionOf = (g: Game, order: Order) =>
  order.loan && order.status !== 'cancelled' ? g.versionOf(order.orderNo) : -1

/** Settles a residue without money: what is left is forgiven, as far as that goes. */
export const zeroSettle = async (g: Game, order: Order, blind: boolean) => {
  const preview = await g.call(repay.zeroPreview, { orderNos: [order.orderNo] })
  g.agree('zero preview', preview, 0)
  const foreseen = () => {
    const held = find(g, order)
    if (!held.loan) refuse(40401)
    checkRepayable(held)
    const wanted = { repayType: 'settle' as const, valueDate: g.life.today, amounts: [], small: true }
    const outcome = tried(g.life, held, wanted)
    if (outcome.code !== 0) refuse(outcome.code)
    return { held, outcome }
  }
  const allowed = g.foresee(() => void foreseen()) === 0
  g.same('zero preview', preview.data.list[0]?.allowed, allowed)
  const trialKey = blind ? 'unseen' : (preview.data.list[0]?.trialKey ?? '')
  const answer = await g.call(repay.zeroSettle, { orderNos: [order.orderNo], trialKeys: [trialKey] })
  const expected = g.foresee(() => {
    const { held, outcome } = foreseen()
    if (blind) refuse(40002)
    const { today: valueDate } = g.life
    post(g.life, held, outcome, { type: 'settle', valueDate, source: 'none', event: 'repay.zeroSettle' })
  })
  g.agreeRows('zero settle', answer, [[order.orderNo, expected]])
}

/** Uses what is held for the customer. */
export const reuse = async (g: Game, order: Order, share: number, stale: boolean) => {
  const free = freeOverflow(g.life)
  const amount = Math.round((free * share) / 100_000) * 100 || (share > 1000 ? 100 : 0)
  const version = versionOf(g, order) - (stale ? 1 : 0)
  const answer = await g.call(repay.reuseOverflow, { orderNo: order.orderNo, version, amount: money(amount) })
  const expected = g.foresee(() => {
    const held = find(g, order)
    if (amount === 0) refuse(40001)
    if (!held.loan) refuse(40401)
    if (version < 0 || stale) refuse(40902)
    checkRepayable(held)
    if (free === 0) refuse(40001)
    const { today: valueDate } = g.life
    const wanted = { valueDate, small: false }
    const { settleAmount } = tried(g.life, held, { ...wanted, repayType: 'settle', amounts: [] })
    if (amount > free || amount > settleAmount) refuse(40001)
    const repayType = amount >= settleAmount ? 'settle' : 'partial'
    const outcome = tried(g.life, held, { ...wanted, repayType, amounts: [amount] })
    if (outcome.code !== 0) refuse(40001)
    post(g.life, held, outcome, { type: repayType, valueDate, source: 'overflow', event: `repay.${repayType}` })
  })
  g.agree('reuse overflow', answer, expected)
}

/** Asks for a record to be taken back; a second person has to agree. */
export const rollback = async (g: Game, order: Order, back: number, stale: boolean) => {
  const entry = order.records.at(-1 - (back % Math.max(1, order.records.length))) as Entry | undefined
  if (!entry) return
  const { repaymentNo } = entry
  const version = g.versionOf(repaymentNo) - (stale ? 1 : 0)
  const answer = await g.call(repay.rollback, { repaymentNo, version, reason: 'wrong order' })
  const expected = g.foresee(() => {
    const held = find(g, order)
    checkRollback(g.life, held, held.records.find(one => one.repaymentNo === repaymentNo) as Entry)
    if (stale) refuse(40902)
    if (g.life.approvals.some(one => one.about === repaymentNo && one.status === 'pending')) refuse(40901)
    g.life.approvals.push({
      no: answer.data?.approvalNo ?? '',
      kind: 'rollback',
      about: repaymentNo,
      status: 'pending',
      expires: g.life.now + 72 * 3_600_000,
    })
  })
  g.agree('roll back', answer, expected)
}
