import type { Config } from '../../core/contract/config.ts'
import { Fault } from '../http/fault.ts'
import type { Call } from '../http/serve.ts'
import { transition } from '../states/transition.ts'
import type { Values } from './config-hooks.ts'
import { noteChange } from './history.ts'

type Placed = Values & { sort: number; version: number; enabled: string }

/**
 * Gives items their places in the order of `keys`, from 1 on; each that moves has a line of history. `rows` are the items that may stand
 * there, locked: when they are no longer the ones that were shown, nothing moves. Answers how many moved.
 */
export const arrangeItems = async <R extends Placed>(
  { tx, actor, audit }: Pick<Call, 'tx' | 'actor' | 'audit'>,
  config: Config,
  { rows, keys, refusal }: { rows: readonly R[]; keys: readonly string[]; refusal: (row: R) => Fault | null },
): Promise<number> => {
  const noOf = (row: R) => String(row[config.key])
  const asked = new Set(keys)
  if (asked.size !== keys.length || asked.size !== rows.length || !rows.every(row => asked.has(noOf(row))))
    throw new Fault('versionConflict', 'errors.recordChanged')
  let moved = 0
  for (const row of rows) {
    const place = keys.indexOf(noOf(row)) + 1
    if (place === row.sort) continue
    const refused = refusal(row)
    if (refused) throw refused
    moved++
    const set = { sort: place, updatedBy: actor.no, updatedTime: tx.now }
    const { version } = await transition(tx, config.machine, row, { event: 'item.update', set }, actor)
    const changes = [{ field: 'sort', before: JSON.stringify(row.sort), after: JSON.stringify(place) }]
    noteChange(tx, config.machine, { objectNo: noOf(row), version, event: 'item.update', changes }, actor)
    audit({ objectType: config.table, objectNo: noOf(row), before: { sort: row.sort }, after: { sort: place } })
  }
  return moved
}
