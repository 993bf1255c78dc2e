import { Readable } from 'node:stream'
import { type CsvError, type InfoRecord, type Options, parse } from 'csv-parse'
import { bounds, type Line, Unreadable } from './unreadable.ts'

const delimiters = [',', ';', '\t'] as const
/** The line in which Excel says what stands between the cells. */
const saying = /^\uFEFF?sep=(.)\s*$/i

/** What stands between the cells: whatever the first line has most of, outside of quotes. */
export const delimiterOf = (firstLine: string): string => {
  const said = saying.exec(firstLine)
  if (said) return said[1] as string
  const bare = firstLine.replace(/"(?:[^"]|"")*"?/g, '')
  const counts = delimiters.map(one => bare.split(one).length - 1)
  return delimiters[counts.indexOf(Math.max(...counts))] as string
}

/** The first line, and the text from its end or, where it is one of cells, from its beginning. */
const begun = async (pieces: AsyncIterator<string>): Promise<{ delimiter: string; text: string }> => {
  let text = ''
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    text += next.value
    if (/[\r\n]/.test(text) || text.length > bounds.cell * 2) break
  }
  const [first = ''] = text.split(/[\r\n]/, 1)
  return { delimiter: delimiterOf(first), text: saying.test(first) ? text.slice(first.length) : text }
}

async function* following(text: string, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  yield text
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

/** One line end inside of a cell, however it is written. */
const oneLineEnd = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

/** A quote that closes too early is kept as text by the reader: `"1"2`. */
const closedEarly = /^"[^"]*"[^"]/

const checked = (cells: string[], line: number): string[] => {
  if (cells.length > bounds.columns) throw new Unreadable('too_wide', { max: bounds.columns })
  return cells.map(cell => {
    if (closedEarly.test(cell)) throw new Unreadable('quotes', { line })
    const text = oneLineEnd(cell)
    // No cell is that long: its quote was closed by that of another one, or it is one line without an end.
    if (text.length > bounds.cell) throw new Unreadable(text.includes('\n') ? 'quotes' : 'cell_long', { line })
    return text
  })
}

const options: Options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  rtrim: true,
  max_record_size: bounds.columns * bounds.cell,
}

/** The rows of comma-separated values, RFC 4180: any line end, quotes doubled inside of quotes. @throws {Unreadable} */
export async function* csvLines(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  const source = pieces[Symbol.asyncIterator]()
  const { delimiter, text } = await begun(source)
  /** Where the row begins that is being read. */
  let begin = 1
  const row = (cells: string[], { lines }: InfoRecord): Line => {
    const no = begin
    begin = lines + 1
    return { no, cells: checked(cells, no) }
  }
  const parser = parse({ ...options, delimiter, on_record: row as unknown as Options['on_record'] })
  const bytes = Readable.from(following(text, source))
  bytes.on('error', error => parser.destroy(error))
  bytes.pipe(parser)
  try {
    yield* parser as AsyncIterable<Line>
  } catch (error) {
    const { code = '' } = error as CsvError
    if (code === 'CSV_MAX_RECORD_SIZE') throw new Unreadable('cell_long', { line: begin })
    throw code.startsWith('CSV_') ? new Unreadable('quotes', { line: begin }) : error
  } finally {
    bytes.destroy()
  }
}
