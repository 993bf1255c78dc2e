import type { Plugin } from 'rollup'

type Cut = { file: RegExp; parts: readonly (readonly [part: RegExp, instead: string])[] }

const cuts: readonly Cut[] = [
  {
    // zod: JSON schemas, messages in English (ours are keys), values that contain themselves
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    parts: [
      [/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''],
      [/^ *jsonSchema: \{\s+input: createStandardJSONSchemaMethod\([^}]*\},$/m, ''],
      [/^ *toJSONSchema\(params\) \{\s+return createToJSONSchemaMethod\(.*\s+\},$/m, ''],
      [/^ *if \(!core\.globalConfig\.localeError\)\s+core\.config\(en\(\)\);$/m, ''],
      [/^ *if \(!core\.globalConfig\.memoizer\)\s+core\.config\(\{ memoizer: core\.memoizer\(\) \}\);$/m, ''],
    ],
  },
  {
    // Radix Themes: every theme provides for tooltips; ours bring that themselves
    file: /[\\/]@radix-ui[\\/]themes[\\/]dist[\\/]esm[\\/]components[\\/]theme\.js$/,
    parts: [[/(\w+)\.createElement\(\w+\.Provider,\{delayDuration:\d+\},/, '$1.createElement($1.Fragment,null,']],
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

/** Leaves out of libraries what no browser asks of them. */
export const leaveOut = (): Plugin => ({
  name: 'leave-out',
  transform(code, id) {
    const out = without(code, id.split('?')[0]!)
    return out === code ? null : { code: out, map: null }
  },
})
