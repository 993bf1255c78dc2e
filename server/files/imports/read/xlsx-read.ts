import { type Archive, BadArchive, openArchive } from '../../archive.ts'
import { bounds, type Line, Unreadable } from './unreadable.ts'
import { grown, readXml, wholeXml } from './xml-read.ts'

/** Number formats of days and times that every workbook knows. */
const isDateFormat = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)
/** Whether a format of the workbook's own shows a day or a time; words in quotes and colours do not count. */
const showsDate = (code: string) => /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

const relative = (target: string) => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

/** The first sheet that is shown, and whether days are counted from 1904. */
const sheetOf = async (archive: Archive): Promise<{ part: string; from1904: boolean }> => {
  const targets = new Map<string, string>()
  await wholeXml(archive.read('xl/_rels/workbook.xml.rels'), {
    open: (name, attribute) => {
      if (name === 'Relationship' && attribute('TargetMode') !== 'External')
        targets.set(attribute('Id') ?? '', relative(attribute('Target') ?? ''))
    },
  })
  let part: string | undefined
  let from1904 = false
  await wholeXml(archive.read('xl/workbook.xml'), {
    open: (name, attribute) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attribute('date1904') ?? '')
      if (name === 'sheet' && part === undefined && !attribute('state')?.includes('idden'))
        part = targets.get(attribute('id') ?? '')
    },
  })
  if (!part || !archive.has(part)) throw new Unreadable('unreadable')
  return { part, from1904 }
}

/** Which cell styles show days. */
const datesOf = async (archive: Archive): Promise<ReadonlySet<number>> => {
  const dates = new Set<number>()
  if (!archive.has('xl/styles.xml')) return dates
  const own = new Map<number, boolean>()
  let inCells = false
  let style = 0
  await wholeXml(archive.read('xl/styles.xml'), {
    open: (name, attribute) => {
      if (name === 'numFmt') own.set(Number(attribute('numFmtId')), showsDate(attribute('formatCode') ?? ''))
      if (name === 'cellXfs') inCells = true
      if (name !== 'xf' || !inCells) return
      const id = Number(attribute('numFmtId') ?? 0)
      if (own.get(id) ?? isDateFormat(id)) dates.add(style)
      style++
    },
    close: name => void (name === 'cellXfs' && (inCells = false)),
  })
  return dates
}

/** Spreadsheets write `_x0041_` for a letter that XML cannot hold. */
const unhidden = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** Texts that cells share, in their order. Phonetic hints stand beside a text, not in it. */
const sharedOf = async (archive: Archive): Promise<string[]> => {
  const shared: string[] = []
  if (!archive.has('xl/sharedStrings.xml')) return shared
  let text = ''
  let inText = false
  let inHint = false
  await wholeXml(archive.read('xl/sharedStrings.xml'), {
    open: name => {
      if (name === 'si') text = ''
      if (name === 't') inText = !inHint
      if (name === 'rPh') inHint = true
    },
    text: more => void (inText && (text = grown(text, more))),
    close: name => {
      if (name === 't') inText = false
      if (name === 'rPh') inHint = false
      if (name === 'si') shared.push(unhidden(text))
    },
  })
  return shared
}

/** `C12` → 2, from 0. */
const columnOf = (place: string): number => {
  let column = 0
  for (const letter of /^[A-Z]+/.exec(place)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const two = (n: number) => String(n).padStart(2, '0')

/** A day number of a spreadsheet as a wall-clock text; to the second, because it keeps no more. */
export const dayText = (serial: number, from1904 = false): string => {
  const days = from1904 ? serial + 1462 : serial
  const seconds = Math.round(days * 86_400)
  const at = new Date(Date.UTC(1899, 11, 30) + seconds * 1_000)
  if (Number.isNaN(at.getTime())) return String(serial)
  const date = at.toISOString().slice(0, 10)
  const [h, m, s] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
  return h || m || s ? `${date} ${two(h)}:${two(m)}${s ? `:${two(s)}` : ''}` : date
}

/** A number as people read it. Spreadsheets keep 15 digits: a longer whole number has lost its end, and shows so. */
export const numberText = (raw: string): string => {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? String(value) : value.toExponential()
  const short = Number(value.toPrecision(15))
  return Math.abs(short) < 1e-6 ? short.toFixed(15).replace(/0+$/, '') : String(short)
}

type Cell = { type: string; style: number; value: string; formula: string | null }
type Book = { shared: readonly string[]; dates: ReadonlySet<number>; from1904: boolean }

const cellText = ({ type, style, value, formula }: Cell, { shared, dates, from1904 }: Book): string => {
  if (formula !== null) return `=${formula}`
  if (type === 's') return shared[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type === 'd') return value.replace('T', ' ').replace(/(\.\d+)?Z?$/, '')
  if (type !== 'n') return unhidden(value)
  return dates.has(style) && value !== '' ? dayText(Number(value), from1904) : numberText(value)
}

/** The rows of a sheet. A formula is read as its text: nothing is calculated, and what another program calculated is not believed. */
async function* rowsOf(archive: Archive, part: string, book: Book): AsyncGenerator<Line> {
  let lines: Line[] = []
  let row: Line | null = null
  let last = 0
  let column = 0
  let cell: Cell | null = null
  let into: 'value' | 'formula' | null = null
  const pieces = readXml(archive.read(part), {
    open: (name, attribute) => {
      if (name === 'row') {
        last = Number(attribute('r') ?? last + 1)
        row = { no: last, cells: [] }
        column = 0
      } else if (name === 'c') {
        const place = attribute('r')
        if (place) column = columnOf(place)
        if (column < 0 || column >= bounds.columns) throw new Unreadable('too_wide', { max: bounds.columns })
        cell = { type: attribute('t') ?? 'n', style: Number(attribute('s') ?? 0), value: '', formula: null }
      } else if (cell && name === 'f') {
        cell.formula = ''
        into = 'formula'
      } else if (cell && (name === 'v' || name === 't')) into = 'value'
    },
    text: more => {
      if (!cell || !into) return
      if (into === 'formula') cell.formula = grown(cell.formula ?? '', more)
      else cell.value = grown(cell.value, more)
    },
    close: name => {
      if (name === 'v' || name === 't' || name === 'f') into = null
      else if (name === 'c' && cell && row) {
        while (row.cells.length < column) row.cells.push('')
        row.cells[column] = cellText(cell, book)
        cell = null
        column++
      } else if (name === 'row' && row) {
        lines.push(row)
        row = null
      }
    },
  })
  for await (const _ of pieces) {
    yield* lines
    lines = []
  }
  yield* lines
}

const checkKind = async (archive: Archive): Promise<void> => {
  if (!archive.has('[Content_Types].xml') || !archive.has('xl/workbook.xml')) throw new Unreadable('unreadable')
  let macro = archive.names.some(name => /vbaProject|macrosheets|xl\/dialogsheets/i.test(name))
  await wholeXml(archive.read('[Content_Types].xml'), {
    open: (_, attribute) => void (/macroEnabled|vbaProject/i.test(attribute('ContentType') ?? '') && (macro = true)),
  })
  if (macro) throw new Unreadable('macro')
}

const unreadable = (error: unknown): unknown => {
  if (!(error instanceof BadArchive)) return error
  if (error.flaw === 'locked') return new Unreadable('locked')
  return error.flaw === 'unpacked' ? new Unreadable('too_big', { max: bounds.unpacked }) : new Unreadable('unreadable')
}

/** The rows of the first sheet of a workbook that is shown, one in memory at a time; its links are not followed. @throws {Unreadable} */
export async function* xlsxLines(path: string): AsyncGenerator<Line> {
  let archive: Archive | undefined
  try {
    archive = await openArchive(path)
    await checkKind(archive)
    const { part, from1904 } = await sheetOf(archive)
    const dates = await datesOf(archive)
    const shared = await sharedOf(archive)
    yield* rowsOf(archive, part, { shared, dates, from1904 })
  } catch (error) {
    throw unreadable(error)
  } finally {
    archive?.close()
  }
}
