import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The text of everything that can run in a browser, stories included. */
export const sources = (): string =>
  ['core', 'portal', 'stories', 'widgets']
    .map(dir => fileURLToPath(new URL(`../${dir}/`, import.meta.url)))
    .flatMap(dir =>
      readdirSync(dir, { recursive: true, encoding: 'utf8' })
        .filter(file => /\.(tsx?|css)$/.test(file))
        .map(file => readFileSync(dir + file, 'utf8')),
    )
    .join('\n')
