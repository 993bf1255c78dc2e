import { type RawBuilder, sql } from 'kysely'
import { delayed, mostDaysBack } from '../../../../core/contract/after-loan/delayed-arrival.ts'
import { isOpen, oldestFirst } from '../../../../core/rules/loan/bill.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { machines } from '../../../../core/rules/machines/machines.ts'
import { eq, gte, type Money } from '../../../../core/rules/money.ts'
import { diffDays, type EatDate, eatDate } from '../../../../core/rules/time.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { attachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid, notFound, stateConflict } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import type { Session } from '../../../session/session.ts'
import { create, transition } from '../../../states/transition.ts'
import { orderScope } from '../../order/order/index.ts'
import { type Flow, flowScope, readFlows, remainingOf } from '../flow/flow-store.ts'
import { checkRepayable, type Outcome, type Standing, shown, standingOf, tryOut } from '../repayment/trial.ts'
import { writeOff } from '../write-off/write-off.ts'
import { contestedBy } from './contested.ts'

type Delay = {
  delayNo: string
  delayStatus: string
  flowNo: string
  orderNo: string
  amount: Money
  claimedDate: EatDate
  makerNo: string
  version: number
}
/** `amount`: what was left of the receipt when it was claimed. */
type Claim = { flowNo: string; orderNo: string; claimedDate: EatDate; amount?: Money }

const audits = delayed.audit.perm as string
const applies = delayed.apply.perm as string
/** By which of the two codes somebody reads requests. */
const readsBy = ({ perms }: Session) => (perms.has(audits) ? audits : applies)

const own = ({ delayStatus, makerNo }: Delay, { session }: Asker, isMaker: boolean): Fault | null =>
  delayStatus === 'pending' && session && (session.userNo === makerNo) !== isMaker
    ? new Fault(isMaker ? 'stateConflict' : 'forbidden', isMaker ? 'errors.requestOfAnother' : 'errors.makerChecker')
    : null

/** Why a request is not decided, or not taken back. */
const delayBlocks = blocks<Delay>({
  read: async (tx, keys) => {
    const rows = await tx.rows(sql<Delay>`select * from delayed_arrival where delay_no = any(${[...keys]})`)
    return new Map(rows.map(row => [row.delayNo, row]))
  },
  states: ({ delayStatus }) => ({ delayedArrival: delayStatus }),
  commands: [
    { command: delayed.audit, refuses: (row, at) => own(row, at, false) },
    { command: delayed.withdraw, refuses: (row, at) => own(row, at, true) },
  ],
})

const delays = listed({
  list: delayed.page,
  source: ({ session }) => ({
    from: sql`delayed_arrival d join loan_order o on o.order_no = d.order_no`,
    joins: {
      f: sql`join repay_flow f on f.flow_no = d.flow_no`,
      c: sql`join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no`,
      m: sql`join merchant m on m.merchant_no = o.merchant_no`,
    },
    alias: 'd',
    key: sql`d.delay_no`,
    where: orderScope(session, readsBy(session)),
    columns: {
      serialNo: sql`f.serial_no`,
      paymentChannel: sql`f.channel`,
      entryTime: sql`f.entry_time`,
      customerName: sql`c.customer_name`,
      merchantName: sql`m.merchant_name`,
      contestedPenalty: contestedBy,
    },
    filters: { mine: (is: boolean) => sql`(d.maker_no = ${session.userNo}) = ${is}` },
  }),
  blocked: delayBlocks,
})

/** Receipt and order of a claim, with what writing the whole rest of the receipt off as of the claimed day would do. */
const readClaim = async (
  tx: Tx,
  { flowNo, orderNo, claimedDate, amount }: Claim,
  o: { session: Session; perm: string; lock: boolean },
): Promise<{ flow: Flow; standing: Standing; outcome: Outcome; dueDate: EatDate }> => {
  let flows: Flow[] = []
  const where: RawBuilder<unknown> = orderScope(o.session, o.perm)
  const between = async () => {
    flows = await readFlows(tx, [flowNo], { where: flowScope(o.session), lock: o.lock })
  }
  const standing = await standingOf(tx, orderNo, { where, lock: o.lock, between, from: () => claimedDate })
  const [flow] = flows
  if (!flow) throw notFound()
  if (!can(machines.flow, flow.flowStatus, 'flow.writeOff')) throw stateConflict(flow.flowStatus, 'FLOW_STATUS')
  if (amount && !eq(remainingOf(flow), amount)) throw new Fault('stateConflict', 'errors.receiptUsedMeanwhile')
  checkRepayable(standing)
  const [oldest] = oldestFirst(standing.bills.filter(isOpen))
  const entry = eatDate(flow.entryTime)
  const { payoutDate } = standing.order
  const { lastValueDate } = standing.facts
  if (!oldest || claimedDate < oldest.dueDate) throw invalid('claimedDate', 'errors.claimBeforeDue')
  if (claimedDate > entry) throw invalid('claimedDate', 'errors.claimAfterArrival')
  if (diffDays(claimedDate, entry) > mostDaysBack)
    throw invalid('claimedDate', 'errors.claimTooFar', { days: mostDaysBack })
  if (claimedDate < payoutDate || (lastValueDate && claimedDate < lastValueDate))
    throw invalid('claimedDate', 'validation.dateBeforeLoan')
  const asked = {
    valueDate: claimedDate,
    amounts: [remainingOf(flow)],
    sources: [`${flow.channel} ${flow.serialNo}`],
    smallSettle: false,
  }
  const settle = tryOut(standing, { ...asked, repayType: 'settle' }, tx.today)
  const settles = gte(remainingOf(flow), settle.trial.settleAmount)
  const outcome = settles ? settle : tryOut(standing, { ...asked, repayType: 'partial' }, tx.today)
  return { flow, standing, outcome, dueDate: oldest.dueDate }
}

const check = serve(delayed.check, async ({ tx, session, input, request }) => {
  const { standing, outcome } = await readClaim(tx, input, { session, perm: readsBy(session), lock: false })
  return shown(standing, outcome, request.language)
})

const apply = serve(delayed.apply, async call => {
  const { tx, session, input, actor, audit } = call
  const { attachNos, ...claim } = input
  const { flow, outcome, dueDate } = await readClaim(tx, claim, { session, perm: applies, lock: true })
  if (outcome.refusal) throw new Fault('validation', outcome.refusal)
  const waits = await tx.maybe(
    sql`select 1 from delayed_arrival where flow_no = ${flow.flowNo} and delay_status = 'pending'`,
  )
  if (waits) throw new Fault('stateConflict', 'errors.approvalExists')
  const delayNo = newNo('DA', tx.now)
  const amount = remainingOf(flow)
  const row = { delayNo, ...claim, amount, dueDate, makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
  await create(tx, 'delayedArrival', row, { event: 'delayed.apply' }, actor)
  await tx.flush()
  for (const uploadNo of new Set(attachNos)) {
    await lockReady(tx, uploadNo, { purpose: 'attachment', userNo: actor.no })
    await attachUpload(tx, uploadNo, 'flow', flow.flowNo, actor)
  }
  audit({ objectType: 'delayedArrival', objectNo: delayNo, orderNo: claim.orderNo, after: { ...claim, amount } })
  return { delayNo }
})

/** A request within the data rule, locked after its order, in a state for what is asked. */
const held = async (
  call: Call<{ delayNo: string; version: number }>,
  command: typeof delayed.audit | typeof delayed.withdraw,
) => {
  const { tx, session, input } = call
  const perm = command.perm as string
  const found = await tx.maybe(sql<{ orderNo: string }>`
    select o.order_no from delayed_arrival d join loan_order o on o.order_no = d.order_no
    where d.delay_no = ${input.delayNo} and ${orderScope(session, perm)} for update of o`)
  if (!found) throw notFound()
  const row = await tx.one(sql<Delay>`select * from delayed_arrival where delay_no = ${input.delayNo} for update`)
  await delayBlocks.check(call, command, row.delayNo)
  checkVersion(row, input.version)
  return row
}

const passed = async ({ tx, session, actor }: Pick<Call, 'tx' | 'session' | 'actor'>, row: Delay) => {
  const { flow, standing, outcome } = await readClaim(tx, row, {
    session: session as Session,
    perm: audits,
    lock: true,
  })
  if (outcome.refusal) throw new Fault('stateConflict', outcome.refusal)
  const event = outcome.asked.repayType === 'settle' ? ('repay.settle' as const) : ('repay.partial' as const)
  const sources = { kind: 'flows' as const, flows: [{ flow, amount: row.amount }] }
  return writeOff(tx, standing, outcome, { event, sources, remark: row.delayNo, actor })
}

const decide = serve(delayed.audit, async call => {
  const { tx, input, actor, audit } = call
  const row = await held(call, delayed.audit)
  const marks = await sharedMarks(tx, actor.no, [row.makerNo])
  if (marks.length > 0) throw samePersonFault(marks)
  const written = input.decision === 'pass' ? await passed(call, row) : null
  const repaymentNo = written?.repaymentNo ?? null
  const set = {
    auditorNo: actor.no,
    auditorName: actor.name,
    auditTime: tx.now,
    auditReason: input.reason ?? null,
    repaymentNo,
  }
  await tx.flush()
  const moved = await transition(tx, 'delayedArrival', row, { event: 'delayed.audit', as: input.decision, set }, actor)
  audit({
    objectType: 'delayedArrival',
    objectNo: row.delayNo,
    orderNo: row.orderNo,
    before: { delayStatus: 'pending' },
    after: { delayStatus: moved.delayStatus, repaymentNo, claimedDate: row.claimedDate, reason: input.reason ?? null },
  })
  const { orderStatus } = written ?? (await standingOf(tx, row.orderNo)).order
  return { delayStatus: moved.delayStatus as 'passed', repaymentNo, orderStatus }
})

const withdraw = serve(delayed.withdraw, async call => {
  const { tx, actor, audit } = call
  const row = await held(call, delayed.withdraw)
  const { version } = await transition(tx, 'delayedArrival', row, { event: 'delayed.withdraw' }, actor)
  audit({
    objectType: 'delayedArrival',
    objectNo: row.delayNo,
    orderNo: row.orderNo,
    before: { delayStatus: 'pending' },
    after: { delayStatus: 'withdrawn' },
  })
  return { version }
})

/** Requests that money counts from an earlier day than the one of its arrival. */
export const delayedModule = (_deps?: Deps): Module => ({
  served: [serveListed(delays), check, apply, decide, withdraw],
  lists: [delays],
})
