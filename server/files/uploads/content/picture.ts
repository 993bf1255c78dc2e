import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { imageBytes, maxPixels } from '../../../../core/rules/upload.ts'
import { BadFile, must } from './bad.ts'
import type { Inspected } from './inspected.ts'

const longestSide = 20_000
const seconds = 20

// One picture at a time, and nothing of it kept; no format is read but the four below, whatever the bytes say they are.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
  ],
})

type Kind = { type: string; drawn: (image: Sharp) => Sharp }
const jpeg: Kind = { type: 'image/jpeg', drawn: image => image.jpeg({ quality: 90 }) }
const kinds: Readonly<Record<string, Kind>> = {
  jpg: jpeg,
  jpeg,
  png: { type: 'image/png', drawn: image => image.png() },
  gif: { type: 'image/gif', drawn: image => image.gif() },
  webp: { type: 'image/webp', drawn: image => image.webp({ quality: 90 }) },
}

const damaged = (error: unknown): never => {
  throw new BadFile('damaged', error instanceof Error ? error.message : 'cannot be read')
}

/** What the head of a picture says of it; nothing is unpacked yet. */
const checkHead = async (bytes: Buffer): Promise<void> => {
  const { width, height, pages } = await sharp(bytes, { limitInputPixels: false }).metadata().catch(damaged)
  must(width * height <= maxPixels && Math.max(width, height) <= longestSide, `${width} x ${height}`, 'pixels')
  must((pages ?? 1) === 1, 'a film', 'not_image')
}

/**
 * A picture drawn again from its pixels, the right way up and in the colours of the web: what cameras, editors and others put into
 * the file, or behind it, is gone.
 * @param found what the bytes are, as their signature says
 */
export const picture = async (extension: string, bytes: Buffer, found: string | undefined): Promise<Inspected> => {
  must(bytes.length >= imageBytes.min && bytes.length <= imageBytes.max, 'the size', 'image_size')
  const kind = kinds[extension]
  must(kind && found === kind.type, `it is ${found ?? 'unknown'}`, 'not_image')
  await checkHead(bytes)
  // Phones of some makers leave a few bytes between the parts of a photo: every reader warns, and draws it whole.
  const options: SharpOptions = {
    failOn: kind === jpeg ? 'error' : 'warning',
    limitInputPixels: maxPixels,
    sequentialRead: true,
  }
  const image = kind.drawn(sharp(bytes, options).autoOrient().timeout({ seconds }))
  const { data, info } = await image.toBuffer({ resolveWithObject: true }).catch(damaged)
  return { fileType: kind.type, bytes: data, width: info.width, height: info.height }
}
