import { sql } from 'kysely'
import type { Config } from '../../core/contract/config.ts'
import { maxVersions, type VersionRow, type versionCalls } from '../../core/contract/config-versions.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import { requestApproval } from '../approval/approval.ts'
import type { Tx } from '../db/database.ts'
import { violatedConstraint } from '../db/faults.ts'
import { json } from '../db/json.ts'
import { checkVersion, Fault, invalid, notFound } from '../http/fault.ts'
import { type Call, serve } from '../http/serve.ts'
import type { Reader } from '../lists/listed.ts'
import type { ApprovalAction, Scheduled } from '../module.ts'
import { newNo } from '../money/numbers.ts'
import { type Actor, system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import type { WarningRule } from '../warnings/rule.ts'
import { summaryOf } from './checked.ts'
import { changesOf, noteChange } from './history.ts'

type Values = Record<string, unknown>
type Calls = ReturnType<typeof versionCalls>['calls']
type Item = Values & { version: number }
/** A version as it is stored. */
export type Stored = Omit<VersionRow, 'blockedBy'> & { makerNo: string; checkerNo: string | null }
type At = Pick<Call, 'tx' | 'session' | 'actor'>

export type VersionHooks = {
  /** Begins the keys of versions. */
  prefix: string
  /** Why a version may not take effect as things are: asked when it is submitted, approved and started. */
  holds?: (tx: Tx, at: { item: Item; content: Values }) => Promise<Fault | null>
  /** The numbers of what a version would change. */
  effect: (tx: Tx, at: { item: Item; content: Values; inForce: Values | null }) => Promise<Values>
}

/** What the config list gives: how its items are read, locked and moved. */
type Items = {
  lock: (at: At, no: string) => Promise<Item>
  /** The same of work that nobody asks for in person; an item that was deleted is none. */
  lockAny: (tx: Tx, no: string) => Promise<Item | undefined>
  lockToChange: (at: At, no: string) => Promise<Item>
  seen: (at: Reader, no: string) => Promise<string>
  touch: (tx: Tx, item: Item, actor: Actor, by: Actor) => Promise<unknown>
  mayChange: (at: At, item: Values) => Fault | null
}

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Versions that no job tries to start in one go. */
const startsAtOnce = 100

/** The handlers of the versions of a config, and the job that puts them in force. */
export const serveVersions = (config: Config, given: VersionHooks, items: Items) => {
  const { key, name, area, versions } = config
  const machine = config.versionMachine as Machine
  const calls = config.calls as unknown as Calls
  const table = sql.table(machine.table)
  const itemColumn = sql.ref(snake(key))
  const fields = Object.keys(versions?.form ?? {})
  const contentOf = (values: Values): Values =>
    Object.fromEntries(fields.flatMap(field => (values[field] == null ? [] : [[field, values[field]]])))

  const ofItem = (tx: Tx, no: string, status: string) =>
    tx.maybe(sql<Stored>`select * from ${table} where ${itemColumn} = ${no} and version_status = ${status} for update`)
  const itemNoOf = async (tx: Tx, versionNo: string): Promise<string> => {
    const row = await tx.maybe(
      sql<{ no: string }>`select ${itemColumn} as no from ${table} where version_no = ${versionNo}`,
    )
    if (!row) throw notFound()
    return row.no
  }
  /** The item first, then its version: whoever changes one of them waits here. */
  const lockBoth = async (tx: Tx, versionNo: string, lock: (no: string) => Promise<Item>) => {
    const item = await lock(await itemNoOf(tx, versionNo))
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${versionNo} for update`)
    return { item, row }
  }
  const once = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      const broken = violatedConstraint(error)
      if (broken === `${machine.table}_open`) throw new Fault('stateConflict', 'errors.versionOpen')
      if (broken === `${machine.table}_scheduled`) throw new Fault('stateConflict', 'errors.versionScheduled')
      throw error
    }
  }
  const checkHolds = async (tx: Tx, item: Item, content: Values) => {
    const fault = (await given.holds?.(tx, { item, content })) ?? null
    if (fault) throw fault
  }

  /** Writes the first draft of an item, or another one. */
  const draft = async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, no: string, values: Values): Promise<string> => {
    const versionNo = newNo(given.prefix, tx.now)
    const maker = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
    const row = { versionNo, [key]: no, content: json(contentOf(values)), ...maker }
    await once(() => create(tx, machine, row, { event: 'version.save' }, actor))
    return versionNo
  }

  /** Puts a version in force; the one before it is over at the same moment. */
  const start = async (
    tx: Tx,
    { item, row, event, as, at }: { item: Item; row: Stored; event: string; as: string; at: Date },
    set: Values,
    actor: Actor,
    by: Actor,
  ) => {
    const before = await ofItem(tx, String(item[key]), 'effective')
    // A moment that has passed for another version is not given out again.
    const from = before && Date.parse(String(before.effectiveTime)) >= at.getTime() ? tx.now : at
    if (before)
      await transition(tx, machine, before, { event: 'version.supersede', set: { supersededTime: from } }, actor)
    await transition(tx, machine, row, { event, as, set: { effectiveTime: from, startFault: null, ...set } }, actor)
    await items.touch(tx, item, actor, by)
    const changes = changesOf(fields, before?.content ?? null, row.content)
    noteChange(
      tx,
      config.machine,
      { objectNo: String(item[key]), version: item.version + 1, event: 'version.effective', changes },
      by,
    )
  }

  const save = serve(calls.versionSave, async call => {
    const { tx, actor } = call
    const input = call.input as Values & { versionNo?: string; version?: number }
    const item = await items.lockToChange(call, String(input[key]))
    const no = String(item[key])
    const content = contentOf(input)
    const { versionNo } = input
    const noted = (objectNo: string, before?: Values) =>
      call.audit({ objectType: machine.table, objectNo, ...(before ? { before } : {}), after: content })
    if (versionNo === undefined) {
      const made = await draft(call, no, content)
      noted(made)
      return { versionNo: made, version: 0 }
    }
    const row = await tx.maybe(
      sql<Stored>`select * from ${table} where version_no = ${versionNo} and ${itemColumn} = ${no} for update`,
    )
    if (!row) throw notFound()
    checkVersion(row, input.version as number)
    const set = { content: json(content), makerNo: actor.no, makerName: actor.name }
    const moved = await transition(tx, machine, row, { event: 'version.save', set }, actor)
    noted(versionNo, row.content as Values)
    return { versionNo, version: moved.version }
  })

  const submit = serve(calls.versionSubmit, async call => {
    const { tx, actor, input } = call
    const { item, row } = await lockBoth(tx, input.versionNo, no => items.lockToChange(call, no))
    checkVersion(row, input.version)
    const at = input.effectiveTime ? new Date(input.effectiveTime) : null
    if (at && at.getTime() < tx.now.getTime()) throw invalid('effectiveTime', 'validation.timePassed')
    await checkHolds(tx, item, row.content)
    const inForce = await ofItem(tx, String(item[key]), 'effective')
    const set = { effectiveTime: at ?? tx.now, reason: input.reason, makerNo: actor.no, makerName: actor.name }
    const moved = await transition(tx, machine, row, { event: 'version.submit', set }, actor)
    const changes = changesOf(fields, inForce?.content ?? null, row.content)
    const { merchantNo } = item
    const approvalNo = await requestApproval(call, {
      action: `${name}.version`,
      perm: `${area}:save`,
      objectType: config.table,
      objectNo: String(item[key]),
      ...(typeof merchantNo === 'string' ? { merchantNo } : {}),
      version: item.version,
      payload: { versionNo: row.versionNo, version: moved.version },
      summary: [
        { label: 'fields.effectiveTime', before: null, after: at?.toISOString() ?? 'config.whenApproved' },
        { label: 'fields.reason', before: null, after: input.reason },
        ...summaryOf(config, changes),
      ],
      alsoMadeBy: [row.makerNo],
    })
    call.audit({ objectType: machine.table, objectNo: row.versionNo, after: { approvalNo, reason: input.reason } })
    return { approvalNo }
  })

  const cancel = serve(calls.versionCancel, async call => {
    const { tx, actor, input } = call
    const { item, row } = await lockBoth(tx, input.versionNo, no => items.lock(call, no))
    const refusal = items.mayChange(call, item)
    if (refusal) throw refusal
    checkVersion(row, input.version)
    if (row.makerNo === actor.no) throw new Fault('forbidden', 'errors.makerChecker')
    const set = { checkerNo: actor.no, checkerName: actor.name }
    await transition(tx, machine, row, { event: 'version.cancel', set, payload: { reason: input.reason } }, actor)
    call.audit({ objectType: machine.table, objectNo: row.versionNo, after: { reason: input.reason } })
    return {}
  })

  const versionsOf = serve(calls.versions, async call => {
    const { tx, actor } = call
    const no = await items.seen(call, String((call.input as Values)[key]))
    const rows = await tx.rows(sql<Stored>`
      select * from ${table} where ${itemColumn} = ${no} order by array_position(array['draft', 'pending', 'rejected', 'scheduled', 'effective'], version_status) nulls last,
        effective_time desc, version_no desc limit ${maxVersions}`)
    const blocked = (row: Stored) =>
      row.versionStatus === 'scheduled' && row.makerNo === actor.no
        ? { [`${name}.versionCancel`]: { reason: 'errors.makerChecker', params: {} } }
        : {}
    return { list: rows.map(row => ({ ...row, blockedBy: blocked(row) })) as never }
  })

  const effect = serve(calls.effect, async call => {
    const { tx, input } = call
    const no = await items.seen(call, await itemNoOf(tx, input.versionNo as string))
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${input.versionNo}`)
    const inForce = await tx.maybe(
      sql<Stored>`select * from ${table} where ${itemColumn} = ${no} and version_status = 'effective'`,
    )
    const item = await tx.one(sql<Item>`select * from ${sql.table(config.table)} where ${itemColumn} = ${no}`)
    return (await given.effect(tx, { item, content: row.content, inForce: inForce?.content ?? null })) as never
  })

  type Payload = { versionNo: string; version: number }
  const approval: ApprovalAction = {
    action: `${name}.version`,
    perm: `${area}:save`,
    money: false,
    async execute(tx, { payload, maker, checker }) {
      const { versionNo, version } = payload as Payload
      const { item, row } = await lockBoth(tx, versionNo, async no => {
        const item = await items.lockAny(tx, no)
        if (!item) throw notFound()
        return item
      })
      checkVersion(row, version)
      await checkHolds(tx, item, row.content)
      const decided = { checkerNo: checker.no, checkerName: checker.name }
      const at = new Date(String(row.effectiveTime))
      const event = 'version.approve'
      if (at.getTime() <= tx.now.getTime())
        return start(tx, { item, row, event, as: 'now', at: tx.now }, decided, checker, maker)
      await once(() => transition(tx, machine, row, { event, as: 'later', set: decided }, checker))
    },
    async drop(tx, { payload, how, by }) {
      const { versionNo } = payload as Payload
      const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${versionNo} for update`)
      if (row.versionStatus !== 'pending') return
      const move =
        how === 'rejected'
          ? { event: 'version.reject', set: { checkerNo: by.no, checkerName: by.name } }
          : { event: 'version.withdraw', as: how === 'withdrawn' ? 'person' : 'system' }
      await transition(tx, machine, row, move, by)
    },
  }

  /** Starts one version whose time has come; answers why it cannot. */
  const startOne = async (tx: Tx, versionNo: string, actor: Actor): Promise<'started' | 'failed' | 'left'> => {
    const item = await items.lockAny(tx, await itemNoOf(tx, versionNo))
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${versionNo} for update`)
    if (row.versionStatus !== 'scheduled') return 'left'
    const content = row.content as Values
    const fault = item ? ((await given.holds?.(tx, { item, content })) ?? null) : notFound()
    if (item && !fault) {
      const at = row.startFault ? tx.now : new Date(String(row.effectiveTime))
      const by = { ...actor, no: row.makerNo, name: row.makerName }
      await start(tx, { item, row, event: 'clock.start', as: 'holds', at }, {}, actor, by)
      return 'started'
    }
    const said = JSON.stringify({ key: fault?.key, params: fault?.params })
    // The same refusal is written down once, however often it is met again.
    if (row.startFault !== said)
      await transition(tx, machine, row, { event: 'clock.start', as: 'fails', set: { startFault: said } }, actor)
    return 'failed'
  }
  const job: Scheduled = {
    job: `${name}.start`,
    every: { seconds: 60 },
    async run(tx) {
      const counts = { started: 0, failed: 0, left: 0 }
      const due = await tx.rows(sql<{ versionNo: string }>`
        select version_no from ${table} where version_status = 'scheduled' and effective_time <= ${tx.now}
        order by effective_time, version_no limit ${startsAtOnce}`)
      for (const { versionNo } of due) counts[await startOne(tx, versionNo, system(job.job))]++
      return counts
    },
  }

  const warning: WarningRule = {
    type: 'config_start_failed',
    level: 'warning',
    async find(tx) {
      const rows = await tx.rows(sql<{ versionNo: string; merchantNo: string | null; effectiveTime: string }>`
        select v.version_no, to_jsonb(x) ->> 'merchant_no' as merchant_no, v.effective_time
        from ${table} v join ${sql.table(config.table)} x using (${itemColumn})
        where v.version_status = 'scheduled' and v.start_fault is not null order by v.version_no`)
      return rows.map(({ versionNo, merchantNo }) => ({
        key: versionNo,
        merchantNo,
        objectType: machine.table,
        affected: [{ objectNo: versionNo, route: null }],
        facts: { versionNo },
      }))
    },
  }

  return { served: [save, submit, cancel, versionsOf, effect], approval, job, warning, draft }
}
