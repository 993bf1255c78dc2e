import type { DrawnColumn } from './columns.ts'

/** The columns that a screen shows by itself. */
export const ownColumns = (all: readonly DrawnColumn[]): string[] =>
  all.filter(column => !column.hidden).map(column => column.id)

/** The columns in sight: those asked for that there are, each once, the key first; without any, those of the screen. */
export const shownColumns = (
  all: readonly DrawnColumn[],
  key: string,
  wanted: readonly string[] | undefined,
): readonly string[] => {
  const known = new Set(all.map(column => column.id))
  const found = (wanted ?? []).filter(id => known.has(id))
  return found.length ? [...new Set(known.has(key) ? [key, ...found] : found)] : ownColumns(all)
}

/** With the column where it was not, without it where it was. A new one comes last. */
export const toggled = (shown: readonly string[], id: string): string[] =>
  shown.includes(id) ? shown.filter(one => one !== id) : [...shown, id]

/** Whether a column can change places with its neighbour; the first one stays. */
export const canMove = (shown: readonly string[], id: string, by: 1 | -1): boolean => {
  const at = shown.indexOf(id)
  return at > 0 && at + by > 0 && at + by < shown.length
}

/** With the column in its neighbour's place. */
export const moved = (shown: readonly string[], id: string, by: 1 | -1): readonly string[] => {
  if (!canMove(shown, id, by)) return shown
  const at = shown.indexOf(id)
  const rest = shown.filter(one => one !== id)
  return [...rest.slice(0, at + by), id, ...rest.slice(at + by)]
}
