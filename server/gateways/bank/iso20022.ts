import { Unreadable } from '../../files/imports/read/unreadable.ts'
import { wholeXml } from '../../files/imports/read/xml-read.ts'

/** What stands at each path below a part: the texts of its elements, and `path@Ccy` for the currency of an amount. */
export type Values = Map<string, string[]>

/** A repeated element: what stands in it, and the parts inside it by their names. */
export type Part = { values: Values; parts: Record<string, Part[]> }

type Declared = {
  /** The namespace that the document has to have. */
  namespace: RegExp
  /** The element below `Document`. */
  message: string
  /** Elements that may come more than once, by name; their paths begin below the message. */
  parts: Readonly<Record<string, string>>
  bounds: { bytes: number; depth: number; text: number; parts: number }
}

/** The refusal of a file that is not what its format demands. */
export const unreadable = () => new Unreadable('unreadable')

/** What stands at a path, if anything does. @throws {Unreadable} when it is said more than once */
export const one = (values: Values, path: string): string | undefined => {
  const found = values.get(path) ?? []
  if (found.length > 1) throw unreadable()
  return found[0] || undefined
}

async function* inOne(bytes: Buffer) {
  yield bytes
}

/** Gathers the leaves of every part as they come by. */
const gather = ({ namespace, message, parts, bounds }: Declared) => {
  const names = new Map(Object.entries(parts).map(([name, below]) => [`Document/${message}/${below}`, name]))
  const root: Part = { values: new Map(), parts: {} }
  const open: { part: Part; depth: number }[] = [{ part: root, depth: 2 }]
  const path: string[] = []
  let text = ''
  let done = false
  let count = 0

  const keep = (suffix: string, value: string) => {
    const { part, depth } = open.at(-1) as { part: Part; depth: number }
    const below = `${path.slice(depth).join('/')}${suffix}`
    const before = part.values.get(below)
    if (before) before.push(value)
    else part.values.set(below, [value])
  }
  const begin = (name: string) => {
    const part: Part = { values: new Map(), parts: {} }
    const within = (open.at(-1) as { part: Part }).part.parts
    const others = within[name]
    if (others) others.push(part)
    else within[name] = [part]
    open.push({ part, depth: path.length })
    count += 1
    if (count > bounds.parts) throw unreadable()
  }

  return {
    root,
    isWhole: () => done && path.length === 0,
    events: {
      open(name: string, attribute: (name: string) => string | undefined) {
        if (done || path.length >= bounds.depth) throw unreadable()
        if (path.length === 0 && (name !== 'Document' || !namespace.test(attribute('xmlns') ?? ''))) throw unreadable()
        if (path.length === 1 && name !== message) throw unreadable()
        path.push(name)
        text = ''
        const part = names.get(path.join('/'))
        if (part) begin(part)
        const currency = attribute('Ccy')
        if (currency !== undefined) keep('@Ccy', currency)
      },
      close(name: string) {
        if (path.at(-1) !== name) throw unreadable()
        if (text.trim() !== '') keep('', text.trim())
        text = ''
        if (open.length > 1 && open.at(-1)?.depth === path.length) open.pop()
        path.pop()
        if (path.length === 0) done = true
      },
      text(more: string) {
        if (path.length === 0 && more.replace('\uFEFF', '').trim() !== '') throw unreadable()
        text += more
        if (text.length > bounds.text) throw unreadable()
      },
    },
  }
}

/**
 * Reads a message of ISO 20022. It has no document type, one root of its kind and every element closed, and keeps the
 * bounds. @throws {Unreadable} for anything else
 */
export const readMessage = async (bytes: Buffer, declared: Declared): Promise<Part> => {
  if (bytes.length > declared.bounds.bytes) throw unreadable()
  const { root, events, isWhole } = gather(declared)
  await wholeXml(inOne(bytes), events)
  if (!isWhole()) throw unreadable()
  return root
}
