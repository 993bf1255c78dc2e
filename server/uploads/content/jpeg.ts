import { must } from './bad.ts'
import { checkPixels, type Picture } from './picture.ts'

const soi = Buffer.from([0xff, 0xd8])
const eoi = Buffer.from([0xff, 0xd9])

/** Tables, frames and restarts: what a decoder needs. All else that a segment may hold is left out. */
const kept = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xdb, 0xdd])
const frames = new Set([0xc0, 0xc1, 0xc2])
/** Frames that browsers do not draw. */
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])
const [sos, adobe, exif, plainHead] = [0xda, 0xee, 0xe1, 0xe0]

const segment = (marker: number, body: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Which way up the picture is, as its camera noted; 1 where it did not. */
const orientationOf = (body: Buffer): number => {
  if (body.length < 14 || body.toString('latin1', 0, 6) !== 'Exif\0\0') return 1
  const tiff = body.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const list = long(4)
  for (let at = list + 2, left = Math.min(short(list), 200); left > 0; left--, at += 12)
    if (short(at) === 0x0112) return short(at + 8)
  return 1
}

/** All that is kept of what a camera noted: which way up. */
const turned = (orientation: number): Buffer => {
  const body = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  body.writeUInt16BE(orientation, 24)
  return segment(exif, body)
}

/** Where compressed data ends: at the first marker that is neither filling nor a restart. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return -1
}

const sizeOf = (body: Buffer) => {
  must(body.length >= 6 && body[0] === 8, 'a frame of another depth')
  const parts = body[5] as number
  must([1, 3, 4].includes(parts) && body.length === 6 + parts * 3, 'the parts of the frame')
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)]
  checkPixels(width, height)
  return { width, height }
}

/** A JPEG without what cameras, editors and others put into it: places, names, previews, profiles, and whatever follows it. */
export const jpeg = (bytes: Buffer): Picture => {
  must(bytes.subarray(0, 2).equals(soi), 'no JPEG')
  const parts: Buffer[] = []
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let scans = 0
  for (let at = 2; ; ) {
    must(bytes[at] === 0xff && at + 1 < bytes.length, 'something stands between segments')
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === 0xd9) break
    must(marker >= 0xc0 && !(marker >= 0xd0 && marker <= 0xd8) && !otherFrames.has(marker), `marker ${marker}`)
    const length = at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0
    const end = at + 2 + length
    must(length >= 2 && end <= bytes.length, 'a segment is cut off')
    const body = bytes.subarray(at + 4, end)
    if (frames.has(marker)) {
      must(!size, 'two frames')
      size = sizeOf(body)
    }
    if (marker === exif) orientation = orientationOf(body)
    if (marker === plainHead && body.toString('latin1', 0, 5) === 'JFIF\0' && body.length >= 14) {
      const head = Buffer.from(body.subarray(0, 14))
      head.fill(0, 12)
      parts.push(segment(plainHead, head))
    }
    if (marker === adobe && body.toString('latin1', 0, 5) === 'Adobe')
      parts.push(segment(adobe, Buffer.from(body.subarray(0, 12))))
    if (kept.has(marker)) parts.push(bytes.subarray(at, end))
    at = end
    if (marker !== sos) continue
    must(size, 'a scan before its frame')
    const over = endOfScan(bytes, end)
    must(over > end, 'a scan is cut off')
    parts.push(segment(sos, body), bytes.subarray(end, over))
    scans++
    at = over
  }
  must(size && scans > 0, 'no picture')
  const way = orientation > 1 && orientation <= 8 ? [turned(orientation)] : []
  return { bytes: Buffer.concat([soi, ...way, ...parts, eoi]), ...size }
}
