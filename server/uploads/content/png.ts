import { once } from 'node:events'
import { crc32, createDeflate, createInflate, type Deflate } from 'node:zlib'
import { BadFile, must } from './bad.ts'
import { checkPixels, type Picture } from './picture.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** What makes the picture, besides its pixels. Text, times, profiles, previews and frames of films are left out. */
const kept = new Set(['PLTE', 'tRNS', 'sRGB', 'gAMA', 'cHRM', 'sBIT', 'pHYs'])
/** Values per pixel of each kind of colour. */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
/** The seven passes of an interlaced picture: first column and row, and the steps. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

type Chunk = { name: string; data: Buffer }
type Head = { width: number; height: number; bits: number; interlaced: boolean; palette: boolean }

const chunk = (name: string, data: Buffer): Buffer => {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(name, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

const chunksOf = (bytes: Buffer): Chunk[] => {
  must(bytes.subarray(0, 8).equals(signature), 'no PNG')
  const chunks: Chunk[] = []
  for (let at = 8; ; ) {
    must(at + 12 <= bytes.length, 'a chunk is cut off')
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    must(end <= bytes.length, 'a chunk is cut off')
    const name = bytes.toString('latin1', at + 4, at + 8)
    must(crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4), `the checksum of ${name}`)
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4) })
    if (name === 'IEND') return chunks
    at = end
  }
}

const headOf = ({ name, data }: Chunk): Head => {
  must(name === 'IHDR' && data.length === 13, 'no head')
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [depth, colour, packing, filter, interlace] = data.subarray(8) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ]
  must(depths[colour]?.includes(depth) && packing === 0 && filter === 0 && interlace <= 1, 'an unknown form')
  checkPixels(width, height)
  return {
    width,
    height,
    bits: depth * (samples[colour] as number),
    interlaced: interlace === 1,
    palette: colour === 3,
  }
}

/** Lines of pixels as they follow one another, each with its bytes. */
const runsOf = ({ width, height, bits, interlaced }: Head): { lines: number; bytes: number }[] =>
  (interlaced ? passes : ([[0, 0, 1, 1]] as const))
    .map(([x, y, dx, dy]) => ({
      lines: Math.max(0, Math.ceil((height - y) / dy)),
      bytes: Math.ceil((Math.max(0, Math.ceil((width - x) / dx)) * bits) / 8),
    }))
    .filter(run => run.lines > 0 && run.bytes > 0)

/** Follows pixels as they arrive: each line begins with one of five filters, and there are as many as the head says. */
class Lines {
  readonly #runs: { lines: number; bytes: number }[]
  #left = 0

  constructor(head: Head) {
    this.#runs = runsOf(head)
  }

  take(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#left === 0) {
        const [run] = this.#runs
        must(run, 'more pixels than it says')
        must((piece[at] as number) <= 4, 'an unknown filter')
        this.#left = run.bytes + 1
        if (--run.lines === 0) this.#runs.shift()
      }
      const taken = Math.min(this.#left, piece.length - at)
      this.#left -= taken
      at += taken
    }
  }

  end(): void {
    must(this.#left === 0 && this.#runs.length === 0, 'fewer pixels than it says')
  }
}

const collected = async (packing: Deflate): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of packing as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The pixels, unpacked and packed anew, a piece at a time. */
const repacked = async (packed: readonly Buffer[], head: Head): Promise<Buffer> => {
  const lines = new Lines(head)
  const [unpacking, packing] = [createInflate(), createDeflate({ level: 4 })]
  const whole = collected(packing)
  unpacking.end(Buffer.concat(packed))
  try {
    for await (const piece of unpacking as AsyncIterable<Buffer>) {
      lines.take(piece)
      if (!packing.write(piece)) await once(packing, 'drain')
    }
  } catch (error) {
    packing.destroy()
    await whole.catch(() => undefined)
    throw error instanceof BadFile ? error : new BadFile('damaged', 'the pixels cannot be unpacked')
  }
  packing.end()
  lines.end()
  return whole
}

/** A PNG drawn anew: its own pixels, packed by us, without what else was in it or behind it. */
export const png = async (bytes: Buffer): Promise<Picture> => {
  const [first, ...rest] = chunksOf(bytes)
  must(first, 'no head')
  const head = headOf(first)
  must(!rest.some(({ name }) => name === 'IHDR'), 'two heads')
  must(
    rest.every(({ name }) => /^[a-z]/.test(name) || ['PLTE', 'IDAT', 'IEND'].includes(name)),
    'an unknown part',
  )
  const pixels = rest.flatMap(({ name, data }) => (name === 'IDAT' ? [data] : []))
  const palette = rest.find(({ name }) => name === 'PLTE')
  must(pixels.length > 0 && (palette || !head.palette), 'no picture')
  const around = rest.filter(({ name, data }) => kept.has(name) && data.length <= 768)
  const parts = [
    chunk('IHDR', Buffer.from(first.data)),
    ...around.map(({ name, data }) => chunk(name, data)),
    chunk('IDAT', await repacked(pixels, head)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return { bytes: Buffer.concat([signature, ...parts]), width: head.width, height: head.height }
}
