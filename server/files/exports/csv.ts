import type { Cell } from './cell.ts'
import { nothing, type Part, type Piece, type Writer, type Written } from './writer.ts'

/** What a spreadsheet would take for the beginning of a formula, in half and in full width. */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/

/** Text that no spreadsheet calculates: a quote stands before what could be a formula. */
export const defused = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** One field as RFC 4180 writes it. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const line = (cells: readonly Cell[]): string =>
  `${cells.map(cell => field(typeof cell === 'string' ? defused(cell) : cell.shown)).join(',')}\r\n`

const behind = (at: Written, { bytes, rows }: Piece): Part => ({
  bytes,
  written: { ...at, offset: at.offset + bytes.length, rows: at.rows + rows },
})

const piece = (rows: readonly (readonly Cell[])[]): Piece => ({
  bytes: Buffer.from(rows.map(line).join('')),
  rows: rows.length,
})

/** Comma-separated values: UTF-8 with a byte order mark, so that a spreadsheet reads it as what it is. */
export const csv: Writer = {
  type: 'text/csv; charset=utf-8',
  maxRows: Number.MAX_SAFE_INTEGER,
  begin: header => behind(nothing, { bytes: Buffer.from(`\uFEFF${line(header)}`), rows: 1 }),
  rows: (at, rows) => behind(at, piece(rows)),
  piece: async (_, rows) => piece(rows),
  behind,
  end: at => ({ bytes: Buffer.alloc(0), written: at }),
}
