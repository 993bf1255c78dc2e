import { sql } from 'kysely'
import type { repay } from '../../../../core/contract/after-loan/repayment.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { contractComponents, totalOf } from '../../../../core/rules/loan/components.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { add, formatMoney, gt, isZero, type Money, money, sum } from '../../../../core/rules/money.ts'
import { addDays, type EatDate, eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, stateConflict } from '../../../http/fault.ts'
import type { Session } from '../../../session/session.ts'
import { type Usable, usableCoupons } from '../../operation/coupon/index.ts'
import { orderScope } from '../../order/order/index.ts'
import { checkSerials, type Flow, flowScope, readFlows, remainingOf } from '../flow/flow-store.ts'
import {
  checkRepayable,
  naturalValueDate,
  type Outcome,
  type Standing,
  standingOf,
  tryOut,
} from '../repayment/trial.ts'

type Form = ParsedOf<typeof repay.trial>
type Line = Form['flows'][number]

/** How far ahead a trial may look. */
const projectionDays = 60

const incomplete = (paths: readonly string[]) =>
  new Fault(
    'validation',
    'validation.writeOffIncomplete',
    {},
    { fields: paths.map(path => ({ path, key: 'validation.writeOffIncomplete', params: {} })) },
  )

/** Amounts that are nothing, in every row; what is missing altogether never gets this far. */
const checkFilled = (lines: readonly Line[]) => {
  const empty = lines.flatMap((line, index) =>
    (['amount', 'writeOffAmount'] as const).filter(name => isZero(line[name])).map(name => `flows.${index}.${name}`),
  )
  if (empty.length > 0) throw incomplete(empty)
}

const checkDistinct = (lines: readonly Line[]) => {
  const seen = new Set<string>()
  for (const [index, { paymentChannel, serialNo, flowNo }] of lines.entries()) {
    const names = [`${paymentChannel} ${serialNo}`, ...(flowNo ? [flowNo] : [])]
    if (names.some(name => seen.has(name))) throw invalid(`flows.${index}.serialNo`, 'validation.serialRepeated')
    for (const name of names) seen.add(name)
  }
}

const checkTimes = (lines: readonly Line[], standing: Standing, now: Date) => {
  for (const [index, { entryTime, flowNo }] of lines.entries()) {
    if (flowNo) continue
    if (Date.parse(entryTime) > now.getTime()) throw invalid(`flows.${index}.entryTime`, 'validation.dateInFuture')
    if (eatDate(entryTime) < standing.order.payoutDate)
      throw invalid(`flows.${index}.entryTime`, 'validation.dateBeforeLoan')
  }
}

/** Whether money may be written off of it. What was typed now is not in the books at all. */
const isUnproven = (flow: Flow | undefined) => !flow || can(machines.flow, flow.flowStatus, 'flow.prove')

/** Nothing is written off with a receipt that nothing but the typing of staff shows; it can only be tried. */
const checkProven = (lines: readonly Line[], picked: readonly Flow[]) => {
  const index = lines.findIndex(line => isUnproven(picked.find(({ flowNo }) => flowNo === line.flowNo)))
  if (index < 0) return
  const { serialNo } = lines[index] as Line
  const words = { key: 'errors.receiptUnproven', params: { serialNo } } as const
  const fields = [{ path: `flows.${index}.serialNo`, ...words }]
  throw new Fault('stateConflict', words.key, words.params, { fields })
}

const checkRemaining = (lines: readonly Line[], picked: readonly Flow[]) => {
  for (const [index, line] of lines.entries()) {
    const flow = picked.find(({ flowNo }) => flowNo === line.flowNo)
    const path = `flows.${index}.writeOffAmount`
    if (line.flowNo && !flow) throw invalid(`flows.${index}.serialNo`, 'errors.serialNotFound')
    if (flow && flow.flowStatus === 'exhausted') throw invalid(path, 'errors.flowUsedUp')
    if (flow && !isUnproven(flow) && !can(machines.flow, flow.flowStatus, 'flow.writeOff'))
      throw stateConflict(flow.flowStatus, 'FLOW_STATUS')
    if (gt(line.writeOffAmount, flow ? remainingOf(flow) : line.amount)) throw invalid(path, 'errors.limitExceeded')
  }
}

const chosenDate = (
  form: Form,
  standing: Standing,
  arrivals: readonly string[],
  o: { today: EatDate; commit: boolean },
): EatDate => {
  const { valueDate } = form
  const natural = naturalValueDate(standing, arrivals, o.today)
  if (!valueDate) return natural
  if (o.commit && valueDate > o.today) throw invalid('valueDate', 'validation.dateInFuture')
  if (valueDate > addDays(o.today, projectionDays))
    throw invalid('valueDate', 'validation.dateTooFar', { days: projectionDays })
  const { payoutDate } = standing.order
  const { lastValueDate } = standing.facts
  if (valueDate < payoutDate || (lastValueDate && valueDate < lastValueDate))
    throw invalid('valueDate', 'validation.dateBeforeLoan')
  if (arrivals.some(arrival => valueDate < eatDate(arrival)))
    throw invalid('valueDate', 'errors.valueDateBeforeArrival')
  return valueDate
}

/** `unproven`: serial numbers of receipts that count from today only, and that nothing is written off with. */
export type ReadForm = {
  standing: Standing
  outcome: Outcome
  picked: Flow[]
  unproven: string[]
  /** What it could be made with. */
  coupons: Usable[]
}
type Options = { commit: boolean; perm: string }

/** Reads a write-off form, refuses what can be refused before the calculation, and calculates. With `commit` it takes the locks. */
export const readForm = async (tx: Tx, session: Session, form: Form, { commit, perm }: Options): Promise<ReadForm> => {
  const { flows: lines, orderNo, repayType } = form
  if (commit && lines.length === 0) throw incomplete(['flows'])
  checkFilled(lines)
  checkDistinct(lines)

  const flowNos = lines.flatMap(({ flowNo }) => (flowNo ? [flowNo] : []))
  let picked: Flow[] = []
  const between = async () => {
    picked = await readFlows(tx, flowNos, { where: flowScope(session), lock: commit })
  }
  const flowOf = (line: Line) => picked.find(({ flowNo }) => flowNo === line.flowNo)
  const arrivals = () =>
    lines.map(line => {
      const flow = flowOf(line)
      return flow && !isUnproven(flow) ? flow.entryTime : tx.now.toISOString()
    })
  const where = orderScope(session, perm)
  const earliest = () => [form.valueDate ?? tx.today, ...arrivals().map(eatDate)].sort()[0] as EatDate
  const standing = await standingOf(tx, orderNo, { where, from: earliest, between, lock: commit })

  const typed = lines.flatMap(({ flowNo, paymentChannel, serialNo, amount }, index) =>
    flowNo ? [] : [{ channel: paymentChannel, serialNo, amount, path: `flows.${index}.serialNo` }],
  )
  await checkSerials(tx, typed)
  checkRemaining(lines, picked)
  checkRepayable(standing, repayType === 'overpayment' ? ['settled'] : [])
  checkTimes(lines, standing, tx.now)
  const valueDate = chosenDate(form, standing, arrivals(), { today: tx.today, commit })
  if (commit) checkProven(lines, picked)
  const { couponNo } = form
  const coupons =
    commit && !couponNo
      ? []
      : await usableCoupons(tx, standing.order, { repayType, lock: commit, ...(commit ? { couponNo } : {}) })
  const coupon = coupons.find(one => one.couponNo === couponNo)
  if (couponNo && !coupon) throw invalid('couponNo', 'errors.couponUnusable')
  const outcome = tryOut(
    standing,
    {
      repayType,
      valueDate,
      amounts: lines.map(line => money(line.writeOffAmount)),
      sources: lines.map(line => `${line.paymentChannel} ${line.serialNo}`),
      smallSettle: session.perms.has('repay:settle:small'),
      coupon,
    },
    tx.today,
  )
  const unproven = lines.filter(line => isUnproven(flowOf(line))).map(({ serialNo }) => serialNo)
  return { standing, outcome, picked, unproven, coupons }
}

/** The flows of a form, each with what is written off of it. */
export const flowsOf = (form: Form, { picked }: ReadForm): { flow: Flow; amount: Money }[] =>
  form.flows.flatMap(({ flowNo, writeOffAmount }) => {
    const flow = picked.find(one => one.flowNo === flowNo)
    return flow ? [{ flow, amount: money(writeOffAmount) }] : []
  })

/** What is greater or less than what, each with the amount it is compared with, and the day they are calculated for. */
const confirmWords = ({ order, facts }: Standing, { trial, asked }: Outcome): Fault['params'] => {
  const owed = totalOf(trial.due, contractComponents)
  const waived = sum(
    trial.waived.filter(line => ['shortfall', 'coupon'].includes(line.reason)).map(line => line.amount),
  )
  return {
    amount: formatMoney(trial.amount),
    totalAmount: formatMoney(add(facts.writtenOff, trial.amount)),
    paidOutAmount: formatMoney(order.actualLoanAmount),
    owedAmount: formatMoney(owed),
    waivedAmount: formatMoney(waived),
    valueDate: asked.valueDate,
    newDueDate: trial.extension?.newDueDate ?? '',
  }
}

/** Refuses to post what was refused, not confirmed, or different from what the person saw. */
export const checkConfirmed = (
  outcome: Outcome,
  given: { trialKey: string; confirmGreater?: boolean; confirmLess?: boolean; confirmNotExtension?: boolean },
  standing: Standing,
  trial: unknown,
) => {
  const { refusal, trialKey } = outcome
  const { flags } = outcome.trial
  if (refusal) throw new Fault(refusal === 'errors.limitExceeded' ? 'quota' : 'validation', refusal)
  const confirm = (['confirmGreater', 'confirmLess', 'confirmNotExtension'] as const).filter(
    flag => flags[flag] && !given[flag],
  )
  const changed = given.trialKey !== trialKey
  const [first] = confirm
  if (changed || !first) {
    if (!changed) return
    throw new Fault('needsConfirmation', 'errors.amountsChanged', {}, { confirm, changed, trial })
  }
  const key = confirm.length > 1 ? 'errors.confirmBoth' : (`errors.${first}` as const)
  throw new Fault('needsConfirmation', key, confirmWords(standing, outcome), { confirm, changed, trial })
}

/** The number of the order that a pay code belongs to. */
export const orderOfPayCode = (tx: Tx, payCode: string) =>
  tx.maybe(
    sql<{
      orderNo: string
      merchantNo: string
      customerNo: string
    }>`select order_no, merchant_no, customer_no from loan_order where pay_code = ${payCode}`,
  )
