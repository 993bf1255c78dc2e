import type { Plugin } from 'rollup'
import { sources } from '../sources.ts'

type Cut = { file: RegExp; parts: readonly (readonly [part: RegExp, instead: string])[] }

const cuts: readonly Cut[] = [
  {
    // zod: JSON schemas, parsers that it would compile (policies of pages forbid that), messages in English (ours are keys), values that contain themselves
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    parts: [
      [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
      [/^ *jsonSchema: \{\s+input: createStandardJSONSchemaMethod\([^}]*\},$/m, ''],
      [/^ *toJSONSchema\(params\) \{\s+return createToJSONSchemaMethod\(.*\s+\},$/m, ''],
      [/\$ZodObjectJIT\.init/, '$ZodObject.init'],
      [/^ *if \(!core\.globalConfig\.localeError\)\s+core\.config\(en\(\)\);$/m, ''],
      [/^ *if \(!core\.globalConfig\.memoizer\)\s+core\.config\(\{ memoizer: core\.memoizer\(\) \}\);$/m, ''],
    ],
  },
]

/**
 * The code of a module without what no browser asks of it; as it is where nothing is to be left out.
 * @throws when a part is no longer found: look at the new release before pinning it.
 */
export const without = (code: string, file: string): string =>
  cuts
    .filter(cut => cut.file.test(file))
    .flatMap(cut => cut.parts)
    .reduce((left, [part, instead]) => {
      const out = left.replace(part, instead)
      if (out === left) throw new Error(`${file} changed: ${part.source} is not found`)
      return out
    }, code)

/** Leaves out of zod what no browser asks of it: 12 kB compressed, with which the sign-in would pass its limit. zod's small entry has no methods to chain, as contracts do. */
export const leaveOut = (): Plugin => ({
  name: 'leave-out',
  transform(code, id) {
    const out = without(code, id.split('?')[0]!)
    return out === code ? null : { code: out, map: null }
  },
})

const schemas = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/
const method = /^ {4}(\w+)\([^)]*\) \{\n(?: {5,}.*\n)*? {4}\},\n/gm

/**
 * zod's schemas without the methods that neither they nor a source of ours calls: each would bring what it makes.
 * @throws when no method is recognised: look at the new release before pinning it.
 */
export const withoutUncalled = (code: string, file: string, own: string): string => {
  const called = new Set([...`${own}${code}`.matchAll(/\.(\w+)\(/g)].map(([, name]) => name))
  const out = code.replace(method, (text, name: string) => (called.has(name) ? text : ''))
  if (out === code) throw new Error(`${file} changed: its methods are not recognised`)
  return out
}

/** For builds only: while developing, the next edit may call what is not called yet. */
export const leaveOutUncalled = (): Plugin => ({
  name: 'leave-out-uncalled',
  transform: (code, id) =>
    schemas.test(id.split('?')[0]!) ? { code: withoutUncalled(code, id, sources()), map: null } : null,
})
