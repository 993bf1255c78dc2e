import type { DrawnColumn } from './columns.ts'

/** Pixels that a column may be made narrow or wide to. */
export const [narrowest, widest] = [48, 800]

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
