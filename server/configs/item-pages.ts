import { sql } from 'kysely'
import { type Config, maxUses, type Use } from '../../core/contract/config.ts'
import type { ListEndpoint } from '../../core/contract/endpoint.ts'
import type { Key } from '../../core/i18n/index.ts'
import { Fault, notFound } from '../http/fault.ts'
import { type Call, type Served, serve } from '../http/serve.ts'
import { type Listed, listed, type Reader, withBlocks } from '../lists/listed.ts'
import { type ConfigHooks, snake, usedFault, type Values } from './config-hooks.ts'
import { historyOf } from './history.ts'
import type { ItemStore } from './item-store.ts'

type Reading = { config: Config; given: ConfigHooks; store: ItemStore }

/** The list of a config, with what the server would refuse in each row. */
export const itemList = ({ config, given, store: { source } }: Reading): Listed => {
  const { key, calls, name } = config
  const refusable = ['save', 'state', 'delete', ...(config.versions ? ['versionSave', 'versionSubmit'] : [])]
  return listed({
    list: calls.page as unknown as ListEndpoint,
    source: source as never,
    ...(given.late ? { late: given.late } : {}),
    blocked: async ({ tx, session }: Reader, rows: readonly Values[]) => {
      const keys = rows.map(row => String(row[key]))
      const uses = session.perms.has(config.codes.delete) ? ((await given.uses?.(tx, keys)) ?? []) : []
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
}

/** An item, its history, and what names it. */
export const itemReads = ({ config, given, store: { source, seenNo } }: Reading, page: Listed): Served[] => {
  const { machine, key, calls } = config
  const table = sql.table(config.table)
  const keyColumn = sql.ref(`x.${snake(key)}`)
  const detail = serve(calls.detail, async call => {
    const no = String((call.input as Values)[key])
    const at = call as unknown as Reader
    const { columns = {}, joins = {}, where } = source(at)
    const late = given.late?.columns ?? []
    const names = Object.keys(config.row.shape).filter(column => column !== 'blockedBy' && !late.includes(column))
    const row = await call.tx.maybe(sql<Values>`
      select ${sql.join(names.map(column => sql`${columns[column] ?? sql.ref(`x.${snake(column)}`)} as ${sql.ref(snake(column))}`))}
      from ${table} x ${sql.join(Object.values(joins), sql` `)} where ${keyColumn} = ${no} and ${where}`)
    if (!row) throw notFound()
    const [filled = row] = given.late ? await given.late.fill(call.tx, [row]) : [row]
    const [shown] = await withBlocks(page, at, [{ ...filled, blockedBy: {} }])
    return shown as never
  })
  const seen = (call: Call<Values>) => seenNo(call, String(call.input[key]))
  const history = serve(calls.history, async call => {
    const no = await seen(call as unknown as Call<Values>)
    return { list: await historyOf(call.tx, machine, no) }
  })
  const usedBy = serve(calls.usedBy as unknown as typeof calls.history, async call => {
    const no = await seen(call as unknown as Call<Values>)
    const named: readonly Use[] = (await given.uses?.(call.tx, [no])) ?? []
    const uses = [...named, ...((await given.shows?.(call as unknown as Reader, no)) ?? [])]
    return { list: uses.slice(0, maxUses), total: uses.length } as never
  })
  return [detail, history, ...(config.used ? [usedBy] : [])] as Served[]
}
