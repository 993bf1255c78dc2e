import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.ts'
import {
  cameraNote,
  gifControl,
  gifImage,
  gifNote,
  gifOf,
  gifOwnNote,
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

const secret = Buffer.from('<?php system($_GET[0]); ?> GPS 0.3136 N')
const notes = ['GPS', 'Exif', 'adobe', 'php', 'ICCP', 'XMP ']

const pixelsOf = async (bytes: Buffer) => (await sharp(bytes).raw().toBuffer()) as Buffer
/** How far two pictures are apart, in steps of a colour a pixel. */
const apart = async (one: Buffer, other: Buffer) => {
  const [a, b] = [await pixelsOf(one), await pixelsOf(other)]
  expect(a.length).toBe(b.length)
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] as number)), 0) / a.length
}

const black = pngOf({ data: deflateSync(Buffer.alloc(121 * 30)), before: [pngChunk('tEXt', noise(1_024))] })

describe.each<[string, Buffer, Buffer, number]>([
  [
    'png',
    pngOf(),
    pngOf({ before: ['tEXt', 'iTXt', 'eXIf', 'tIME'].map(name => pngChunk(name, secret)), after: [secret] }),
    0,
  ],
  [
    'jpg',
    jpegOf(),
    jpegOf({
      before: [
        cameraNote(1),
        ...[0xed, 0xe2, 0xfe].map(marker => jpegPart(marker, secret)),
        jpegPart(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>')),
      ],
      after: [secret, jpegOf()],
    }),
    8,
  ],
  [
    'webp',
    webpOf(vp8(64, 48)),
    Buffer.concat([
      webpOf(vp8x(64, 48, 0x0c), vp8(64, 48), riffPart('EXIF', secret), riffPart('XMP ', secret)),
      secret,
    ]),
    12,
  ],
  [
    'gif',
    gifOf(40, 30, gifControl, gifImage(40, 30)),
    Buffer.concat([gifOf(40, 30, gifOwnNote(secret), gifControl, gifNote(0xfe, secret), gifImage(40, 30)), secret]),
    8,
  ],
])('a %s', (extension, plain, noted, most) => {
  it('loses what was noted in it and what lies behind it, and stays the same picture', async () => {
    const { bytes, width, height } = await inspect(extension, noted)
    for (const note of notes) expect(bytes.includes(note), note).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height })
    expect(await apart(bytes, plain)).toBeLessThanOrEqual(most)
  })

  it('is one and the same file each time it is sent', async () => {
    const [once, again] = [await inspect(extension, plain), await inspect(extension, noted)]
    expect(once.bytes.equals(again.bytes)).toBe(true)
  })
})

describe('a photo', () => {
  it.each([
    [1, 64, 48],
    [3, 64, 48],
    [6, 48, 64],
    [8, 48, 64],
  ])('that was noted to lie %i is turned the right way up', async (way, width, height) => {
    expect(await inspect('jpg', jpegOf({ before: [cameraNote(way)] }))).toMatchObject({ width, height })
  })
})

it('an interlaced PNG is drawn with all of its seven passes', async () => {
  const given = await sharp(noise(40 * 30 * 3), { raw: { width: 40, height: 30, channels: 3 } })
    .png({ progressive: true })
    .toBuffer()
  const { bytes } = await inspect('png', given)
  expect((await pixelsOf(bytes)).equals(await pixelsOf(given))).toBe(true)
})

it('keeps what is transparent', async () => {
  const given = await sharp(noise(40 * 30 * 4), { raw: { width: 40, height: 30, channels: 4 } })
    .png()
    .toBuffer()
  const { bytes } = await inspect('png', given)
  expect((await sharp(bytes).metadata()).hasAlpha).toBe(true)
})

it.each<[string, string, Buffer, Buffer]>([
  ['pixels of a PNG beyond its size', 'png', pngOf({ data: deflateSync(pixels(40, 31)) }), pngOf()],
  [
    'a hundred megabytes behind the pixels of a PNG',
    'png',
    pngOf({ data: deflateSync(Buffer.alloc(104_857_600)) }),
    black,
  ],
  ['a second picture in a WebP', 'webp', webpOf(vp8(64, 48), vp8(64, 48)), webpOf(vp8(64, 48))],
  ['the missing end of a whole PNG', 'png', pngOf().subarray(0, -12), pngOf()],
])('%s: nothing of it stays', async (_, extension, given, plain) => {
  expect((await inspect(extension, given)).bytes.equals((await inspect(extension, plain)).bytes)).toBe(true)
})

it('forty megapixels are drawn in little room', async () => {
  const [width, height] = [8_000, 5_000]
  const data = deflateSync(Buffer.alloc((width * 3 + 1) * height))
  const before = process.memoryUsage().rss
  const given = Buffer.concat([pngStart, pngHead(width, height), pngChunk('IDAT', data), pngChunk('IEND', noise(0))])
  await expect(inspect('png', given)).resolves.toMatchObject({ width, height })
  expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1_048_576)
})

it.each([
  ['a film', gifOf(40, 30, gifImage(40, 30), gifImage(40, 30)), 'not_image'],
  ['a PNG under its name', pngOf(), 'not_image'],
  ['no picture', gifOf(40, 30, gifNote(0xfe, noise(2_000))), 'damaged'],
  ['more pixels than anybody looks at', gifOf(9_000, 9_000, gifImage(9_000, 9_000)), 'pixels'],
] as const)('a GIF is refused as %s', async (_, bytes, refusal) => {
  await expect(inspect('gif', bytes)).rejects.toMatchObject({ refusal })
})
