import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { root } from '../graph.ts'

it('the loader with 140 tags is below 1.5 kB', async () => {
  const tags = Array.from({ length: 140 }, (_, n) => `mkopo-some-system-${(n * 7919).toString(36)}-management`)
  const { outputFiles } = await build({
    stdin: {
      contents: `import { start } from './loader.ts'\nexport const watch = start(${JSON.stringify(tags)}, import.meta.url)`,
      resolveDir: `${root}core/element`,
    },
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    define: { 'process.env.MKOPO_VERSION': '"0.1.0-0123456789"' },
  })
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThan(1536)
})
