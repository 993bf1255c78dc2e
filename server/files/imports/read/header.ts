import { type FailParams, Unreadable } from './unreadable.ts'

/** Marks a row of a template that only explains: it is not taken in. */
export const noteMark = '#'

/** What a header says, whatever its case, its spaces and the mark of a required column. */
export const normalized = (header: string): string =>
  header
    .normalize('NFKC')
    .replace(/[*\uFEFF]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** Every way in which each column may be called, made ready by {@link normalized}. */
export type Names = readonly (readonly [said: string, column: string])[]

/** The header row of a file, matched to the columns of the list. */
export type Header = {
  /** For each cell of a row the column it belongs to; null where it matches none. */
  columns: readonly (string | null)[]
  /** Headers that match no column, as written. */
  ignored: readonly string[]
}

const shown = 10
const short = (header: string) => header.trim().slice(0, 40)

/** Tells the columns of a file by its first row, in whatever language it is written. @throws {Unreadable} */
export const headerOf = (cells: readonly string[], names: Names, required: readonly string[]): Header => {
  const known = new Map(names)
  const columns = cells.map(cell => known.get(normalized(cell)) ?? null)
  const found = columns.filter(column => column !== null)
  const refuse = (why: 'header' | 'header_twice', of: readonly string[]): never => {
    const params: FailParams = { columns: of.join(',') }
    throw new Unreadable(why, params)
  }
  const twice = found.filter((column, at) => found.indexOf(column) !== at)
  if (twice.length) refuse('header_twice', [...new Set(twice)])
  const missing = required.filter(column => !found.includes(column))
  if (missing.length) refuse('header', missing)
  const ignored = cells.filter((cell, at) => columns[at] === null && cell.trim() !== '').map(short)
  return { columns, ignored: ignored.slice(0, shown) }
}
