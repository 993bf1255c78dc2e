import type { z } from 'zod'
import type { Action } from '../../screen.ts'
import type { Row } from '../../table/columns.ts'

/** Rows that are looked up at once when all that match are chosen. */
const most = 1000

const keysOf = (action: Action<Row>, rowKey: string): z.ZodType | undefined => {
  const endpoint = 'run' in action ? action.run : action.needs
  if (!endpoint || !('input' in endpoint)) return undefined
  return (endpoint.input as z.ZodType & { shape?: Record<string, z.ZodType> }).shape?.[endpoint.on?.key ?? `${rowKey}s`]
}

/** How many rows the command of an action takes at once, as its contract says. */
export const bulkLimit = (action: Action<Row>, rowKey: string): number => {
  const named = keysOf(action, rowKey)
  const keys = named?.def.type === 'optional' ? (named as z.ZodOptional<z.ZodType>).unwrap() : named
  if (keys?.def.type !== 'array') return most
  const sizes = ((keys as z.ZodArray).def.checks ?? []).map(
    check => (check._zod.def as { maximum?: number }).maximum ?? most,
  )
  return Math.min(most, ...sizes)
}

/** How many rows are worth choosing: what the most patient action takes. */
export const choiceLimit = (actions: readonly Action<Row>[], rowKey: string): number =>
  Math.min(most, Math.max(0, ...actions.map(action => bulkLimit(action, rowKey))))
