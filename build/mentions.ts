import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { flatten } from '../core/i18n/index.ts'
import { words } from '../core/i18n/zh/index.ts'

const keys = Object.keys(flatten(words))
const areas = Object.keys(words)
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(found => found[1] ?? found[0])

/** Areas whose keys come from data: what a template without more says of them is looked up when it is asked for. */
const fromData = ['dict', 'fields', 'machines', 'screens', 'systems']
/** Files that name everything there is. */
const catalogues = /[\\/]core[\\/](contract[\\/]dictionaries|rules[\\/]machines[\\/].*|i18n[\\/](?!plain).*)\.ts$/

const literal = new RegExp(`['"\`](?:${areas.join('|')})\\.[\\w.-]+`, 'g')
const template = new RegExp(`\\(\`(${areas.join('|')})\\.\\$`, 'g')

/** The texts that a module may ask for: keys written out, areas of templates, names of fields, dictionaries. */
export const mentions = (code: string, file: string): readonly string[] => {
  if (catalogues.test(file)) return []
  const written = all(code, literal).map(found => found.slice(1))
  const whole = all(code, template).filter(area => !fromData.includes(area))
  const named = new Set(
    file.includes('/core/contract/')
      ? all(code, /\w+/g)
      : [...all(code, /'(\w+)'/g), ...all(code, /names\(\s*['`]([^'`]*)/g).flatMap(list => list.split(/\s+/))],
  )
  const dicts = new Set(all(code, /\b[A-Z][A-Z_]{2,}\b/g))
  return keys.filter(key => {
    const [area = '', name = ''] = key.split('.', 2)
    if (whole.includes(area)) return true
    if (area === 'fields' && named.has(key.slice('fields.'.length))) return true
    if (area === 'dict' && dicts.has(name)) return true
    return written.some(one => key === one || (one.endsWith('.') && key.startsWith(one)))
  })
}

const imported = /(?:^|\n)(?:import|export)(?! type\b)[^'"\n]*(?:\{[^}]*\})?[^'"\n]*['"](\.[^'"]+\.tsx?)['"]/g
const fetched = /import\(['"](\.[^'"]+\.tsx?)['"]\)/g
const known = new Map<string, string>()
const read = (file: string) => {
  const code = known.get(file) ?? readFileSync(file, 'utf8')
  known.set(file, code)
  return code
}

/** A source file and all that it brings with it at once; what it fetches later is not among it. */
export const reach = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const next of all(read(file), imported)) reach(resolve(file, '..', next), seen)
  return seen
}

/** The same, and all that any of it fetches later. */
export const reachLater = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  for (const one of reach(file)) {
    if (seen.has(one)) continue
    seen.add(one)
    for (const next of all(read(one), fetched)) reachLater(resolve(one, '..', next), seen)
  }
  return seen
}

/** Everything that some files and what they bring may ask for. */
export const mentionedBy = (files: readonly string[], of = reach): ReadonlySet<string> =>
  new Set([...new Set(files.flatMap(file => [...of(file)]))].flatMap(file => mentions(read(file), file)))

/** The screens that a registry fetches, by their tags. */
export const screensIn = (registry: string): ReadonlyMap<string, string> =>
  new Map(
    [...read(registry).matchAll(/'(mkopo-[\w-]+)'[^']*import\('([^']+)'\)/g)].map(([, tag, file]) => [
      tag as string,
      resolve(registry, '..', file as string),
    ]),
  )
