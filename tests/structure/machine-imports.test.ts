import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const sourcesOf = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map(file => `${dir}/${file}`)

it('lets nothing that a browser may load know every machine', () => {
  const files = [
    'core/contract',
    'core/client',
    'core/element',
    'core/engine',
    'core/ui',
    'core/widget',
    'portal',
    'widgets',
  ]
    .flatMap(sourcesOf)
    .filter(file => /rules\/machines\/(all-)?machines\.ts'/.test(readFileSync(file, 'utf8')))
  expect(files).toEqual([])
})
