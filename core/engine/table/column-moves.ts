import { narrowest, widest } from './column-order.ts'

/** A width within what can still be read and reached. */
export const within = (width: number): number => Math.round(Math.max(narrowest, Math.min(widest, width)))

/** Toggles a column; a new one comes last. */
export const toggled = (shown: readonly string[], id: string): string[] =>
  shown.includes(id) ? shown.filter(one => one !== id) : [...shown, id]

/** Whether a column can change places with its neighbour; the first one stays. */
export const canMove = (shown: readonly string[], id: string, by: 1 | -1): boolean => {
  const at = shown.indexOf(id)
  return at > 0 && at + by > 0 && at + by < shown.length
}

/** With the column at another place; the first one stays where it is, and first. */
export const placed = (shown: readonly string[], id: string, at: number): readonly string[] => {
  if (shown.indexOf(id) < 1) return shown
  const rest = shown.filter(one => one !== id)
  const to = Math.max(1, Math.min(rest.length, at))
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}

/** With the column in its neighbour's place. */
export const moved = (shown: readonly string[], id: string, by: 1 | -1): readonly string[] => {
  if (!canMove(shown, id, by)) return shown
  return placed(shown, id, shown.indexOf(id) + by)
}
