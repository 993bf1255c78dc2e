import { directory, type Entry, packedFile } from '../../exports/zip.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'

export type Parts = Record<string, string>

/** Packs parts as they are; `lie` changes what the list of the archive says of them. */
export const archived = (parts: Parts, lie: (entry: Entry) => Entry = entry => entry): Buffer => {
  const bytes: Buffer[] = []
  const entries: Entry[] = []
  let offset = 0
  for (const [name, content] of Object.entries(parts)) {
    const packed = packedFile(name, content, offset)
    bytes.push(packed.bytes)
    entries.push(lie(packed.entry))
    offset += packed.bytes.length
  }
  const last = entries.pop() as Entry
  return Buffer.concat([...bytes, directory(entries, last, offset)])
}

export const sheetPart = 'xl/worksheets/sheet1.xml'
export const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
/** Rows of texts, as most programs write them. */
export const textRows = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells, row) => {
      const inner = cells.map(
        (cell, at) => `<c r="${letters(at)}${row + 1}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`,
      )
      return `<row r="${row + 1}">${inner.join('')}</row>`
    })
    .join('')

/** The parts of a workbook with one sheet; others stand beside or instead of them. */
export const workbook = (sheet: string, more: Parts = {}): Parts => ({
  '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/xl/workbook.xml" ContentType="${main}"/></Types>`,
  'xl/workbook.xml': `<workbook xmlns:r="${relations}"><sheets><sheet name="Hidden" state="hidden" sheetId="2" r:id="rId2"/><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`,
  'xl/worksheets/sheet2.xml': sheetOf(''),
  [sheetPart]: sheetOf(sheet),
  ...more,
})
