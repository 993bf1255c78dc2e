import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { endpoints } from '../../core/contract/contract.ts'
import { sample } from '../../core/contract/sample.ts'
import { root } from '../graph.ts'
import { sources } from '../sources.ts'
import { without, withoutUncalled } from './leave-out.ts'

const schemas = path.join(path.dirname(createRequire(import.meta.url).resolve('zod/v4')), 'classic/schemas.js')

/** The contract as a browser has it. */
const inBrowser = async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export { endpoints } from './core/contract/contract.ts'`, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'leave-out',
        setup: on =>
          on.onLoad({ filter: /zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ }, ({ path: file }) => ({
            contents: withoutUncalled(without(readFileSync(file, 'utf8'), file), file, sources()),
          })),
      },
    ],
  })
  const code = outputFiles[0]?.text ?? ''
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    endpoints: typeof endpoints
  }
  return module.endpoints
}

it('parses the whole contract as the server does, and knows no JSON schemas', async () => {
  const browser = await inBrowser()
  expect(browser.map(({ name }) => name)).toEqual(endpoints.map(({ name }) => name))
  expect(() => browser[0]?.endpoint.input.toJSONSchema()).toThrow('toJSONSchema is not a function')
  for (const [index, { endpoint, name }] of endpoints.entries()) {
    const theirs = browser[index]?.endpoint
    for (const side of ['input', 'output'] as const) {
      const good = sample(endpoint[side])
      expect(theirs?.[side].parse(good), name).toEqual(endpoint[side].parse(good))
      for (const bad of [{}, null, { ...(good as object), version: '?', list: 7 }]) {
        const codes = [theirs, endpoint].map(one =>
          one?.[side].safeParse(bad).error?.issues.map(({ code, path: at }) => [code, at]),
        )
        expect(codes[0], name).toEqual(codes[1])
      }
    }
  }
})

it('leaves out methods that nobody calls, and refuses a release whose methods it does not recognise', () => {
  const cut = withoutUncalled(readFileSync(schemas, 'utf8'), schemas, `${sources()} schema.nanoid()`)
  expect(cut).toMatch(/^ {4}optional\(/m)
  expect(cut).toMatch(/^ {4}nanoid\(/m)
  expect(cut).not.toMatch(/^ {4}cidrv6\(/m)
  expect(() => withoutUncalled('export const x = 1', schemas, '')).toThrow(schemas)
})

it('refuses a release in which a part is no longer found', () => {
  expect(without(readFileSync(schemas, 'utf8'), schemas)).not.toMatch(/processJSONSchema/)
  expect(() => without('export const x = 1', schemas)).toThrow(schemas)
  expect(without('export const x = 1', 'other.js')).toBe('export const x = 1')
})
