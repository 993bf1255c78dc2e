import { expect, it } from 'vitest'
import { refuseMixture } from './state.ts'

it.each([
  ['an empty database in production', { isEmpty: true, demo: null }, false],
  ['people of a lender in production', { isEmpty: false, demo: null }, false],
  ['an empty database in a demo', { isEmpty: true, demo: null }, true],
  ['demo data in a demo', { isEmpty: false, demo: 'made' }, true],
] as const)('lets %s be', (_, held, asDemo) => {
  expect(() => refuseMixture(held, asDemo)).not.toThrow()
})

it.each([
  ['finished', { isEmpty: false, demo: 'made' }],
  ['half made', { isEmpty: true, demo: 'making' }],
] as const)('keeps demo data from production: %s', (_, held) => {
  expect(() => refuseMixture(held, false)).toThrow(/holds demo data.*Set DATABASE_URL.*or set MKOPO_DEMO=1/)
})

it('keeps the published keys of a demo from the data of a lender', () => {
  expect(() => refuseMixture({ isEmpty: false, demo: null }, true)).toThrow(/holds no demo data.*Set MKOPO_DEMO=0/)
})
