/** One block of a `text/event-stream`: an event with its data, or only the id that has been reached. */
export type Block = { id: string | undefined; event: string | undefined; data: string }

const fieldsOf = (block: string): Block => {
  const found: Block = { id: undefined, event: undefined, data: '' }
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    const [name, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
    if (name === 'id') found.id = value
    if (name === 'event') found.event = value
    if (name === 'data') found.data += found.data ? `\n${value}` : value
  }
  return found
}

/** Takes the text of a stream as it arrives, cut anywhere, and answers the blocks that are complete. */
export const blockReader = () => {
  let rest = ''
  return (text: string): Block[] => {
    const parts = (rest + text.replaceAll('\r\n', '\n')).split('\n\n')
    rest = parts.pop() ?? ''
    return parts.map(fieldsOf)
  }
}

const firstMs = 1_000
const longestMs = 30_000

/** Milliseconds before the next attempt to connect: longer each time, with jitter. */
export const pauseBefore = (attempt: number, random = Math.random()): number =>
  Math.min(longestMs, firstMs * 2 ** attempt) * (0.5 + random / 2)
