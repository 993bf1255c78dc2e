import { sql } from 'kysely'
import { json } from '../db/json.ts'
import { checkVersion, Fault, stateConflict } from '../http/fault.ts'
import type { Call } from '../http/serve.ts'
import type { Scheduled } from '../module.ts'
import { newNo } from '../money/numbers.ts'
import { type Actor, system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import { changesOf, noteChange } from './history.ts'
import type { Item, Stored, Values, VersionParts } from './version-store.ts'

/** For how long one person alone holds the safe side. */
const emergencyHours = 24
/** Emergencies that no run takes back in one go. */
const fallbacksAtOnce = 50

type Emergency = Stored & { emergencyUntil: string | null; keptTime: string | null }

const noted = (
  { config, store: { fields } }: VersionParts,
  { tx, actor }: Pick<Call, 'tx' | 'actor'>,
  item: Item,
  event: string,
  [before, after]: readonly [Values, Values],
) =>
  noteChange(
    tx,
    config.machine,
    { objectNo: String(item[config.key]), version: item.version + 1, event, changes: changesOf(fields, before, after) },
    actor,
  )

/** Puts other content in force now. The item is locked. Answers the version of the item. */
const acting =
  (parts: VersionParts) =>
  async (call: Call, item: Item, contentOf: (inForce: Values) => Values, reason: string): Promise<number> => {
    const { config, given, items, store } = parts
    const { machine } = store
    const { tx, actor } = call
    const before = await store.ofItem(tx, String(item[config.key]), 'effective')
    if (!before) throw stateConflict('draft', machine.dict)
    const content = contentOf(before.content)
    await transition(tx, machine, before, { event: 'version.supersede', set: { supersededTime: tx.now } }, actor)
    const versionNo = newNo(given.prefix, tx.now)
    const row = {
      versionNo,
      [config.key]: item[config.key],
      content: json(content),
      effectiveTime: tx.now,
      reason,
      makerNo: actor.no,
      makerName: actor.name,
      createdTime: tx.now,
      emergencyUntil: new Date(tx.now.getTime() + emergencyHours * 3_600_000),
    }
    await create(tx, machine, row, { event: 'version.emergency', payload: { reason } }, actor)
    await given.started?.(tx, { item, content })
    await items.touch(tx, item, actor, actor)
    noted(parts, call, item, 'version.emergency', [before.content, content])
    call.audit({
      objectType: machine.table,
      objectNo: versionNo,
      before: before.content,
      after: { ...content, reason },
    })
    return item.version + 1
  }

/** A second person keeps it for good. */
const keeping =
  ({ items, store: { machine, lockBoth } }: VersionParts) =>
  async (call: Call, asked: { versionNo: string; version: number; reason: string }): Promise<number> => {
    const { tx, actor } = call
    const { row } = await lockBoth(tx, asked.versionNo, no => items.lock(call, no))
    const held = row as Emergency
    if (!held.emergencyUntil || held.keptTime) throw stateConflict(row.versionStatus, machine.dict)
    checkVersion(row, asked.version)
    if (row.makerNo === actor.no) throw new Fault('forbidden', 'errors.makerChecker')
    const set = { keptTime: tx.now, keptBy: actor.no, checkerNo: actor.no, checkerName: actor.name }
    const moved = await transition(
      tx,
      machine,
      row,
      { event: 'version.keep', set, payload: { reason: asked.reason } },
      actor,
    )
    call.audit({ objectType: machine.table, objectNo: row.versionNo, after: { kept: true, reason: asked.reason } })
    return moved.version
  }

/** What two people agreed to before is in force again, as a version of theirs. */
const restore = async (
  tx: Call['tx'],
  parts: VersionParts,
  { no, before, reason }: { no: string; before: Stored; reason: string | null },
  actor: Actor,
) => {
  const { config, given, store } = parts
  const { machine, table } = store
  const back = {
    versionNo: newNo(given.prefix, tx.now),
    [config.key]: no,
    content: json(before.content),
    reason,
    makerNo: before.makerNo,
    makerName: before.makerName,
    createdTime: tx.now,
  }
  await create(tx, machine, back, { event: 'version.save' }, actor)
  const draft = await tx.one(sql<Stored>`select * from ${table} where version_no = ${back.versionNo} for update`)
  const asked = await transition(tx, machine, draft, { event: 'version.submit', set: { effectiveTime: tx.now } }, actor)
  const checker = { checkerNo: before.checkerNo, checkerName: before.checkerName }
  await transition(tx, machine, asked, { event: 'version.approve', as: 'now', set: checker }, actor)
}

/** Takes one emergency back; answers whether it was. */
const fallBack = async (tx: Call['tx'], parts: VersionParts, versionNo: string): Promise<0 | 1> => {
  const { config, given, items, store } = parts
  const { machine, table, itemColumn } = store
  const actor = system(`${config.name}.fallback`)
  const no = await store.itemNoOf(tx, versionNo)
  const item = await items.lockAny(tx, no)
  const row = await tx.one(sql<Emergency>`select * from ${table} where version_no = ${versionNo} for update`)
  if (!item || row.versionStatus !== 'effective' || row.keptTime) return 0
  // What people work on meanwhile stays theirs: until it is in force or given up, the safe side holds.
  const open = await tx.maybe(sql`
    select 1 from ${table} where ${itemColumn} = ${no} and version_status in ('draft', 'pending', 'rejected')`)
  if (open) return 0
  const before = await tx.maybe(sql<Stored>`
    select * from ${table} where ${itemColumn} = ${no} and version_status = 'superseded' and (emergency_until is null or kept_time is not null)
    order by superseded_time desc, version_no desc limit 1`)
  await transition(tx, machine, row, { event: 'version.fallback', set: { supersededTime: tx.now } }, actor)
  if (!before) return 1
  await restore(tx, parts, { no, before, reason: row.reason }, actor)
  await given.started?.(tx, { item, content: before.content })
  await items.touch(tx, item, actor, actor)
  noted(parts, { tx, actor }, item, 'version.fallback', [row.content, before.content])
  return 1
}

const fallbackJob = (parts: VersionParts): Scheduled => ({
  job: `${parts.config.name}.fallback`,
  every: { seconds: 60 },
  async run(tx) {
    const due = await tx.rows(sql<{ versionNo: string }>`
      select v.version_no from ${parts.store.table} v where v.version_status = 'effective' and v.emergency_until <= ${tx.now} and v.kept_time is null
      order by v.emergency_until, v.version_no limit ${fallbacksAtOnce}`)
    let fellBack = 0
    for (const { versionNo } of due) fellBack += await fallBack(tx, parts, versionNo)
    return { fellBack }
  },
})

/**
 * The safe side at once: a version of one person, which is over after a day unless a second person keeps it; then the version before it is
 * in force again, as a new one. Its table has `emergency_until`, `kept_time` and `kept_by`.
 */
export const emergencies = (parts: VersionParts) => ({
  act: acting(parts),
  keep: keeping(parts),
  job: fallbackJob(parts),
})
