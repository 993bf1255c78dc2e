import { imageBytes, isImage } from '../../../core/rules/upload.ts'
import { BadFile, must } from './bad.ts'
import { csv } from './csv.ts'
import { jpeg } from './jpeg.ts'
import { pdf } from './pdf.ts'
import type { Picture } from './picture.ts'
import { png } from './png.ts'
import { webp } from './webp.ts'
import { xlsx } from './xlsx.ts'

/** A file as it may be stored: what it is, and its bytes, which of an image are written anew. */
export type Inspected = { fileType: string; bytes: Buffer; width: number | null; height: number | null }

const images: Readonly<
  Record<
    string,
    { type: string; starts: (text: string) => boolean; read: (bytes: Buffer) => Picture | Promise<Picture> }
  >
> = {
  jpg: { type: 'image/jpeg', starts: text => text.startsWith('\xff\xd8\xff'), read: jpeg },
  png: { type: 'image/png', starts: text => text.startsWith('\x89PNG\r\n\x1a\n'), read: png },
  webp: { type: 'image/webp', starts: text => text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP', read: webp },
}

const documents: Readonly<Record<string, { type: string; check: (bytes: Buffer) => void | Promise<void> }>> = {
  pdf: { type: 'application/pdf', check: pdf },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', check: xlsx },
  csv: { type: 'text/csv', check: csv },
}

const picture = async (extension: string, bytes: Buffer): Promise<Inspected> => {
  must(bytes.length >= imageBytes.min && bytes.length <= imageBytes.max, 'the size', 'image_size')
  const image = images[extension === 'jpeg' ? 'jpg' : extension]
  must(image, 'an unknown kind', 'not_image')
  must(image.starts(bytes.toString('latin1', 0, 16)), 'another kind', 'not_image')
  return { fileType: image.type, ...(await image.read(bytes)) }
}

/** Reads a file by what is in it and not by what it is called. @throws {BadFile} when the two differ, or nobody should open it */
export const inspect = async (extension: string, bytes: Buffer): Promise<Inspected> => {
  try {
    if (isImage(extension)) return await picture(extension, bytes)
    const document = documents[extension]
    must(document, 'an unknown kind', 'format')
    await document.check(bytes)
    return { fileType: document.type, bytes, width: null, height: null }
  } catch (error) {
    throw error instanceof RangeError ? new BadFile('damaged', 'the file is cut off') : error
  }
}
