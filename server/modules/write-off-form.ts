import { sql } from 'kysely'
import type { ParsedOf } from '../../core/contract/endpoint.ts'
import type { repay } from '../../core/contract/repay.ts'
import { gt, isZero, money } from '../../core/rules/money.ts'
import { addDays, type EatDate, eatDate } from '../../core/rules/time.ts'
import type { Actor } from '../actor.ts'
import type { Tx } from '../db/database.ts'
import { Fault, invalid, stateConflict } from '../fault.ts'
import type { Session } from '../session.ts'
import {
  checkSerials,
  collectionAccounts,
  commitFlow,
  enterFlow,
  type Flow,
  flowScope,
  readFlows,
  remainingOf,
} from './flow-store.ts'
import { orderScope } from './order-source.ts'
import { checkRepayable, naturalValueDate, type Outcome, type Standing, standingOf, tryOut } from './trial.ts'

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

const checkRemaining = (lines: readonly Line[], picked: readonly Flow[]) => {
  for (const [index, line] of lines.entries()) {
    const flow = picked.find(({ flowNo }) => flowNo === line.flowNo)
    const path = `flows.${index}.writeOffAmount`
    if (line.flowNo && !flow) throw invalid(`flows.${index}.serialNo`, 'errors.serialNotFound')
    if (flow && flow.flowStatus === 'exhausted') throw invalid(path, 'errors.flowUsedUp')
    if (flow && !['available', 'partly_used'].includes(flow.flowStatus))
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

export type ReadForm = { standing: Standing; outcome: Outcome; picked: Flow[] }
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
  const arrivals = () =>
    lines.map(line => picked.find(({ flowNo }) => flowNo === line.flowNo)?.entryTime ?? line.entryTime)
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
  const outcome = tryOut(
    standing,
    {
      repayType,
      valueDate,
      amounts: lines.map(line => money(line.writeOffAmount)),
      sources: lines.map(line => `${line.paymentChannel} ${line.serialNo}`),
      smallSettle: session.perms.has('repay:settle:small'),
    },
    tx.today,
  )
  return { standing, outcome, picked }
}

/** The flows of a form, those typed in it entered and booked, each with what is written off of it. */
export const flowsOf = async (tx: Tx, session: Session, form: Form, { standing, picked }: ReadForm, actor: Actor) => {
  const { merchantNo, customerNo } = standing.order
  const flows: { flow: Flow; amount: string }[] = []
  for (const [index, line] of form.flows.entries()) {
    const known = picked.find(({ flowNo }) => flowNo === line.flowNo)
    if (known) {
      flows.push({ flow: known, amount: money(line.writeOffAmount) })
      continue
    }
    if (!session.perms.has('repay:flow:save') || !session.perms.has('repay:flow:commit'))
      throw new Fault('forbidden', 'errors.forbidden')
    const { paymentChannel: channel, accountId: fundAccountNo } = line
    const [own] = await collectionAccounts(tx, { channel, merchantNo, fundAccountNo })
    if (!own) throw invalid(`flows.${index}.accountId`, 'errors.noCollectionAccount')
    const draft = await enterFlow(
      tx,
      'flow.save',
      {
        channel,
        serialNo: line.serialNo,
        amount: money(line.amount),
        entryTime: new Date(line.entryTime).toISOString(),
        source: 'typed',
        paymentCode: line.paymentCode,
        fundAccountNo: own.fundAccountNo,
        isrecord: line.isrecord ?? false,
        merchantNo,
        customerNo,
      },
      actor,
    )
    flows.push({ flow: await commitFlow(tx, draft, actor), amount: money(line.writeOffAmount) })
  }
  return flows
}

/** Refuses to post what was refused, not confirmed, or different from what the person saw. */
export const checkConfirmed = (
  outcome: Outcome,
  given: { trialKey: string; confirmGreater?: boolean; confirmLess?: boolean },
  trial: unknown,
) => {
  const { refusal, trialKey } = outcome
  const { flags } = outcome.trial
  if (refusal) throw new Fault(refusal === 'errors.limitExceeded' ? 'quota' : 'validation', refusal)
  const confirm = (['confirmGreater', 'confirmLess'] as const).filter(flag => flags[flag] && !given[flag])
  const changed = given.trialKey !== trialKey
  const [first] = confirm
  if (changed || first)
    throw new Fault(
      'needsConfirmation',
      changed || !first ? 'errors.amountsChanged' : `errors.${first}`,
      {},
      { confirm, changed, trial },
    )
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
