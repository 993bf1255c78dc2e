import { must } from './bad.ts'
import { checkPixels, type Picture } from './picture.ts'

type Part = { name: string; data: Buffer }
type Size = { width: number; height: number }

const hasAlpha = 0x10

const packed = ({ name, data }: Part): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

const partsOf = (bytes: Buffer): Part[] => {
  must(bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP', 'no WebP')
  const end = 8 + bytes.readUInt32LE(4)
  must(end <= bytes.length, 'the file is cut off')
  const parts: Part[] = []
  for (let at = 12; at < end; ) {
    must(at + 8 <= end, 'a part is cut off')
    const length = bytes.readUInt32LE(at + 4)
    must(at + 8 + length <= end, 'a part is cut off')
    parts.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return parts
}

const sizes: Readonly<Record<string, (data: Buffer) => Size>> = {
  'VP8 ': data => {
    must(data.length >= 10 && ((data[0] as number) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a, 'no picture')
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
  },
  VP8L: data => {
    must(data.length >= 5 && data[0] === 0x2f, 'no picture')
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  },
}

/** A still WebP of nothing but its picture; films are refused. */
export const webp = (bytes: Buffer): Picture => {
  const parts = partsOf(bytes)
  must(!parts.some(({ name }) => name === 'ANIM' || name === 'ANMF'), 'a film', 'not_image')
  const [picture, ...others] = parts.filter(({ name }) => name in sizes)
  must(picture && others.length === 0, 'no picture, or two')
  const size = (sizes[picture.name] as (data: Buffer) => Size)(picture.data)
  checkPixels(size.width, size.height)
  const alpha = parts.find(({ name }) => name === 'ALPH')
  const inner = [...(alpha ? [alpha] : []), picture]
  if (parts[0]?.name === 'VP8X') {
    const { data } = parts[0]
    must(data.length === 10, 'the head')
    must(data.readUIntLE(4, 3) + 1 === size.width && data.readUIntLE(7, 3) + 1 === size.height, 'two sizes')
    const head = Buffer.from(data)
    head.fill(0, 0, 4)
    head[0] = (data[0] as number) & hasAlpha
    inner.unshift({ name: 'VP8X', data: head })
  } else must(!alpha, 'a part without its head')
  const body = Buffer.concat([Buffer.from('WEBP'), ...inner.map(packed)])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return { bytes: Buffer.concat([head, body]), ...size }
}
