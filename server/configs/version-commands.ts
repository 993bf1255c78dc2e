import { sql } from 'kysely'
import { eatDate, startOfEatDay } from '../../core/rules/time.ts'
import { requestApproval } from '../approval/approval.ts'
import { json } from '../db/json.ts'
import { checkVersion, Fault, invalid, notFound } from '../http/fault.ts'
import { type Call, serve } from '../http/serve.ts'
import { newNo } from '../money/numbers.ts'
import { create, transition } from '../states/transition.ts'
import { merchantOf, summaryOf } from './checked.ts'
import { changesOf } from './history.ts'
import { requestsOf } from './version-approval.ts'
import type { Stored, Values, VersionParts } from './version-store.ts'
/** Writes the first draft of an item, or another one. */
export const drafting =
  ({ config, given, store: { machine, contentOf, once } }: VersionParts) =>
  async ({ tx, actor }: Pick<Call, 'tx' | 'actor'>, no: string, values: Values): Promise<string> => {
    const versionNo = newNo(given.prefix, tx.now)
    const maker = { makerNo: actor.no, makerName: actor.name, createdTime: tx.now }
    const part = config.part ? { [config.part.column]: config.part.value } : {}
    const row = { versionNo, [config.key]: no, content: json(contentOf(values)), ...part, ...maker }
    await once(() => create(tx, machine, row, { event: 'version.save' }, actor))
    return versionNo
  }

type Draft = ReturnType<typeof drafting>

/** Keeps a draft, or makes one. */
export const saveVersion = (
  { config, given, items, store: { machine, calls, table, itemColumn, contentOf } }: VersionParts,
  draft: Draft,
) => {
  const { key } = config
  return serve(calls.versionSave, async call => {
    const { tx, actor } = call
    const input = call.input as Values & { versionNo?: string; version?: number }
    const item = await items.lockToChange(call, String(input[key]))
    const no = String(item[key])
    const content = contentOf(input)
    const fault = await given.keeps?.(tx, { item, content })
    if (fault) throw fault
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
}

/** Sends a draft to a second person. */
export const submitVersion = (parts: VersionParts) => {
  const {
    config,
    given,
    items,
    store: { machine, calls, fields, lockBoth, ofItem, checkHolds },
  } = parts
  const { key } = config
  const { plain, strict } = requestsOf(parts)
  return serve(calls.versionSubmit, async call => {
    const { tx, actor, input } = call
    const { item, row } = await lockBoth(tx, input.versionNo, no => items.lockToChange(call, no))
    checkVersion(row, input.version)
    const at = input.effectiveTime ? new Date(input.effectiveTime) : null
    if (at && at.getTime() < tx.now.getTime()) throw invalid('effectiveTime', 'validation.timePassed')
    if (at && given.byDay && at.getTime() !== Date.parse(startOfEatDay(eatDate(at))))
      throw invalid('effectiveTime', 'validation.startOfDay')
    await checkHolds(tx, item, row.content)
    const refusal = await given.submits?.(tx, { item, content: row.content })
    if (refusal) throw refusal
    const inForce = await ofItem(tx, String(item[key]), 'effective')
    const set = { effectiveTime: at ?? tx.now, reason: input.reason, makerNo: actor.no, makerName: actor.name }
    const moved = await transition(tx, machine, row, { event: 'version.submit', set }, actor)
    const changes = changesOf(fields, inForce?.content ?? null, row.content)
    const merchantNo = merchantOf(item)
    const isStrict = (await given.stricter?.when(tx, { item, content: row.content })) ?? false
    const approvalNo = await requestApproval(call, {
      ...((isStrict && strict) || plain),
      objectType: config.table,
      objectNo: String(item[key]),
      ...(merchantNo ? { merchantNo } : {}),
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
}

/** Takes a version back that waits for its time. */
export const cancelVersion = ({ items, store: { machine, calls, lockBoth } }: VersionParts) =>
  serve(calls.versionCancel, async call => {
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
