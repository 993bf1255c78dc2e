import { createHash } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Approval } from '../core/contract/common.ts'
import { contract } from '../core/contract/contract.ts'
import type { Language } from '../core/i18n/language.ts'
import { isKey, text } from '../core/i18n/server.ts'
import type { Actor } from './actor.ts'
import { tellCheckers, tellDecision, tellExpired, tellWithdrawn } from './approval-message.ts'
import type { Tx } from './db/database.ts'
import { violatedConstraint } from './db/faults.ts'
import { json } from './db/json.ts'
import type { DB } from './db/types.gen.ts'
import { checkVersion, Fault, notFound, type Params, stateConflict } from './fault.ts'
import { listPage } from './list.ts'
import type { ApprovalAction, Module } from './module.ts'
import { newNo } from './numbers.ts'
import { type Holder, orderHolder, scope } from './scope.ts'
import { type Call, serve } from './serve.ts'
import type { Session } from './session.ts'
import { create, transition } from './transition.ts'

const lifeHours = 72

/** One line of what the checker is asked to agree to; texts may be text keys. Sensitive values are masked by whoever names them. */
export type SummaryLine = { label: string; before: string | null; after: string | null }

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
}

type Row = Omit<Selectable<DB['approval']>, 'payload' | 'summary'> & {
  payload: Record<string, unknown>
  summary: SummaryLine[]
}
type Listed = Omit<Approval, 'summary'> & { summary: SummaryLine[] }
type Frag = RawBuilder<unknown>

/** The same content always gives the same text, in whatever order the database keeps its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
/** What a request for a second person is held to: the same for the same payload, in whatever order it is stored. */
export const payloadHash = (payload: unknown) => createHash('sha256').update(canonical(payload)).digest('hex')

/** Holds an action for a second person. Call it with the object locked; answers the number of the request. */
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

/** Whose an approval is: the maker's, and of those who hold its order. */
const holder: Holder = person =>
  sql`(${person(sql`a.maker_no`)} or exists (select 1 from loan_order o where o.order_no = a.order_no and ${orderHolder('o')(person)}))`

const inScope = (session: Session, perm?: string): Frag =>
  sql`(a.merchant_no is null or ${scope(session, { merchant: 'a.merchant_no', holder, perm })})`

const checkCodes = (session: Session) => [...session.perms].filter(code => code.endsWith(':check'))

const mayCheck = (session: Session): Frag => {
  const parts = checkCodes(session).map(code => sql`(a.perm || ':check' = ${code} and ${inScope(session, code)})`)
  return parts.length ? sql`(${sql.join(parts, sql` or `)})` : sql`false`
}

/** Until when a second person may still decide what was asked about an object; null where nothing waits. */
export const waitsUntil = async (tx: Tx, of: { objectType: string; objectNo: string }): Promise<Date | null> => {
  const { until } = await tx.one(sql<{ until: string | null }>`
    select max(expire_time) as until from approval
    where object_type = ${of.objectType} and object_no = ${of.objectNo} and approval_status = 'pending'`)
  return until === null ? null : new Date(until)
}

/** Approvals `a` that wait for this person. */
export const waitsFor = (tx: Tx, session: Session): Frag =>
  sql`(a.approval_status = 'pending' and a.expire_time > ${tx.now} and a.maker_no <> ${session.userNo} and ${mayCheck(session)})`

/** Makers see what they asked for, and those who hold the code or its check what their data rules let them see. */
const visible = (session: Session): Frag => {
  const codes = [...session.perms].map(code => code.replace(/:check$/, ''))
  return sql`(a.maker_no = ${session.userNo} or (a.perm = any(${codes}) and ${inScope(session)}))`
}

const columns = (tx: Tx, session: Session): Record<string, Frag> => ({
  mine: sql`a.maker_no = ${session.userNo}`,
  checkable: waitsFor(tx, session),
})

const said = (language: Language, words: string, params?: Params) =>
  isKey(words) ? text(language, words, params) : words

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

const shown = (language: Language, row: Listed): Approval => ({
  ...row,
  reason: readReason(language, row.reason),
  summary: row.summary.map(({ label, before, after }) => ({
    label: said(language, label),
    before: before === null ? null : said(language, before),
    after: after === null ? null : said(language, after),
  })),
})

const answered = async ({ tx, session }: Call, approvalNo: string): Promise<Approval> => {
  await tx.flush()
  const own = columns(tx, session)
  const row = await tx.one(
    sql<Listed>`select a.*, ${own.mine as Frag} as mine, ${own.checkable as Frag} as checkable from approval a where a.approval_no = ${approvalNo}`,
  )
  return shown(session.language, contract.common.approve.output.parse(row))
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
  if (row.approvalStatus !== 'pending') throw stateConflict(row.approvalStatus, 'APPROVAL_STATUS')
  if (Date.parse(row.expireTime) <= tx.now.getTime()) throw stateConflict('expired', 'APPROVAL_STATUS')
  checkVersion(row, version)
  return row
}

const checkChecker = (session: Session, row: Row) => {
  if (row.makerNo === session.userNo) throw new Fault('forbidden', 'errors.makerChecker')
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

/** Does the held action, or nothing of it; answers the refusal of its guards. */
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

const approve = (actions: readonly ApprovalAction[]) =>
  serve(contract.common.approve, async call => {
    const { tx, session, actor, input } = call
    const row = await lockPending(call, input)
    checkChecker(session, row)
    const action = actions.find(one => one.action === row.approvalAction && one.perm === row.perm)
    if (!action || payloadHash(row.payload) !== row.payloadHash)
      throw new Error(`approval ${row.approvalNo} cannot be executed as it stands`)
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
    noted(call, row, { approvalStatus: ended.approvalStatus, ...(refusal ? { reason: refusal.key } : {}) })
    return answered(call, row.approvalNo)
  })

type Ended = Parameters<NonNullable<ApprovalAction['drop']>>[1]['how']

/** Tells the action that nobody agreed, so that nothing waits for a decision any more. */
const drop = async (tx: Tx, actions: readonly ApprovalAction[], row: Row, how: Ended, by: Actor): Promise<void> => {
  const action = actions.find(one => one.action === row.approvalAction && one.perm === row.perm)
  await action?.drop?.(tx, { objectNo: row.objectNo, payload: row.payload, how, by })
}

const reject = (actions: readonly ApprovalAction[]) =>
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
    return answered(call, row.approvalNo)
  })

const withdraw = (actions: readonly ApprovalAction[]) =>
  serve(contract.common.withdraw, async call => {
    const { tx, session, actor, input } = call
    const row = await lockPending(call, input)
    if (row.makerNo !== session.userNo) throw new Fault('forbidden', 'errors.forbidden')
    await transition(tx, 'approval', row, { event: 'approval.withdraw', set: { finishTime: tx.now } }, actor)
    await drop(tx, actions, row, 'withdrawn', actor)
    await tellWithdrawn(tx, row)
    noted(call, row, { approvalStatus: 'withdrawn' })
    return answered(call, row.approvalNo)
  })

const approvals = serve(contract.common.approvals, async ({ tx, session, input }) => {
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
    columns: columns(tx, session),
    filters: { box: box => boxes[box]() },
  })
  return { ...found, list: found.list.map(row => shown(session.language, row)) }
})

const expire = async (tx: Tx, actions: readonly ApprovalAction[]): Promise<Record<string, number>> => {
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

/** What waits for a second person: the lists of it, deciding it, and its end after three days. */
export const approvalModule = (actions: readonly ApprovalAction[]): Module => ({
  served: [approvals, approve(actions), reject(actions), withdraw(actions)],
  scheduled: [{ job: 'approval.expire', every: { seconds: 3600 }, run: tx => expire(tx, actions) }],
})
