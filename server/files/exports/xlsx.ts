import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { Cell } from './cell.ts'
import { nothing, type Part, type Piece, type Writer, type Written } from './writer.ts'
import { directory, type Entry, packedFile, streamedHead, streamedTail } from './zip.ts'

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const sheetName = 'xl/worksheets/sheet1.xml'
const style = { text: 0, head: 1, money: 2, whole: 3, typed: 4 } as const

/** The files around the sheet, the same in every workbook. */
const around: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/${sheetName}" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Mkopo" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${xml}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

const packedAround = (): { bytes: Buffer; entries: Entry[] } => {
  const parts: Buffer[] = []
  const entries: Entry[] = []
  let offset = 0
  for (const [name, content] of Object.entries(around)) {
    const { bytes, entry } = packedFile(name, content, offset)
    parts.push(bytes)
    entries.push(entry)
    offset += bytes.length
  }
  return { bytes: Buffer.concat(parts), entries }
}
const frame = packedAround()

/** What XML cannot hold. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** Text that XML holds as it is. */
const harmless = /^[ -%'-;=?-^`-~]*$/

/** Text of a cell. Spreadsheets read `_x0041_` as a letter: the underscore of such a text is written as one itself. */
const escaped = (text: string): string => (harmless.test(text) ? text : made(text))

const made = (text: string): string =>
  text
    .replace(unwritable, '\uFFFD')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>\r]/g, letter => entities[letter] as string)

const spelled = (index: number): string =>
  (index >= 26 ? spelled(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
const known: string[] = []

/** `A`, `B` … `Z`, `AA` …, from 0. */
const letters = (index: number): string => {
  while (known.length <= index) known.push(spelled(known.length))
  return known[index] as string
}

/** How hard a sheet is packed: beyond this it takes twice the time for a few bytes in a hundred. */
const level = 3

/** Longest text of a cell. */
const maxText = 32_767
/** Spreadsheets keep 15 digits of a number: a longer one stays a text. */
const isExact = (digits: string): boolean => /^-?\d+(\.\d+)?$/.test(digits) && digits.replace(/\D/g, '').length <= 15

const cellXml = (cell: Cell, place: string, textStyle: number): string => {
  if (cell === '') return ''
  if (typeof cell !== 'string' && isExact(cell.digits))
    return `<c r="${place}" s="${cell.money ? style.money : style.whole}"><v>${cell.digits}</v></c>`
  const shown = typeof cell === 'string' ? cell : cell.shown
  const styled = textStyle ? ` s="${textStyle}"` : ''
  return `<c r="${place}"${styled} t="inlineStr"><is><t xml:space="preserve">${escaped(shown.slice(0, maxText))}</t></is></c>`
}

const rowXml = (cells: readonly Cell[], at: number, textStyle: number): string =>
  `<row r="${at}">${cells.map((cell, index) => cellXml(cell, `${letters(index)}${at}`, textStyle)).join('')}</row>`

const options = (last: boolean) => ({ level, finishFlush: last ? constants.Z_FINISH : constants.Z_FULL_FLUSH })
const deflated = promisify<Buffer, ReturnType<typeof options>, Buffer>(deflateRaw)

/** Puts a packed piece of the sheet behind what is there: it was packed so that it can simply stand there. */
const behind = (at: Written, { bytes, rows, plain = bytes }: Piece): Part => ({
  bytes,
  written: {
    offset: at.offset + bytes.length,
    rows: at.rows + rows,
    crc: plain.length ? crc32(plain, at.crc) : at.crc,
    size: at.size + plain.length,
    packed: at.packed + bytes.length,
  },
})

const packed = (at: Written, text: string, rows: number, last: boolean): Part => {
  const plain = Buffer.from(text)
  return behind(at, { bytes: deflateRawSync(plain, options(last)), rows, plain })
}

const rowsXml = (above: number, rows: readonly (readonly Cell[])[]): string =>
  rows.map((cells, index) => rowXml(cells, above + index + 1, style.text)).join('')

/** Packs on another thread. */
const piece = async (above: number, rows: readonly (readonly Cell[])[]): Promise<Piece> => {
  const plain = Buffer.from(rowsXml(above, rows))
  return { bytes: await deflated(plain, options(false)), rows: rows.length, plain }
}

const begin = (header: readonly string[], { asTyped = false } = {}): Part => {
  const head = streamedHead(sheetName)
  const styled = asTyped ? ` style="${style.typed}"` : ''
  const columns = header.map(
    (name, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${Math.max(14, name.length + 4)}" customWidth="1"${styled}/>`,
  )
  const open = `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
  const at = { ...nothing, offset: frame.bytes.length + head.length }
  const first = packed(at, open + rowXml(header, 1, style.head), 1, false)
  return { bytes: Buffer.concat([frame.bytes, head, first.bytes]), written: first.written }
}

const end = (at: Written): Part => {
  const last = packed(at, '</sheetData></worksheet>', 0, true)
  const { crc, size, packed: bytes, offset } = last.written
  const place = frame.bytes.length
  const entry = { name: sheetName, crc, size, packed: bytes, offset: place }
  const tail = streamedTail(entry)
  const list = directory(frame.entries, entry, offset + tail.length)
  const all = Buffer.concat([last.bytes, tail, list])
  return { bytes: all, written: { ...last.written, offset: at.offset + all.length } }
}

/** A workbook with one sheet: numbers as numbers, everything else as text, so that nothing is calculated. */
export const xlsx: Writer = {
  type: `${types}.sheet`,
  maxRows: 1_048_575,
  begin,
  rows: (at, rows) => packed(at, rowsXml(at.rows, rows), rows.length, false),
  piece,
  behind,
  end,
}
