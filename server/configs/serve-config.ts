import { sql } from 'kysely'
import { type Config, maxUses, type Use } from '../../core/contract/config.ts'
import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import type { Key } from '../../core/i18n/index.ts'
import { can } from '../../core/rules/machines/machine.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { waitsUntil } from '../approval/visible.ts'
import type { Tx } from '../db/database.ts'
import { violatedConstraint } from '../db/faults.ts'
import { json } from '../db/json.ts'
import { checkVersion, Fault, invalid, notFound, stateConflict } from '../http/fault.ts'
import { type Call, type Served, serve, serveEach } from '../http/serve.ts'
import type { Source } from '../lists/list.ts'
import { type Listed, listed, type Reader, serveListed } from '../lists/listed.ts'
import type { ApprovalAction } from '../module.ts'
import { newNo } from '../money/numbers.ts'
import type { Actor } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import { askChecker, waitingFilter, waitingMaker } from './checked.ts'
import { datedColumns, datedJoins } from './dated.ts'
import { changesOf, historyOf, noteChange, updatedName } from './history.ts'
import { serveVersions, type VersionHooks } from './versions.ts'

type Values = Record<string, unknown>
/** An item as it is stored, locked. */
export type Item = Values & { version: number; enabled: string; updatedBy: string; updatedTime: string }
type At = Pick<Call, 'tx' | 'session' | 'actor'>
type Acting = Pick<Call, 'tx' | 'actor'>

type Given = {
  /** Begins the keys of new items. */
  prefix: string
  /** What the list reads besides the table, which is `x`: joins, columns, filters of its own, and who sees which items. */
  source?: (at: Reader) => Partial<Pick<Source, 'joins' | 'columns' | 'filters' | 'where' | 'order'>>
  /** Whether the caller may change an item, new ones among them; a refusal says why not. */
  mayChange?: (at: At, values: Values) => Fault | null
  /** The items that a call makes: one of its form, unless said otherwise. What is there already is left out, and counted. */
  made?: (call: Call<Values>, form: Values) => Promise<{ rows: readonly Values[]; existing: number }>
  /** Refuses what the form alone cannot tell. `before` is the item, null for a new one. */
  check?: (call: Call<Values>, form: Values, before: Item | null) => Promise<void>
  /** Columns that follow from others. */
  derived?: (values: Values) => Values
  /** Whether a new item is in force at once. */
  startsEnabled?: (call: Call<Values>, values: Values) => boolean
  /** Refuses to enable or disable an item. */
  switches?: (tx: Tx, item: Item, to: 'enabled' | 'disabled') => Promise<void>
  /** The records that name these items. */
  uses?: (tx: Tx, keys: readonly string[]) => Promise<readonly (Use & { key: string })[]>
  /** A change of an item is about money: who agrees to it proves anew who they are. */
  money?: boolean
  /** Why an item is neither disabled nor deleted. */
  fixed?: (item: Values) => Fault | null
  /** The field that says that an item is there already, and in which words. */
  unique: string
  exists?: Key
  /** Of a config with dated versions. */
  versions?: VersionHooks
}

const isPlain = (value: unknown): boolean => typeof value === 'object' && value !== null && !(value instanceof Date)
/** A value as its column takes it: lists of words are arrays, everything else with parts is JSON. */
const stored = (value: unknown): unknown => {
  if (value === undefined) return null
  return (Array.isArray(value) ? value.some(isPlain) : isPlain(value)) ? json(value) : value
}
const storedAll = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, stored(value)]))
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const picked = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map(name => [name, values[name] ?? null]))

const usedFault = (uses: readonly Use[]) =>
  new Fault('stateConflict', 'errors.configUsed', {
    n: uses.length,
    names: uses
      .slice(0, 5)
      .map(({ name }) => name)
      .join(', '),
  })

/** The handlers of a config list, its list for totals and exports, and what an import of its rows calls. */
export const serveConfig = (config: Config, given: Given) => {
  const { machine, key, calls, name } = config
  const table = sql.table(config.table)
  const keyColumn = sql.ref(`x.${snake(key)}`)
  const fields = Object.keys(config.form)
  /** Fields of an item that hold from a time on: its first draft has them. */
  const dated = new Set(Object.keys(config.versions?.form ?? {}))
  const noun = machine.table

  const source = (at: Reader): Source => {
    const own = given.source?.(at) ?? {}
    return {
      ...own,
      from: sql`${table} x`,
      alias: 'x',
      key: keyColumn,
      where: sql`(x.deleted_time is null and ${own.where ?? sql`true`})`,
      joins: {
        changer: sql`left join app_user changer on changer.user_no = x.updated_by`,
        ...datedJoins(config, keyColumn),
        ...own.joins,
      },
      columns: {
        updatedBy: updatedName,
        pendingApproval: config.waits ? waitingMaker(noun, keyColumn) : sql`null::text`,
        ...datedColumns(config),
        ...own.columns,
      },
      filters: {
        ...own.filters,
        ...(config.waits ? { waiting: waitingFilter(at, noun, keyColumn) } : {}),
      } as NonNullable<Source['filters']>,
    }
  }

  /** What was sent, without fields that do not apply to the others. */
  const applying = (input: Values, item?: Item): Values => {
    const applies = Object.entries((config.applies ?? {}) as Record<string, (values: Values) => boolean>)
    // What is asked for a new item only decides for good which fields there are.
    const values = { ...picked(item ?? {}, item ? Object.keys(config.create) : []), ...input }
    const left = applies.filter(([, does]) => !does(values)).map(([field]) => [field, null])
    return { ...input, ...Object.fromEntries(left) }
  }

  const lock = async (at: At, no: string): Promise<Item> => {
    const { where } = source(at)
    const item = await at.tx.maybe(
      sql<Item>`select x.* from ${table} x where ${keyColumn} = ${no} and ${where} for update of x`,
    )
    if (!item) throw notFound()
    return item
  }
  const lockToChange = async (at: At, no: string, seen?: number): Promise<Item> => {
    const item = await lock(at, no)
    const refusal = given.mayChange?.(at, item)
    if (refusal) throw refusal
    if (config.waits && (await waitsUntil(at.tx, { objectType: noun, objectNo: no })))
      throw new Fault('stateConflict', 'errors.approvalWaits')
    if (seen === undefined || seen === item.version) return item
    const { by } = await at.tx.one(
      sql<{
        by: string
      }>`select coalesce(max(real_name), ${item.updatedBy}) as by from app_user where user_no = ${item.updatedBy}`,
    )
    const time = eatDateTime(item.updatedTime).slice(0, 16)
    throw new Fault('versionConflict', 'errors.configChanged', { name: by, time }, { version: item.version })
  }
  const lockAny = (tx: Tx, no: string) =>
    tx.maybe(
      sql<Item>`select x.* from ${table} x where ${keyColumn} = ${no} and x.deleted_time is null for update of x`,
    )
  /** `by` is whose change it is; the one who does it may be a second person. */
  const move = async ({ tx, actor }: Acting, item: Item, event: string, set: Values = {}, by = actor) => {
    const touched = { updatedBy: by.no, updatedTime: tx.now }
    return transition(tx, machine, item, { event, set: { ...set, ...touched } }, actor)
  }
  /** A second item of the same name on the same level. */
  const once = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run()
    } catch (error) {
      if (violatedConstraint(error)?.startsWith(`${config.table}_`))
        throw invalid(given.unique, given.exists ?? 'errors.dataExists')
      throw error
    }
  }

  const versions =
    given.versions &&
    serveVersions(config, given.versions, {
      lock,
      lockAny,
      lockToChange,
      seen: (at, no) => seenNo(at, no),
      touch: (tx, item, actor, by) => move({ tx, actor }, item as Item, 'item.update', {}, by),
      mayChange: (at, item) => given.mayChange?.(at, item) ?? null,
    })

  /** Makes one item; answers its key. */
  const add = async (at: At & Pick<Call, 'audit'>, values: Values, enabled: boolean): Promise<string> => {
    const { tx, actor } = at
    const no = newNo(given.prefix, tx.now)
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => !dated.has(name)))
    const columns = storedAll({ ...own, ...given.derived?.(own) })
    const row = { [key]: no, ...columns, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
    await once(() => create(tx, machine, row, { event: 'item.create' }, actor))
    const changes = changesOf(Object.keys(values), null, values)
    noteChange(tx, machine, { objectNo: no, version: 0, event: 'item.create', changes }, actor)
    at.audit({ objectType: noun, objectNo: no, after: values })
    await versions?.draft(at, no, values)
    if (enabled) {
      await transition(tx, machine, await lock(at, no), { event: 'item.enable' }, actor)
      noteChange(tx, machine, { objectNo: no, version: 1, event: 'item.enable', changes: [] }, actor)
    }
    return no
  }

  const write = async (at: Acting, item: Item, after: Values, by = at.actor) => {
    const changes = changesOf(fields, item, after)
    const moved = await once(() =>
      move(at, item, 'item.update', storedAll({ ...after, ...given.derived?.(after) }), by),
    )
    const objectNo = String(item[key])
    noteChange(at.tx, machine, { objectNo, version: moved.version, event: 'item.update', changes }, by)
  }

  const change = async (call: Call<Values>, no: string) => {
    const item = await lockToChange(call, no, call.input.version as number)
    const form = picked(applying(call.input, item), fields)
    await given.check?.(call, form, item)
    const [before, after] = [picked(item, fields), picked(form, fields)]
    const approvalNo = config.checked
      ? await askChecker(call, config, item, {
          event: 'save',
          payload: { form: after },
          changes: changesOf(fields, item, after),
        })
      : await write(call, item, after).then(() => null)
    call.audit({ objectType: noun, objectNo: no, before, after: approvalNo ? { approvalNo } : after })
    return { key: no, created: 0, existing: 0, approvalNo }
  }

  const save = serve(calls.save, async given_ => {
    const call = given_ as unknown as Call<Values>
    const { [key]: no } = call.input
    if (no !== undefined) return change(call, String(no))
    const form = picked(applying(call.input), [...fields, ...Object.keys(config.create)])
    const refusal = given.mayChange?.(call, form)
    if (refusal) throw refusal
    const { rows, existing } = (await given.made?.(call, form)) ?? { rows: [form], existing: 0 }
    await given.check?.(call, form, null)
    const made: string[] = []
    for (const row of rows) made.push(await add(call, row, given.startsEnabled?.(call, row) ?? false))
    return { key: made.length === 1 ? (made[0] as string) : null, created: made.length, existing, approvalNo: null }
  })

  const turn = async (at: Acting, item: Item, to: 'enabled' | 'disabled', by = at.actor) => {
    const refusal = to === 'disabled' ? given.fixed?.(item) : null
    if (refusal) throw refusal
    await given.switches?.(at.tx, item, to)
    const event = to === 'enabled' ? 'item.enable' : 'item.disable'
    const { version } = await move(at, item, event, {}, by)
    noteChange(at.tx, machine, { objectNo: String(item[key]), version, event, changes: [] }, by)
    return version
  }

  const switchTo = async (call: Call, no: string, enabled: boolean, seen?: number) => {
    const item = await lockToChange(call, no, seen)
    const to = enabled ? 'enabled' : 'disabled'
    if (config.checked && !can(machine, item.enabled, enabled ? 'item.enable' : 'item.disable'))
      throw stateConflict(item.enabled, machine.dict)
    const changes = changesOf(['enabled'], item, { enabled: to })
    const approvalNo = config.checked
      ? await askChecker(call, config, item, { event: 'state', payload: { enabled }, changes })
      : null
    const version = approvalNo ? item.version : await turn(call, item, to)
    call.audit({
      objectType: noun,
      objectNo: no,
      before: { enabled: item.enabled },
      after: approvalNo ? { approvalNo } : { enabled: to },
    })
    return { version, approvalNo }
  }

  /** Does what a second person has agreed to, unless the item has changed since it was asked. */
  const executed = (
    event: 'save' | 'state',
    act: (at: Acting, item: Item, payload: Values, maker: Actor) => Promise<unknown>,
  ) => ({
    action: `${name}.${event}`,
    perm: `${config.area}:${event === 'save' ? 'save' : 'enable'}`,
    money: given.money ?? false,
    async execute(tx: Tx, o: { objectNo: string; payload: Values; maker: Actor; checker: Actor }) {
      const item = await lockAny(tx, o.objectNo)
      if (!item) throw notFound()
      checkVersion(item, Number(o.payload.version))
      await act({ tx, actor: o.checker }, item, o.payload, o.maker)
    },
  })
  const approvals: ApprovalAction[] = config.checked
    ? [
        executed('save', (at, item, { form }, maker) => write(at, item, form as Values, maker)),
        executed('state', (at, item, { enabled }, maker) => turn(at, item, enabled ? 'enabled' : 'disabled', maker)),
      ]
    : []

  const drop = async (call: Call, no: string, seen?: number) => {
    const item = await lockToChange(call, no, seen)
    const refusal = given.fixed?.(item)
    if (refusal) throw refusal
    const uses = (await given.uses?.(call.tx, [no])) ?? []
    if (uses.length) throw usedFault(uses)
    const { version } = await move(call, item, 'item.delete', { deletedTime: call.tx.now })
    noteChange(call.tx, machine, { objectNo: no, version, event: 'item.delete', changes: [] }, call.actor)
    call.audit({ objectType: noun, objectNo: no, before: picked(item, fields) })
    return {}
  }

  const state = serve(calls.state, call => {
    const input = call.input as Values & { enabled: boolean; version: number }
    return switchTo(call as unknown as Call, String(input[key]), input.enabled, input.version)
  })
  const remove = serve(calls.remove, call => {
    const input = call.input as Values & { version: number }
    return drop(call as unknown as Call, String(input[key]), input.version)
  })

  const refusable = ['save', 'state', 'delete', ...(config.versions ? ['versionSave', 'versionSubmit'] : [])]
  const page = listed({
    list: calls.page as unknown as ListEndpoint,
    source: source as never,
    blocked: async ({ tx, session }: Reader, rows: readonly Values[]) => {
      const keys = rows.map(row => String(row[key]))
      const uses = session.perms.has(`${config.area}:delete`) ? ((await given.uses?.(tx, keys)) ?? []) : []
      return rows.map(row => {
        const own = uses.filter(use => use.key === row[key])
        const { key: reason, params } = usedFault(own)
        const refusal = given.mayChange?.({ tx, session } as never, row)
        const waits = row.pendingApproval ? new Fault('stateConflict', 'errors.approvalWaits') : null
        const said = refusal ?? waits
        const asReason = (fault: Fault) => ({ reason: fault.key as Key, params: fault.params })
        const block = said && asReason(said)
        const fixed = given.fixed?.(row)
        return {
          ...(own.length ? { [`${name}.delete`]: { reason, params } } : {}),
          ...(block ? Object.fromEntries(refusable.map(act => [`${name}.${act}`, block])) : {}),
          ...(fixed ? Object.fromEntries(['state', 'delete'].map(act => [`${name}.${act}`, asReason(fixed)])) : {}),
        }
      })
    },
  } as never) as Listed

  const detail = serve(calls.detail, async call => {
    const no = String((call.input as Values)[key])
    const at = call as unknown as Reader
    const { columns = {}, joins = {}, where } = source(at)
    const names = Object.keys(config.row.shape).filter(column => column !== 'blockedBy')
    const row = await call.tx.maybe(sql<Values>`
      select ${sql.join(names.map(column => sql`${columns[column] ?? sql.ref(`x.${snake(column)}`)} as ${sql.ref(snake(column))}`))}
      from ${table} x ${sql.join(Object.values(joins), sql` `)} where ${keyColumn} = ${no} and ${where}`)
    if (!row) throw notFound()
    const [blockedBy] = (await page.blocked?.(at, [row])) ?? []
    return { ...row, blockedBy: blockedBy ?? {} } as never
  })
  const seenNo = async (at: Reader, no: string) => {
    const found = await at.tx.maybe(sql`select 1 from ${table} x where ${keyColumn} = ${no} and ${source(at).where}`)
    if (!found) throw notFound()
    return no
  }
  const seen = (call: Call<Values>) => seenNo(call, String(call.input[key]))
  const history = serve(calls.history, async call => {
    const no = await seen(call as unknown as Call<Values>)
    return { list: await historyOf(call.tx, machine, no) }
  })
  const usedBy = serve(calls.usedBy as unknown as typeof calls.history, async call => {
    const uses = (await given.uses?.(call.tx, [await seen(call as unknown as Call<Values>)])) ?? []
    return { list: uses.slice(0, maxUses), total: uses.length } as never
  })

  const idsOf = (input: unknown) => (input as Values)[`${key}s`] as readonly string[]
  const many: Served[] = config.bulk
    ? [
        serveEach(calls.states as never, {
          ids: idsOf,
          row: async (id, call) => void (await switchTo(call, id, (call.input as { enabled: boolean }).enabled)),
        }),
        serveEach(calls.removes as never, { ids: idsOf, row: async (id, call) => void (await drop(call, id)) }),
      ]
    : []

  return {
    served: [
      ...[serveListed(page), detail, history, save, state, remove],
      ...(config.used ? [usedBy] : []),
      ...many,
      ...(versions?.served ?? []),
    ] as Served[],
    lists: [page],
    approvals: [...approvals, ...(versions ? [versions.approval] : [])],
    scheduled: versions ? [versions.job] : [],
    warnings: versions ? [versions.warning] : [],
    /** Makes one item, as an import does. */
    add,
  }
}
