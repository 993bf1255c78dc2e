import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { sources } from '../sources.ts'

const components = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@radix-ui/themes/package.json')),
  'dist/esm/components',
)
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(found => found[1] ?? found[0])

/** The modules of one component, its own first. */
const modulesOf = (file: string, seen = new Map<string, string>()): Map<string, string> => {
  if (seen.has(file)) return seen
  const code = readFileSync(file, 'utf8')
  seen.set(file, code)
  for (const next of all(code, /from"(\.[^"]+)"/g)) modulesOf(path.resolve(path.dirname(file), next), seen)
  return seen
}

const fileOf = (name: string) => `${name.replace(/\B[A-Z]/g, letter => `-${letter}`).toLowerCase()}.js`

type Property = { name: string; className: string }

const propertiesIn = (code: string): Property[] =>
  [...code.matchAll(/([a-zA-Z]+):\{type:"[^"]*",(?:[^{}"]*,)?className:"(rt-[\w-]+)"/g)].map(([, name, className]) => ({
    name: name as string,
    className: className as string,
  }))

/** The values that sources write beside a property of a component; undefined where one is put together at run time. */
const valuesOf = (name: string, own: string, inside: string): Set<string> | undefined => {
  const found = new Set(all(inside, new RegExp(`\\b${name}[:=]"([\\w-]+)"`, 'g')))
  for (const [, text = ''] of own.matchAll(new RegExp(`\\s${name}=(\\{[^}]*\\}|"[^"]*")`, 'g'))) {
    const quoted = all(text, /["']([\w-]+)["']/g)
    if (!quoted.length) return undefined
    for (const value of quoted) found.add(value)
  }
  return found
}

/** A selector without the parts that need not match. */
const certain = (selector: string): string => {
  const out = selector
    .replace(/:(not|has)\([^()]*\)/g, '')
    .replace(/:(is|where)\(([^()]*)\)/g, (_, _name, inner: string) => (inner.includes(',') ? '' : inner))
  return out === selector ? out : certain(out)
}

export type RadixUse = {
  /** Whether a selector can match anything. */
  matches: (selector: string) => boolean
  /** Whether a selector speaks of a component that not every list draws. */
  isMore: (selector: string) => boolean
  /** Whether a source or a component in use names this, as a word of its own. */
  names: (word: string) => boolean
}

const basics = path.resolve(import.meta.dirname, '../../core/ui/basics.ts')
const importedIn = (text: string) => [
  ...new Set(
    all(text, /\{([^{}]*)\} from '@radix-ui\/themes'/g).flatMap(names =>
      all(names.replace(/ as \w+/g, ''), /[A-Z]\w*/g),
    ),
  ),
]
const codeOf = (names: readonly string[]) =>
  names.map(name => [...modulesOf(path.join(components, fileOf(name))).values()].join('\n'))
const component = /rt-[A-Z]\w*/g

/**
 * What the sources use of Radix Themes: components that a source imports, with what those import; variants that are written in a source or
 * are the component's default; properties that a source names or a component sets.
 */
export const radixUse = (): RadixUse => {
  const own = sources()
  const used = codeOf(importedIn(own))
  const first = new Set(all(own + codeOf(importedIn(readFileSync(basics, 'utf8'))).join('\n'), component))
  const inside = used.join('\n')
  const classes = new Set(all(own + inside, component))
  const words = new Set(all(own + inside, /[\w-]+/g))
  const quoted = new Set(all(own, /['"](\w+)['"]/g))
  const byDefault = (component: string, variant: string) =>
    used.some(code => code.includes(component) && code.includes(`default:"${variant}"`))
  const named = new Set([...all(own, /\b[a-zA-Z]+\b/g), ...all(inside, /([a-zA-Z]+):(?:"|!0|\d)/g)])
  const properties = propertiesIn(inside)
  const namedClasses = new Set(properties.filter(({ name }) => named.has(name)).map(({ className }) => className))
  const unnamed = new Set(properties.map(({ className }) => className).filter(name => !namedClasses.has(name)))
  const matches = (selector: string) => {
    const left = certain(selector)
    const parts = all(left, /\.(rt-[A-Z]\w*)/g)
    return (
      parts.every(part => classes.has(part)) &&
      all(left, /\.rt-variant-(\w+)/g).every(
        variant => quoted.has(variant) || !parts.length || parts.some(part => byDefault(part, variant)),
      ) &&
      isWritten(left) &&
      all(left, /\.-?(rt-(?:r-)?[a-z]+(?:-[a-z]+)*)(?=-\d|[^\w-]|$)/g).every(name => !unnamed.has(name))
    )
  }
  const written = new Map<string, Set<string> | undefined>()
  for (const { name, className } of properties) {
    const values = valuesOf(name, own, inside)
    const before = written.has(className) ? written.get(className) : new Set<string>()
    written.set(className, values && before && new Set([...before, ...values]))
  }
  /** `justify="between"` becomes the class of `space-between`. */
  const isWritten = (selector: string) =>
    [...selector.matchAll(/\.(-?)(rt-r-(?!size|variant)[a-z]+(?:-[a-z]+)*?)-(?:space-)?([a-z-]+|\d)(?![\w-])/g)].every(
      ([, minus, property = '', value]) =>
        !written.has(property) || (written.get(property)?.has(`${minus}${value}`) ?? true),
    )
  const isMore = (selector: string) => all(certain(selector), component).some(part => !first.has(part))
  return { matches, isMore, names: word => words.has(word) }
}
