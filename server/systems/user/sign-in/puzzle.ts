import { createHash, randomBytes, randomInt } from 'node:crypto'
import sharp from 'sharp'
import { type Slide, slideHeight, slidePiece, slideWidth } from '../../../../core/contract/user/sign-in.ts'

/** How long a puzzle waits for its answer, and its token for the password. */
export const slideSeconds = 120
/** How far off the piece may be let go, in pixels. */
const tolerance = 5
const [leastPoints, leastMs] = [8, 200]

/** A puzzle as it is shown, and what is kept of it. */
export type Puzzle = { slide: Omit<Slide, 'expireTime'>; slideHash: string; slideX: number }

/** What has 256 bits of chance is kept as a plain hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const knob = 7
const edge = 3
/** A square with a knob to the right and a notch above. */
const inPiece = (x: number, y: number): boolean => {
  const [from, to] = [knob, slidePiece - knob - 1]
  const middle = slidePiece / 2
  if ((x - middle) ** 2 + (y - from) ** 2 < knob ** 2) return false
  if ((x - to) ** 2 + (y - middle) ** 2 < knob ** 2) return true
  return x >= edge && x <= to && y >= from && y <= slidePiece - edge
}
const isRim = (x: number, y: number): boolean =>
  inPiece(x, y) && !(inPiece(x - 1, y) && inPiece(x + 1, y) && inPiece(x, y - 1) && inPiece(x, y + 1))

type Wave = { x: number; y: number; turn: number; strength: number }
const wave = (): Wave => ({
  x: randomInt(-60, 60) / 1000,
  y: randomInt(-90, 90) / 1000,
  turn: randomInt(628) / 100,
  strength: randomInt(5, 14),
})

/** A picture that is another one each time: waves of three colours over each other, with grain. */
const picture = (): Buffer => {
  const base = [randomInt(70, 170), randomInt(70, 170), randomInt(70, 170)]
  const waves = base.map(() => Array.from({ length: 4 }, wave))
  const grain = randomBytes(slideWidth * slideHeight)
  const pixels = Buffer.alloc(slideWidth * slideHeight * 3)
  for (let at = 0; at < slideWidth * slideHeight; at++) {
    const [x, y] = [at % slideWidth, Math.floor(at / slideWidth)]
    for (let colour = 0; colour < 3; colour++) {
      let value = (base[colour] as number) + (grain[at] as number) / 10
      for (const one of waves[colour] as Wave[])
        value += one.strength * Math.sin(one.x * x + one.y * y + one.turn + Math.sin(one.y * x))
      pixels[at * 3 + colour] = Math.max(0, Math.min(255, value))
    }
  }
  return pixels
}

/** Cuts the piece out of the picture, and darkens where it was. */
const cut = (pixels: Buffer, left: number, top: number): Buffer => {
  const piece = Buffer.alloc(slidePiece * slidePiece * 4)
  for (let y = 0; y < slidePiece; y++)
    for (let x = 0; x < slidePiece; x++) {
      if (!inPiece(x, y)) continue
      const from = ((top + y) * slideWidth + left + x) * 3
      const to = (y * slidePiece + x) * 4
      for (let colour = 0; colour < 3; colour++) {
        const value = pixels[from + colour] as number
        piece[to + colour] = isRim(x, y) ? 255 : value
        pixels[from + colour] = value * 0.42
      }
      piece[to + 3] = 255
    }
  return piece
}

const address = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`

/** Draws a puzzle; takes some milliseconds of a thread, so never inside a transaction. */
export const drawPuzzle = async (): Promise<Puzzle> => {
  const slideX = randomInt(100, slideWidth - slidePiece - 8)
  const pieceY = randomInt(8, slideHeight - slidePiece - 8)
  const pixels = picture()
  const piece = cut(pixels, slideX, pieceY)
  const [background, cutOut] = await Promise.all([
    sharp(pixels, { raw: { width: slideWidth, height: slideHeight, channels: 3 } })
      .jpeg({ quality: 78 })
      .toBuffer(),
    sharp(piece, { raw: { width: slidePiece, height: slidePiece, channels: 4 } })
      .png()
      .toBuffer(),
  ])
  const nonce = randomBytes(32).toString('base64url')
  const slide = { background: address('jpeg', background), piece: address('png', cutOut), pieceY, nonce }
  return { slide, slideHash: hashOf(nonce), slideX }
}

/** Whether a hand brought the piece to its place: near enough, over enough points, and not in no time. */
export const isSolved = (
  slideX: number,
  { x, track }: { x: number; track: readonly { x: number; t: number }[] },
): boolean => {
  const [first, last] = [track[0], track.at(-1)]
  if (!first || !last || track.length < leastPoints || last.t - first.t < leastMs) return false
  if (track.some((point, at) => at > 0 && point.t < (track[at - 1] as { t: number }).t)) return false
  return Math.abs(x - slideX) <= tolerance
}
