import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.ts'
import { jpeg } from './jpeg.ts'
import {
  cameraNote,
  jpegOf,
  jpegPart,
  noise,
  pixels,
  pngChunk,
  pngHead,
  pngOf,
  pngStart,
  riffPart,
  vp8,
  vp8x,
  webpOf,
} from './made-files.ts'
import { png } from './png.ts'
import { webp } from './webp.ts'

const secret = Buffer.from('<?php system($_GET[0]); ?> GPS 0.3136 N')
const pngNames = (bytes: Buffer): string[] => {
  const names: string[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    names.push(bytes.toString('latin1', at + 4, at + 8))
  return names
}
const pngPixels = (bytes: Buffer): Buffer => {
  const at = bytes.indexOf('IDAT')
  return inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
}

describe('a PNG', () => {
  it('keeps its pixels and loses everything else, inside and behind', async () => {
    const given = pngOf({
      before: ['tEXt', 'iTXt', 'eXIf', 'iCCP', 'tIME', 'acTL'].map(name => pngChunk(name, secret)),
      after: [secret],
    })
    const kept = await png(given)
    expect(pngNames(kept.bytes)).toEqual(['IHDR', 'IDAT', 'IEND'])
    expect(kept.bytes.includes(secret)).toBe(false)
    expect(pngPixels(kept.bytes).equals(pixels(40, 30))).toBe(true)
    expect(kept).toMatchObject({ width: 40, height: 30 })
  })

  it('is the same once it was drawn anew', async () => {
    const once = await png(pngOf())
    expect((await png(once.bytes)).bytes.equals(once.bytes)).toBe(true)
  })

  it('may be interlaced: the lines of its seven passes are counted', async () => {
    const { deflateSync } = await import('node:zlib')
    const lines = [3, 3, 5, 5, 9, 9, 17].map((_, pass) => {
      const [x, y, dx, dy] = [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ][pass] as [number, number, number, number]
      const [across, down] = [Math.ceil((40 - x) / dx), Math.ceil((30 - y) / dy)]
      return Buffer.alloc(down * (across * 3 + 1))
    })
    const data = (more: Buffer) => pngChunk('IDAT', deflateSync(Buffer.concat([...lines, more])))
    const whole = (more = Buffer.alloc(0)) =>
      Buffer.concat([pngStart, pngHead(40, 30, [8, 2, 0, 0, 1]), data(more), pngChunk('IEND', Buffer.alloc(0))])
    await expect(png(whole())).resolves.toMatchObject({ width: 40, height: 30 })
    await expect(png(whole(Buffer.alloc(1)))).rejects.toMatchObject({ refusal: 'damaged' })
  })
})

describe('a JPEG', () => {
  it('loses where it was taken, by what, and what follows it', () => {
    const given = jpegOf({
      before: [
        cameraNote(1),
        jpegPart(0xed, secret),
        jpegPart(0xe2, secret),
        jpegPart(0xfe, secret),
        jpegPart(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>')),
      ],
      after: [secret, jpegOf()],
    })
    const { bytes } = jpeg(given)
    for (const word of ['GPS', 'Exif', 'adobe', 'php']) expect(bytes.includes(word), word).toBe(false)
    expect(bytes.equals(jpegOf())).toBe(true)
  })

  it.each([2, 3, 6, 8])('keeps which way up it is, %i, and nothing else of what the camera noted', way => {
    const { bytes } = jpeg(jpegOf({ before: [cameraNote(way)] }))
    expect(bytes.includes('GPS')).toBe(false)
    const at = bytes.indexOf('Exif\0\0')
    expect(bytes.readUInt16BE(at + 24)).toBe(way)
    expect(jpeg(bytes).bytes.equals(bytes)).toBe(true)
  })

  it('keeps how its colours are to be read', () => {
    const adobe = jpegPart(0xee, Buffer.concat([Buffer.from('Adobe'), Buffer.from([0, 100, 0, 0, 0, 0, 1])]))
    expect(jpeg(jpegOf({ before: [adobe] })).bytes.includes(adobe)).toBe(true)
  })
})

it('a WebP loses its notes and profiles, and what follows it', () => {
  const given = Buffer.concat([
    webpOf(
      vp8x(64, 48, 0x2c),
      riffPart('ICCP', secret),
      vp8(64, 48),
      riffPart('EXIF', secret),
      riffPart('XMP ', secret),
    ),
    secret,
  ])
  const { bytes, width, height } = webp(given)
  expect({ width, height }).toEqual({ width: 64, height: 48 })
  expect(bytes.includes(secret)).toBe(false)
  expect(bytes.equals(webpOf(vp8x(64, 48), vp8(64, 48)))).toBe(true)
})

it('forty megapixels are drawn anew in little room', async () => {
  const { deflateSync } = await import('node:zlib')
  const [width, height] = [8_000, 5_000]
  const data = deflateSync(Buffer.alloc((width * 3 + 1) * height))
  const before = process.memoryUsage().rss
  const given = Buffer.concat([pngStart, pngHead(width, height), pngChunk('IDAT', data), pngChunk('IEND', noise(0))])
  await expect(inspect('png', given)).resolves.toMatchObject({ width, height })
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1_048_576)
})
