/** A number in [0, 1). */
export type Random = () => number

/** A stream of numbers that depends on nothing but `text`. */
export const randomOf = (text: string): Random => {
  let state = 2166136261
  for (const char of text) state = Math.imul(state ^ char.charCodeAt(0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
export const between = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1))
export const chance = (random: Random, share: number): boolean => random() < share
