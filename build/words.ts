import path from 'node:path'
import type { Plugin } from 'rollup'
import { languages } from '../core/i18n/language.ts'
import { messages } from '../core/i18n/server.ts'
import { mentionedBy, reachLater, screensIn } from './mentions.ts'

const root = path.resolve(import.meta.dirname, '..')
/** What stands around every screen, and what every list draws though it is fetched apart. */
const around = ['core/element/define-widget.tsx', 'core/client/providers.tsx', 'core/engine/list-late.ts'].map(file =>
  path.join(root, file),
)

export type Division = {
  /** The keys of each part: `first` for what most systems ask for, one part a system, one for what some systems share if it is much, `rest` for what is needed later or never. */
  parts: ReadonlyMap<string, readonly string[]>
  /** The parts that a widget cannot be drawn without. */
  partsOf: ReadonlyMap<string, readonly string[]>
}

/** Characters of keys and texts that some systems share and others need not fetch: worth a request of its own from here on. */
const much = 4000

/** Divides the words by the screens that ask for them: each key stands in exactly one part. */
export const divide = (registries: readonly string[]): Division => {
  const screens = new Map(registries.flatMap(registry => [...screensIn(registry)]))
  const systems = new Map<string, string[]>()
  for (const [tag, file] of screens) {
    const system = path.basename(path.dirname(file))
    systems.set(system, [...(systems.get(system) ?? []), tag])
  }
  const everywhere = mentionedBy(around)
  const asked = new Map(
    [...systems].map(([system, tags]) => {
      const found = mentionedBy(tags.map(tag => screens.get(tag) as string))
      return [system, new Set([...found, ...tags.map(tag => `screens.${tag}`)])] as const
    }),
  )
  const later = new Map(
    [...systems].map(([system, tags]) => [
      system,
      mentionedBy(
        tags.map(tag => screens.get(tag) as string),
        reachLater,
      ),
    ]),
  )
  /** The systems that must have a text: what one draws at once and another one later must be there for both. */
  const systemsOf = (key: string) => {
    if (everywhere.has(key)) return [...systems.keys()]
    const has = (of: ReadonlyMap<string, ReadonlySet<string>>) => (system: string) => of.get(system)?.has(key)
    return [...systems.keys()].some(has(asked))
      ? [...systems.keys()].filter(system => has(asked)(system) || has(later)(system))
      : []
  }
  const shared = new Map<string, { by: readonly string[]; keys: string[] }>()
  for (const key of Object.keys(messages.zh)) {
    const by = systemsOf(key)
    const name = by.join('-') || 'rest'
    shared.set(name, { by, keys: [...(shared.get(name)?.keys ?? []), key] })
  }
  const length = (keys: readonly string[]) =>
    keys.reduce((sum, key) => sum + key.length + (messages.en[key as keyof typeof messages.en] ?? '').length, 0)
  const parts = new Map<string, string[]>([['first', []]])
  const partsOf = new Map([...systems.values()].flat().map(tag => [tag, ['first']]))
  for (const [name, { by, keys }] of shared) {
    const isApart = by.length < 2 || (by.length < systems.size && length(keys) >= much)
    const part = isApart ? name : 'first'
    parts.set(part, [...(parts.get(part) ?? []), ...keys])
    if (isApart) for (const system of by) for (const tag of systems.get(system) ?? []) partsOf.get(tag)?.push(part)
  }
  return { parts, partsOf }
}

/** Keys by area again, as the files have them: an area is written once. */
const byArea = (table: Readonly<Record<string, string>>, keys: readonly string[]) => {
  const out: Record<string, Record<string, string>> = {}
  for (const key of keys) {
    const dot = key.indexOf('.')
    const area = key.slice(0, dot)
    out[area] ??= {}
    ;(out[area] as Record<string, string>)[key.slice(dot + 1)] = table[key] as string
  }
  return out
}

const q = JSON.stringify
const prefix = '\0words/'

/** Instead of one chunk a language, one for each part that {@link divide} finds. */
export const wordParts = (registries: readonly string[]): Plugin => {
  let division: Division | undefined
  const divided = () => {
    division ??= divide(registries)
    return division
  }
  return {
    name: 'word-parts',
    resolveId: source =>
      source.startsWith('virtual:words/') ? `${prefix}${source.slice('virtual:words/'.length)}` : null,
    load(id) {
      if (id.startsWith(prefix)) {
        const [language = '', part = ''] = id.slice(prefix.length).split('/')
        const keys = divided().parts.get(part) ?? []
        return `export default ${q(byArea(messages[language as keyof typeof messages], keys))}`
      }
      if (id !== path.join(root, 'core/i18n/parts.ts')) return null
      this.addWatchFile(id)
      const { parts, partsOf } = divided()
      const chunks = languages.flatMap(language =>
        [...parts.keys()].map(
          part => `${q(`${language}/${part}`)}: () => import(${q(`virtual:words/${language}/${part}`)})`,
        ),
      )
      return `
import { flatten } from './index.ts'
const chunks = { ${chunks.join(', ')} }
const parts = ${q(Object.fromEntries(partsOf))}
export const partsOf = tag => parts[tag] ?? ['first', 'rest']
export const restPart = 'rest'
export const everyPart = ${q([...divided().parts.keys()])}
export const fetchPart = async (language, part) => flatten((await chunks[language + '/' + part]()).default)
export const fetchAll = async language => Object.assign({}, ...(await Promise.all(everyPart.map(part => fetchPart(language, part)))))
`
    },
  }
}
