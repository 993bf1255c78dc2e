import type { Config } from '../../core/contract/config.ts'
import { maskerOf } from '../../core/contract/masking.ts'
import { violatedConstraint } from '../db/faults.ts'
import { invalid } from '../http/fault.ts'
import type { Call } from '../http/serve.ts'
import { newNo } from '../money/numbers.ts'
import { create, transition } from '../states/transition.ts'
import { type Acting, type At, type ConfigHooks, type Item, storedAll, type Values } from './config-hooks.ts'
import { changesOf, noteChange } from './history.ts'
import type { ItemStore } from './item-store.ts'
import type { Versions } from './versions.ts'

/** Moves of one item, each with its line in the history. */
export const itemWrites = (config: Config, given: ConfigHooks) => {
  const { machine, key } = config
  const fields = Object.keys(config.form)
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

  const write = async (at: Acting, item: Item, after: Values, by = at.actor) => {
    const changes = changesOf(fields, item, after)
    const moved = await once(() =>
      move(at, item, 'item.update', storedAll({ ...after, ...given.derived?.(after) }), by),
    )
    const objectNo = String(item[key])
    noteChange(at.tx, machine, { objectNo, version: moved.version, event: 'item.update', changes }, by)
  }

  const turn = async (at: Acting, item: Item, to: 'enabled' | 'disabled', by = at.actor) => {
    const refusal = to === 'disabled' ? given.fixed?.(item) : null
    if (refusal) throw refusal
    await given.switches?.(at.tx, item, to)
    const event = to === 'enabled' ? 'item.enable' : 'item.disable'
    const { version } = await move(at, item, event, {}, by)
    await given.turned?.(at.tx, item, to, at.actor)
    noteChange(at.tx, machine, { objectNo: String(item[key]), version, event, changes: [] }, by)
    return version
  }
  return { move, once, write, turn }
}
/** Changes the items of one config: each change is a transition with its history. */
export type ItemWrites = ReturnType<typeof itemWrites>

type Adding = {
  config: Config
  given: ConfigHooks
  store: ItemStore
  writes: ItemWrites
  versions?: Pick<Versions, 'draft'>
}

/** Makes items, their first versions with them. */
export const itemMaker = ({ config, given, store: { lock }, writes: { once }, versions }: Adding) => {
  const { machine, key } = config
  const noun = machine.table
  /** Fields of an item that hold from a time on: its first draft has them. */
  const dated = new Set(Object.keys(config.versions?.form ?? {}))
  /** Makes one item; answers its key. */
  const add = async (at: At & Pick<Call, 'audit'>, values: Values, enabled: boolean): Promise<string> => {
    const { tx, actor } = at
    // What is set up for a record of another table has its number.
    const no = key in config.create ? String(values[key]) : newNo(given.prefix, tx.now)
    const own = Object.fromEntries(Object.entries(values).filter(([name]) => !dated.has(name)))
    const columns = storedAll({ ...own, ...given.derived?.(own) })
    const part = config.part ? { [config.part.column]: config.part.value } : {}
    const row = { [key]: no, ...columns, ...part, createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
    await once(() => create(tx, machine, row, { event: 'item.create' }, actor))
    const noted = maskerOf(config.row, { inList: true, desensitized: false })(values) as Values
    const changes = changesOf(Object.keys(values), null, noted)
    noteChange(tx, machine, { objectNo: no, version: 0, event: 'item.create', changes }, actor)
    at.audit({ objectType: noun, objectNo: no, after: noted })
    await versions?.draft(at, no, values)
    if (enabled) {
      await transition(tx, machine, await lock(at, no), { event: 'item.enable' }, actor)
      noteChange(tx, machine, { objectNo: no, version: 1, event: 'item.enable', changes: [] }, actor)
    }
    return no
  }
  return add
}
