import { closeSync, openSync, writeSync } from 'node:fs'
import { csvLines } from './read/csv-read.ts'
import { encodingOf, textOf } from './read/decode.ts'
import { type Header, headerOf, type Names, noteMark } from './read/header.ts'
import { type Line, Unreadable } from './read/unreadable.ts'
import { xlsxLines } from './read/xlsx-read.ts'

/** What a file is read for, and where its rows go. */
export type Reading = {
  file: string
  format: 'csv' | 'xlsx'
  names: Names
  required: readonly string[]
  maxRows: number
  /** The rows that were read, one a line: `[number of the row in the file, cells in the order of the columns]`. */
  spool: string
}
/** What was read of a file: columns found, headers ignored, number of rows. */
export type Read = { columns: string[]; ignored: string[]; rows: number }

const bufferSize = 262_144
const lastRow = 10_000_000

async function* linesOf({ file, format }: Reading): AsyncGenerator<Line> {
  if (format === 'xlsx') yield* xlsxLines(file)
  else yield* csvLines(textOf(file, await encodingOf(file)))
}

const isEmpty = ({ cells }: Line) => cells.every(cell => cell.trim() === '')
const isNote = ({ cells }: Line) =>
  cells
    .find(cell => cell.trim() !== '')
    ?.trimStart()
    .startsWith(noteMark) === true

/** The cells of known columns, in the order of the columns of the file. */
const kept = ({ cells }: Line, { columns }: Header): string[] =>
  columns.flatMap((column, at) => (column === null ? [] : [cells[at] ?? '']))

/** Numbers of rows only grow, whatever a file says of itself. */
const numbered = (no: number, last: number): number => (no > last && no <= lastRow ? no : last + 1)

/** Reads a file once, in the memory of a few rows, and leaves its rows behind in a form that can be read from any place. @throws {Unreadable} */
export const spooled = async (reading: Reading): Promise<Read> => {
  const { names, required, maxRows } = reading
  const out = openSync(reading.spool, 'w', 0o600)
  let header: Header | undefined
  let rows = 0
  let last = 0
  let waiting = ''
  const write = (least: number) => {
    if (waiting.length <= least) return
    writeSync(out, waiting)
    waiting = ''
  }
  try {
    for await (const line of linesOf(reading)) {
      if (isEmpty(line) || isNote(line)) continue
      if (!header) {
        header = headerOf(line.cells, names, required)
        continue
      }
      if (++rows > maxRows) throw new Unreadable('too_many_rows', { max: maxRows })
      last = numbered(line.no, last)
      waiting += `${JSON.stringify([last, kept(line, header)])}\n`
      write(bufferSize)
    }
    write(0)
  } finally {
    closeSync(out)
  }
  if (!header || rows === 0) throw new Unreadable('no_rows')
  return { columns: header.columns.filter(column => column !== null), ignored: [...header.ignored], rows }
}
