import type { Plugin } from 'rollup'

const schemas = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/

/** What no browser asks of zod: JSON schemas, messages in English (ours are keys), values that contain themselves. */
const unused: readonly RegExp[] = [
  /^ *inst\._zod\.processJSONSchema = .*;$/gm,
  /^ *jsonSchema: \{\s+input: createStandardJSONSchemaMethod\([^}]*\},$/m,
  /^ *toJSONSchema\(params\) \{\s+return createToJSONSchemaMethod\(.*\s+\},$/m,
  /^ *if \(!core\.globalConfig\.localeError\)\s+core\.config\(en\(\)\);$/m,
  /^ *if \(!core\.globalConfig\.memoizer\)\s+core\.config\(\{ memoizer: core\.memoizer\(\) \}\);$/m,
]

/** @throws when a part is no longer found: look at the new release of zod before pinning it. */
export const withoutUnused = (code: string, file: string): string =>
  unused.reduce((left, part) => {
    const out = left.replace(part, '')
    if (out === left) throw new Error(`${file} changed: ${part.source} is not found`)
    return out
  }, code)

/** zod as browsers need it: it parses. */
export const zodParses = (): Plugin => ({
  name: 'zod-parses',
  transform(code, id) {
    const file = id.split('?')[0]!
    return schemas.test(file) ? { code: withoutUnused(code, file), map: null } : null
  },
})
