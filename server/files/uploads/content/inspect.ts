import { fileTypeFromBuffer } from 'file-type'
import { isImage } from '../../../../core/rules/upload.ts'
import { must } from './bad.ts'
import { csv, xml } from './csv.ts'
import type { Inspected } from './inspected.ts'
import { pdf } from './pdf.ts'
import { picture } from './picture.ts'
import { xlsx } from './xlsx.ts'

/** A file as it may be stored: what it is, and its bytes, which of a picture are drawn again. */

type Document = { type: string; found: readonly (string | undefined)[]; check: (bytes: Buffer) => void | Promise<void> }

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const documents: Readonly<Record<string, Document>> = {
  pdf: { type: 'application/pdf', found: ['application/pdf'], check: pdf },
  // What kind of workbook it is, its own list of contents says; some programs write that last.
  xlsx: {
    type: sheet,
    found: [sheet, 'application/vnd.ms-excel.sheet.macroenabled.12', 'application/zip'],
    check: xlsx,
  },
  // Text has no signature: what has one is no text. The mark of two bytes a letter passes for that of a sound.
  csv: { type: 'text/csv', found: [undefined, 'audio/mpeg'], check: csv },
  sta: { type: 'text/plain', found: [undefined], check: csv },
  txt: { type: 'text/plain', found: [undefined, 'audio/mpeg'], check: csv },
  xml: { type: 'application/xml', found: [undefined, 'application/xml'], check: xml },
}

/**
 * Reads a file by what is in it and not by what it is called.
 * @throws {BadFile} when the two differ, or nobody should open it
 */
export const inspect = async (extension: string, bytes: Buffer): Promise<Inspected> => {
  const found = (await fileTypeFromBuffer(bytes))?.mime
  if (isImage(extension)) return picture(extension, bytes, found)
  const document = documents[extension]
  must(document, 'an unknown kind', 'format')
  must(document.found.includes(found), `it is ${found ?? 'text'}`, 'format')
  await document.check(bytes)
  return { fileType: document.type, bytes, width: null, height: null }
}
