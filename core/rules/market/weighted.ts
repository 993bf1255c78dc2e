/** Weighted by an even hash of what is given, so that the same question has the same answer. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (const letter of text) {
    hash ^= letter.codePointAt(0) as number
    hash = Math.imul(hash, 0x01000193)
  }
  // FNV alone leaves texts that differ at the end close together.
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** One of several by their weights: a customer sees the same one in a place all day. Null of none. */
export const chosenFor = <T extends { weight: number }>(
  items: readonly T[],
  of: { customerNo: string; slot: string; date: string },
): T | null => {
  const total = items.reduce((sum, one) => sum + one.weight, 0)
  let point = (hashOf(`${of.customerNo} ${of.slot} ${of.date}`) / 2 ** 32) * total
  for (const one of items) {
    point -= one.weight
    if (point < 0) return one
  }
  return items.at(-1) ?? null
}

/** Where the true share lies with 95 % when so many of so many did it (Wilson), in percent with two decimals. */
export const likelyShare = (did: number, of: number): { from: string; to: string } | null => {
  if (of === 0) return null
  const [z, part] = [1.96, Math.min(1, did / of)]
  const middle = part + (z * z) / (2 * of)
  const around = z * Math.sqrt((part * (1 - part)) / of + (z * z) / (4 * of * of))
  const shown = (share: number) => (100 * Math.min(1, Math.max(0, share))).toFixed(2)
  const whole = 1 + (z * z) / of
  return { from: shown((middle - around) / whole), to: shown((middle + around) / whole) }
}
