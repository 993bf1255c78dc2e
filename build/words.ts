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
  /** The keys of each part: `first` for what several systems ask for, one part a system, `rest` for what is needed later or never. */
  parts: ReadonlyMap<string, readonly string[]>
  /** The parts that a widget cannot be drawn without. */
  partsOf: ReadonlyMap<string, readonly string[]>
}

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
  /** What a system draws at once and another one later must be there for both. */
  const partOf = (key: string) => {
    const [by, others] = [asked, later].map(one => [...one].filter(([, found]) => found.has(key)).map(([name]) => name))
    if (everywhere.has(key)) return 'first'
    if (!by?.length) return 'rest'
    return new Set([...by, ...(others ?? [])]).size > 1 ? 'first' : (by[0] as string)
  }
  const parts = new Map<string, string[]>([
    ['first', []],
    ...[...systems.keys()].map(name => [name, []] as [string, string[]]),
    ['rest', []],
  ])
  for (const key of Object.keys(messages.zh)) parts.get(partOf(key))?.push(key)
  const partsOf = new Map([...systems].flatMap(([system, tags]) => tags.map(tag => [tag, ['first', system]] as const)))
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
