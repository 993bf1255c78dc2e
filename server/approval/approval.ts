import { createHash } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Approval } from '../../core/contract/common/approval.ts'
import { contract } from '../../core/contract/contract.ts'
import type { Language } from '../../core/i18n/language.ts'
import { isKey, text } from '../../core/i18n/server.ts'
import { mask } from '../../core/rules/mask.ts'
import { formatMoney } from '../../core/rules/money.ts'
import { moneyFormat } from '../../core/rules/text/formats.ts'
import type { Tx } from '../db/database.ts'
import { violatedConstraint } from '../db/faults.ts'
import { json } from '../db/json.ts'
import type { DB } from '../db/types.gen.ts'
import { checkVersion, Fault, notFound, type Params, stateConflict } from '../http/fault.ts'
import { type Call, serve } from '../http/serve.ts'
import { listPage } from '../lists/list.ts'
import type { ApprovalAction, Module } from '../module.ts'
import { newNo } from '../money/numbers.ts'
import type { Actor } from '../rights/actor.ts'
import { samePersonFault, sharedMarks, sharedWith } from '../rights/same-person.ts'
import type { Session } from '../session/session.ts'
import { create, requireEvent, transition } from '../states/transition.ts'
import { routeOf, tellCheckers, tellDecision, tellExpired, tellWithdrawn } from './approval-message.ts'
import { makers, visible, waitsFor } from './visible.ts'

const lifeHours = 72

/** One line of what the checker is asked to agree to; texts may be text keys. Sensitive values are masked for desensitised readers. */
export type SummaryLine = { label: string; before: string | null; after: string | null; sensitive?: true }

/** What the maker asks a second person to approve. `payload` is what will be executed, `summary` what the checker reads. */
export type ApprovalRequest = {
  action: string
  /** Code of the maker; the checker holds `<perm>:check`. */
  perm: string
  objectType: string
  objectNo: string
  orderNo?: string
  merchantNo?: string
  /** The version of the object that the maker saw. */
  version: number
  payload: Record<string, unknown>
  summary: readonly SummaryLine[]
  /** Others than the caller whose work is decided about: none of them may be the second person. */
  alsoMadeBy?: readonly string[]
}

type Row = Omit<Selectable<DB['approval']>, 'payload' | 'summary'> & {
  payload: Record<string, unknown>
  summary: SummaryLine[]
}
type Listed = Omit<Approval, 'summary' | 'route'> & { summary: SummaryLine[] }
type Frag = RawBuilder<unknown>
type Actions = readonly ApprovalAction[]

/** The same content always gives the same text, in whatever order the database keeps its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
/** Hash of a request's payload; the order of its keys does not matter. A changed payload is not executed. */
export const payloadHash = (payload: unknown) => createHash('sha256').update(canonical(payload)).digest('hex')

/**
 * Holds an action for a second person. Call it with the object locked. Everyone who may decide gets a message.
 * @returns the number of the request
 * @throws {Fault} 40301 without the maker's code, 40901 when a request about the object is pending
 */
export const requestApproval = async (
  { tx, session, actor }: Pick<Call, 'tx' | 'session' | 'actor'>,
  asked: ApprovalRequest,
): Promise<string> => {
  if (!session.perms.has(asked.perm)) throw new Fault('forbidden', 'errors.forbidden')
  const approvalNo = newNo('AP', tx.now)
  const values = {
    approvalNo,
    approvalAction: asked.action,
    objectType: asked.objectType,
    objectNo: asked.objectNo,
    orderNo: asked.orderNo ?? null,
    merchantNo: asked.merchantNo ?? null,
    perm: asked.perm,
    payload: json(asked.payload),
    payloadHash: payloadHash(asked.payload),
    targetVersion: asked.version,
    summary: json(asked.summary),
    makerNo: actor.no,
    makerName: actor.name,
    alsoMadeBy: (asked.alsoMadeBy ?? []).filter(no => no !== actor.no),
    submitTime: tx.now,
    expireTime: new Date(tx.now.getTime() + lifeHours * 3_600_000),
  }
  try {
    await create(tx, 'approval', values, { event: 'approval.submit' }, actor)
  } catch (error) {
    if (violatedConstraint(error) === 'approval_pending') throw new Fault('stateConflict', 'errors.approvalExists')
    throw error
  }
  await tellCheckers(tx, values, checker => waitsFor(tx, checker))
  return approvalNo
}

const columns = (tx: Tx, session: Session, actions: Actions): Record<string, Frag> => ({
  money: sql`a.approval_action <> all(${actions.filter(one => !one.money).map(one => one.action)}::text[])`,
  mine: sql`a.maker_no = ${session.userNo}`,
  route: sql`null::text`,
  checkable: waitsFor(tx, session),
  sharedWithMaker: sql`case when a.approval_status = 'pending' and ${session.userNo} <> all(${makers})
    then ${sharedWith(tx, session.userNo, makers)} else '{}' end`,
})

const said = (language: Language, words: string, params?: Params) =>
  isKey(words) ? text(language, words, params) : words

/** A line may hold several keys (values of a dictionary, rows of a small table): each is put into words. */
const saidAll = (language: Language, words: string) =>
  words
    .split(/(, | · )/)
    .map(one => said(language, one))
    .join('')

/** Why an execution was refused is kept as its text key, so that everybody reads it in their own language. */
const readReason = (language: Language, reason: string | null) => {
  if (!reason?.startsWith('{"key":')) return reason
  const { key, params } = JSON.parse(reason) as { key: string; params: Params }
  return said(
    language,
    key,
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? said(language, value) : value]),
    ),
  )
}

const actionOf = (actions: Actions, row: Row) =>
  actions.find(one => one.action === row.approvalAction && one.perm === row.perm)

/** Amounts are kept as decimals and read as money. */
const amountOf = (label: string, words: string) =>
  /amount$/i.test(label) && moneyFormat.test(words) ? `UGX ${formatMoney(words)}` : words

const shown = ({ language, desensitized }: Session, row: Listed): Approval => ({
  ...row,
  route: routeOf(row),
  reason: readReason(language, row.reason),
  summary: row.summary.map(({ label, before, after, sensitive }) => {
    const value = (words: string | null) =>
      words === null ? null : sensitive && desensitized ? mask(words) : saidAll(language, amountOf(label, words))
    return { label: said(language, label), before: value(before), after: value(after) }
  }),
})

const answered = async ({ tx, session }: Call, actions: Actions, approvalNo: string): Promise<Approval> => {
  await tx.flush()
  const own = Object.entries(columns(tx, session, actions)).map(
    ([name, value]) => sql`${value} as ${sql.ref(name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))}`,
  )
  const row = await tx.one(
    sql<Listed>`select a.*, ${sql.join(own)} from approval a where a.approval_no = ${approvalNo}`,
  )
  return contract.common.approve.output.parse(shown(session, row))
}

/** The request, locked after its order, as the machine allows: pending and not over. */
const lockPending = async (
  { tx, session }: Call,
  { approvalNo, version }: { approvalNo: string; version: number },
): Promise<Row> => {
  const seen = await tx.maybe(
    sql<{
      orderNo: string | null
    }>`select a.order_no from approval a where a.approval_no = ${approvalNo} and ${visible(session)}`,
  )
  if (!seen) throw notFound()
  if (seen.orderNo) await tx.exec(sql`select 1 from loan_order where order_no = ${seen.orderNo} for update`)
  const row = await tx.one(sql<Row>`select * from approval where approval_no = ${approvalNo} for update`)
  requireEvent('approval', row.approvalStatus, 'approval.approve')
  if (Date.parse(row.expireTime) <= tx.now.getTime()) throw stateConflict('expired', 'APPROVAL_STATUS')
  checkVersion(row, version)
  return row
}

const makersOf = ({ makerNo, alsoMadeBy }: Row) => [makerNo, ...alsoMadeBy]

const checkChecker = (session: Session, row: Row) => {
  if (makersOf(row).includes(session.userNo)) throw new Fault('forbidden', 'errors.makerChecker')
  if (!session.perms.has(`${row.perm}:check`)) throw new Fault('forbidden', 'errors.forbidden')
}

const noted = (call: Call, row: Row, after: Record<string, unknown>) =>
  call.audit({
    objectType: row.objectType,
    objectNo: row.objectNo,
    ...(row.orderNo ? { orderNo: row.orderNo } : {}),
    before: { approvalStatus: 'pending' },
    after: { approvalNo: row.approvalNo, approvalAction: row.approvalAction, ...after },
  })

/** Executes the held action, all of it or nothing; answers the refusal of its guards. */
const execute = async (tx: Tx, action: ApprovalAction, row: Row, checker: Actor): Promise<Fault | null> => {
  const maker: Actor = { ...checker, no: row.makerNo, name: row.makerName, ip: null }
  try {
    await tx.attempt(inner => action.execute(inner, { objectNo: row.objectNo, payload: row.payload, maker, checker }))
    return null
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

const approve = (actions: Actions) =>
  serve(contract.common.approve, async call => {
    const { tx, session, actor, input } = call
    const row = await lockPending(call, input)
    checkChecker(session, row)
    const action = actionOf(actions, row)
    if (!action || payloadHash(row.payload) !== row.payloadHash)
      throw new Error(`approval ${row.approvalNo} cannot be executed as it stands`)
    const sharedWithMaker = await sharedMarks(tx, session.userNo, makersOf(row))
    if (action.money && sharedWithMaker.length > 0) {
      const fault = samePersonFault(sharedWithMaker)
      noted(call, row, { approvalStatus: 'pending', refused: fault.key, sharedWithMaker })
      return fault
    }
    if (action.money) await call.proven(`${row.perm}:check`)
    const approved = await transition(
      tx,
      'approval',
      row,
      { event: 'approval.approve', set: { checkerNo: actor.no, checkerName: actor.name, finishTime: tx.now } },
      actor,
    )
    const refusal = await execute(tx, action, row, actor)
    const reason = refusal && JSON.stringify({ key: refusal.key, params: refusal.params })
    const ended = await transition(
      tx,
      'approval',
      approved,
      refusal ? { event: 'approval.conflict', set: { reason } } : { event: 'approval.execute' },
      actor,
    )
    await tellDecision(tx, row, actor, refusal ? { is: 'failed', refusal } : { is: 'done' })
    noted(call, row, {
      approvalStatus: ended.approvalStatus,
      ...(refusal ? { reason: refusal.key } : {}),
      ...(sharedWithMaker.length > 0 ? { sharedWithMaker } : {}),
    })
    return answered(call, actions, row.approvalNo)
  })

type Ended = Parameters<NonNullable<ApprovalAction['drop']>>[1]['how']

/** Runs the action's `drop`: the request was rejected, withdrawn or has expired. */
const drop = async (tx: Tx, actions: Actions, row: Row, how: Ended, by: Actor): Promise<void> => {
  await actionOf(actions, row)?.drop?.(tx, { objectNo: row.objectNo, payload: row.payload, how, by })
}

const reject = (actions: Actions) =>
  serve(contract.common.reject, async call => {
    const { tx, session, actor, input } = call
    const row = await lockPending(call, input)
    checkChecker(session, row)
    await transition(
      tx,
      'approval',
      row,
      {
        event: 'approval.reject',
        set: { checkerNo: actor.no, checkerName: actor.name, finishTime: tx.now, reason: input.reason },
      },
      actor,
    )
    await drop(tx, actions, row, 'rejected', actor)
    await tellDecision(tx, row, actor, { is: 'rejected', reason: input.reason })
    noted(call, row, { approvalStatus: 'rejected', reason: input.reason })
    return answered(call, actions, row.approvalNo)
  })

const withdraw = (actions: Actions) =>
  serve(contract.common.withdraw, async call => {
    const { tx, session, actor, input } = call
    const row = await lockPending(call, input)
    if (row.makerNo !== session.userNo) throw new Fault('forbidden', 'errors.forbidden')
    await transition(tx, 'approval', row, { event: 'approval.withdraw', set: { finishTime: tx.now } }, actor)
    await drop(tx, actions, row, 'withdrawn', actor)
    await tellWithdrawn(tx, row)
    noted(call, row, { approvalStatus: 'withdrawn' })
    return answered(call, actions, row.approvalNo)
  })

const approvals = (actions: Actions) =>
  serve(contract.common.approvals, async ({ tx, session, input }) => {
    const boxes = {
      all: () => null,
      mine: () => sql`a.maker_no = ${session.userNo}`,
      toCheck: () => waitsFor(tx, session),
    }
    const found = await listPage<Listed, typeof input>(tx, contract.common.approvals, input, {
      from: sql`approval a`,
      alias: 'a',
      key: sql`a.approval_no`,
      where: visible(session),
      columns: columns(tx, session, actions),
      filters: { box: box => boxes[box]() },
    })
    return { ...found, list: found.list.map(row => shown(session, row)) }
  })

/** Withdraws a pending request about an object that has changed meanwhile. Call it with the object locked. */
export const withdrawPending = async (
  tx: Tx,
  of: { objectType: string; objectNo: string; action: string },
  actor: Actor,
): Promise<void> => {
  const row = await tx.maybe(sql<Row>`
    select * from approval where object_type = ${of.objectType} and object_no = ${of.objectNo} and approval_action = ${of.action}
      and approval_status = 'pending' for update`)
  if (!row) return
  await transition(tx, 'approval', row, { event: 'approval.withdraw', set: { finishTime: tx.now } }, actor)
  await tellWithdrawn(tx, row)
}

const expire = async (tx: Tx, actions: Actions): Promise<Record<string, number>> => {
  const rows = await tx.rows(
    sql<Row>`select * from approval where approval_status = 'pending' and expire_time <= ${tx.now} order by approval_no limit 500 for update skip locked`,
  )
  const clock: Actor = { no: 'system', name: 'system', requestId: `approval.expire ${tx.now.toISOString()}`, ip: null }
  for (const row of rows) {
    await transition(tx, 'approval', row, { event: 'clock.expire', set: { finishTime: tx.now } }, clock)
    await drop(tx, actions, row, 'expired', clock)
    await tellExpired(tx, row)
  }
  return { expired: rows.length }
}

/** Requests for a second person: their lists, the decision, expiry after three days. */
export const approvalModule = (actions: Actions): Module => ({
  served: [approvals(actions), approve(actions), reject(actions), withdraw(actions)],
  scheduled: [{ job: 'approval.expire', every: { seconds: 3600 }, run: tx => expire(tx, actions) }],
})
