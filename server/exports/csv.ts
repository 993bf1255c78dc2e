import type { Cell } from './cell.ts'
import { nothing, type Part, type Writer, type Written } from './writer.ts'

/** What a spreadsheet would take for the beginning of a formula, in half and in full width. */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/

/** Text that no spreadsheet calculates: a quote stands before what could be a formula. */
export const defused = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** One field as RFC 4180 writes it. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const line = (cells: readonly Cell[]): string =>
  `${cells.map(cell => field(cell.number ? cell.shown : defused(cell.shown))).join(',')}\r\n`

const behind = (at: Written, text: string, rows: number): Part => {
  const bytes = Buffer.from(text)
  return { bytes, written: { ...at, offset: at.offset + bytes.length, rows: at.rows + rows } }
}

/** Comma-separated values: UTF-8 with a byte order mark, so that a spreadsheet reads it as what it is. */
export const csv: Writer = {
  type: 'text/csv; charset=utf-8',
  maxRows: Number.MAX_SAFE_INTEGER,
  begin: header => behind(nothing, `\uFEFF${line(header.map(shown => ({ shown })))}`, 1),
  rows: (at, rows) => behind(at, rows.map(line).join(''), rows.length),
  end: at => ({ bytes: Buffer.alloc(0), written: at }),
}
