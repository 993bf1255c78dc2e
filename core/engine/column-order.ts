import type { DrawnColumn } from './columns.ts'

/** Pixels that a column may be made narrow or wide to. */
const [narrowest, widest] = [48, 800]

const idOf = (wanted: string): string => wanted.split(':')[0] as string

/** The widths that were chosen: `orderNo:140` is a column with its own, `orderNo` one as wide as its values. */
export const widthsOf = (wanted: readonly string[] | undefined): Readonly<Record<string, number>> =>
  Object.fromEntries(
    (wanted ?? []).flatMap(one => {
      const width = Number(one.split(':')[1])
      return width >= narrowest && width <= widest ? [[idOf(one), Math.round(width)]] : []
    }),
  )

/** Columns as a list keeps them: in their order, with the widths that were chosen. */
export const withWidths = (shown: readonly string[], widths: Readonly<Record<string, number | undefined>>): string[] =>
  shown.map(id => (widths[id] ? `${id}:${widths[id]}` : id))

/** A width within what can still be read and reached. */
export const within = (width: number): number => Math.round(Math.max(narrowest, Math.min(widest, width)))

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
  const found = (wanted ?? []).map(idOf).filter(id => known.has(id))
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
