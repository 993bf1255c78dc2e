import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'

it('the loader with 140 tags is below 1.5 kB', () => {
  const source = readFileSync(new URL('../core/element/loader.ts', import.meta.url), 'utf8')
  const tags = Array.from({ length: 140 }, (_, n) => `mkopo-some-system-${(n * 7919).toString(36)}-management`)
  const { code } = transformSync(`${source}\nstart(${JSON.stringify(tags)}, import.meta.url)`, {
    loader: 'ts',
    minify: true,
  })
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(1536)
})
