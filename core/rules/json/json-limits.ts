/** Deeper than this no value of ours goes. */
const maxDepth = 64
const parts = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs
const colon = /\s*:/y

type Open = { keys: Set<string> | null }

/**
 * What JSON allows and nobody may rely on: a key that stands twice in one object, which readers understand differently, and
 * depth without end. @param text valid JSON
 * @returns the key, `depth`, or null
 */
export const jsonExcess = (text: string): { key: string } | 'depth' | null => {
  const open: Open[] = []
  for (const found of text.matchAll(parts)) {
    const [part] = found
    const end = found.index + part.length
    if (part === '{' || part === '[') {
      if (open.length === maxDepth) return 'depth'
      open.push({ keys: part === '{' ? new Set() : null })
    } else if (part === '}' || part === ']') open.pop()
    else {
      const keys = open.at(-1)?.keys
      colon.lastIndex = end
      if (!keys || !colon.test(text)) continue
      const key = JSON.parse(part) as string
      if (keys.has(key)) return { key }
      keys.add(key)
    }
  }
  return null
}
