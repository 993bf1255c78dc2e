import { bounds, type Line, Unreadable } from './unreadable.ts'

const delimiters = [',', ';', '\t'] as const

/** What stands between the cells: whatever the first line has most of, outside of quotes. */
export const delimiterOf = (firstLine: string): string => {
  const said = /^\uFEFF?sep=(.)\s*$/i.exec(firstLine)
  if (said) return said[1] as string
  const bare = firstLine.replace(/"(?:[^"]|"")*"?/g, '')
  const counts = delimiters.map(one => bare.split(one).length - 1)
  return delimiters[counts.indexOf(Math.max(...counts))] as string
}

/** Whether a quoted cell begins, is inside, or may just have ended. */
type Place = 'start' | 'plain' | 'quoted' | 'quote'

/** Reads comma-separated values letter by letter; what is left between two pieces waits for the next. */
class CsvReader {
  readonly lines: Line[] = []
  #delimiter: string | undefined
  #place: Place = 'start'
  #cell = ''
  #cells: string[] = []
  #line = 1
  #begin = 1
  #opened = 1
  #afterReturn = false
  #head = ''

  push(text: string): void {
    if (this.#delimiter === undefined) {
      this.#head += text
      const end = this.#head.search(/[\r\n]/)
      if (end < 0 && this.#head.length <= bounds.cell * 2) return
      this.#begun()
    } else this.#read(text)
  }

  end(): void {
    if (this.#delimiter === undefined) this.#begun()
    if (this.#place === 'quoted') throw new Unreadable('quotes', { line: this.#opened })
    if (this.#cell !== '' || this.#cells.length > 0 || this.#place === 'quote') this.#endRow()
  }

  #begun(): void {
    const [first = ''] = this.#head.split(/[\r\n]/, 1)
    this.#delimiter = delimiterOf(first)
    const isNote = /^\uFEFF?sep=.\s*$/i.test(first)
    this.#read(isNote ? this.#head.slice(first.length) : this.#head)
    this.#head = ''
  }

  #endCell(): void {
    if (this.#cells.length >= bounds.columns) throw new Unreadable('too_wide', { max: bounds.columns })
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#place = 'start'
  }

  #endRow(): void {
    this.#endCell()
    this.lines.push({ no: this.#begin, cells: this.#cells })
    this.#cells = []
  }

  #add(text: string): void {
    this.#cell += text
    if (this.#cell.length > bounds.cell)
      throw new Unreadable(this.#place === 'quoted' ? 'quotes' : 'cell_long', { line: this.#opened })
  }

  /** A line of the file ends; inside of quotes it is part of the cell. */
  #newLine(letter: string): void {
    if (!(letter === '\n' && this.#afterReturn)) {
      if (this.#place === 'quoted') this.#add('\n')
      else this.#endRow()
      this.#line++
      if (this.#place !== 'quoted') this.#begin = this.#line
    }
    this.#afterReturn = letter === '\r'
  }

  #read(text: string): void {
    const delimiter = this.#delimiter as string
    for (let at = 0; at < text.length; at++) {
      const letter = text[at] as string
      if (letter === '\r' || letter === '\n') {
        this.#newLine(letter)
        continue
      }
      this.#afterReturn = false
      if (this.#place === 'quoted') {
        if (letter === '"') this.#place = 'quote'
        else this.#add(letter)
      } else if (letter === delimiter) this.#endCell()
      else if (this.#place === 'quote') {
        if (letter === '"') {
          this.#place = 'quoted'
          this.#add('"')
        } else if (letter !== ' ') throw new Unreadable('quotes', { line: this.#opened })
      } else if (letter === '"' && this.#place === 'start') {
        this.#place = 'quoted'
        this.#opened = this.#line
      } else {
        this.#place = 'plain'
        this.#opened = this.#line
        this.#add(letter)
      }
    }
  }
}

/** The rows of comma-separated values, RFC 4180: any line end, quotes doubled inside of quotes. @throws {Unreadable} */
export async function* csvLines(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  const reader = new CsvReader()
  for await (const piece of pieces) {
    reader.push(piece)
    yield* reader.lines.splice(0)
  }
  reader.end()
  yield* reader.lines
}
