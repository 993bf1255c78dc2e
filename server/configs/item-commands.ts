import type { Config } from '../../core/contract/config.ts'
import { can } from '../../core/rules/machines/machine.ts'
import { stateConflict } from '../http/fault.ts'
import { type Call, type Served, serve, serveEach } from '../http/serve.ts'
import { askChecker } from './checked.ts'
import { type ConfigHooks, type Item, picked, usedFault, type Values } from './config-hooks.ts'
import { changesOf, noteChange } from './history.ts'
import type { ItemStore } from './item-store.ts'
import type { ItemWrites, itemMaker } from './item-writes.ts'

/** What the commands of a config work with. */
export type ConfigParts = {
  config: Config
  given: ConfigHooks
  store: ItemStore
  writes: ItemWrites
  add: ReturnType<typeof itemMaker>
}

/** What was sent, without fields that do not apply to the others. */
const applying = (config: Config, input: Values, item?: Item): Values => {
  const applies = Object.entries((config.applies ?? {}) as Record<string, (values: Values) => boolean>)
  // What is asked for a new item only decides for good which fields there are.
  const values = { ...picked(item ?? {}, item ? Object.keys(config.create) : []), ...input }
  const left = applies.filter(([, does]) => !does(values)).map(([field]) => [field, null])
  return { ...input, ...Object.fromEntries(left) }
}

const changing = ({ config, given, store: { lockToChange }, writes: { write } }: ConfigParts) => {
  const fields = Object.keys(config.form)
  const noun = config.machine.table
  return async (call: Call<Values>, no: string) => {
    const item = await lockToChange(call, no, call.input.version as number)
    const form = picked(applying(config, call.input, item), fields)
    await given.check?.(call, form, item)
    const [before, after] = [picked(item, fields), picked(form, fields)]
    const approvalNo =
      config.checked === true && (given.needsChecker?.(item, { form: after }) ?? true)
        ? await askChecker(call, config, item, {
            event: 'save',
            payload: { form: after },
            changes: changesOf(fields, item, after),
          })
        : await write(call, item, after).then(() => null)
    call.audit({ objectType: noun, objectNo: no, before, after: approvalNo ? { approvalNo } : after })
    return { key: no, created: 0, existing: 0, approvalNo }
  }
}

/** Makes items, or changes one; two calls where different people may. */
export const saveCommands = (parts: ConfigParts): Served[] => {
  const { config, given, add } = parts
  const { key, calls } = config
  const fields = Object.keys(config.form)
  const change = changing(parts)
  const make = async (call: Call<Values>) => {
    const form = picked(applying(config, call.input), [...fields, ...Object.keys(config.create)])
    const refusal = given.mayChange?.(call, form)
    if (refusal) throw refusal
    const { rows, existing } = (await given.made?.(call, form)) ?? { rows: [form], existing: 0 }
    await given.check?.(call, form, null)
    const made: string[] = []
    for (const row of rows) {
      const no = await add(call, row, given.startsEnabled?.(call, row) ?? false)
      await given.added?.(call, no)
      made.push(no)
    }
    return { key: made.length === 1 ? (made[0] as string) : null, created: made.length, existing, approvalNo: null }
  }
  const save = serve(calls.save, given_ => {
    const call = given_ as unknown as Call<Values>
    const { [key]: no } = call.input
    return no === undefined ? make(call) : change(call, String(no))
  })
  const adding = calls.add as typeof calls.save | undefined
  return [save, ...(adding ? [serve(adding, call => make(call as unknown as Call<Values>))] : [])] as Served[]
}

/** Enables and disables an item, itself or by asking a second person. */
const switching = ({ config, given, store: { lockToChange }, writes: { turn } }: ConfigParts) => {
  const { machine } = config
  const noun = machine.table
  return async (call: Call, no: string, enabled: boolean, seen?: number) => {
    const item = await lockToChange(call, no, seen)
    const to = enabled ? 'enabled' : 'disabled'
    const asks = Boolean(config.checked) && (given.needsChecker?.(item, { to }) ?? true)
    if (asks && !can(machine, item.enabled, enabled ? 'item.enable' : 'item.disable'))
      throw stateConflict(item.enabled, machine.dict)
    // What would be refused when a second person agrees is refused before they are asked.
    if (asks) await given.switches?.(call.tx, item, to)
    const changes = changesOf(['enabled'], item, { enabled: to })
    const approvalNo = asks
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
}

/** Deletes an item that nothing names. */
const dropping = ({ config, given, store: { lockToChange }, writes: { move } }: ConfigParts) => {
  const { machine } = config
  const noun = machine.table
  const fields = Object.keys(config.form)
  return async (call: Call, no: string, seen?: number) => {
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
}

/** Enable, disable and delete, of one item and of many. */
export const stateCommands = (parts: ConfigParts): Served[] => {
  const { config } = parts
  const { key, calls } = config
  const switchTo = switching(parts)
  const drop = dropping(parts)
  const state = serve(calls.state, call => {
    const input = call.input as Values & { enabled: boolean; version: number }
    return switchTo(call as unknown as Call, String(input[key]), input.enabled, input.version)
  })
  const remove = serve(calls.remove, call => {
    const input = call.input as Values & { version: number }
    return drop(call as unknown as Call, String(input[key]), input.version)
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
  return [state, remove, ...many] as Served[]
}
