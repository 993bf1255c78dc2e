/** A version that decides beside the champion for a share of the customers. */
export type Challenger = { versionNo: string; trafficPercent: number }

/** Most traffic that challengers take together, in percent. */
export const maxChallenged = 50

/** Where a customer stands among a hundred: the same number always, spread evenly (FNV-1a with a final mix). */
export const bucketOf = (customerNo: string): number => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(customerNo)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % 100
}

/** Which challenger scores a customer; null where the champion does. Challengers take their shares one behind the other, in the order of their numbers. */
export const challengerOf = <C extends Challenger>(customerNo: string, challengers: readonly C[]): C | null => {
  const bucket = bucketOf(customerNo)
  let end = 0
  for (const one of [...challengers].sort((a, b) => (a.versionNo < b.versionNo ? -1 : 1))) {
    end += one.trafficPercent
    if (bucket < end) return one
  }
  return null
}
