import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { patchRadix } from './plugins.ts'

const require = createRequire(import.meta.url)
const names = ['focus-scope', 'roving-focus', 'menu', 'select', 'dialog', 'popover', 'toast', 'navigation-menu']

it.each(names)('react-%s is patched for shadow roots', name => {
  const file = require.resolve(`@radix-ui/react-${name}`).replace(/index\.js$/, 'index.mjs')
  const code = patchRadix(readFileSync(file, 'utf8'), file)
  expect(code).toMatch(/__deepActive\(|__hide\(/)
  expect(code.replace(/__deepActive = d => .*/, '')).not.toMatch(/(document\d?|ownerDocument)\.activeElement/)
})

it('refuses a release in which nothing matches any more', () => {
  expect(() => patchRadix('export const x = 1', 'react-menu/dist/index.mjs')).toThrow('react-menu')
})
