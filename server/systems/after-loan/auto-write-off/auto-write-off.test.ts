import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { autoWriteOffs } from '../../../../core/contract/after-loan/auto-write-off.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { autoWriteOffModule } from './auto-write-off.ts'

const { autoWriteOff } = contract
const limits = { shortfallLimit: '500.00', principalLimit: '200.00', autoPartial: true, autoExtension: true }
const codes = Object.values(autoWriteOffs.codes)

let kit: Kit
let boss: Person
beforeAll(async () => {
  kit = await openKit({ modules: [autoWriteOffModule()] })
  boss = await kit.person({ perms: codes })
})
afterAll(() => kit.close())

type Values = Record<string, unknown>
const save = (more: Values, as = boss) => kit.call(autoWriteOff.save, { ...limits, ...more } as never, { as })

// Items of the suite stand side by side in one place, which the index of places forbids.
const module_ = autoWriteOffModule()
configSuite(autoWriteOffs, {
  modules: [module_],
  before: tx => tx.exec(sql`drop index auto_write_off_config_place`),
  fresh: () => ({ ...limits, merchantNo: 'M1' }),
  changed: { shortfallLimit: '900.00' },
  differs: 'shortfallLimit',
})

describe('limits', () => {
  it.each([
    ['more principal than in all', { merchantNo: 'M1', principalLimit: '501.00' }, 'principalLimit'],
    ['more than a small settlement may forgive', { merchantNo: 'M1', shortfallLimit: '10000.01' }, 'shortfallLimit'],
    ['three decimals', { merchantNo: 'M1', shortfallLimit: '1.005' }, 'shortfallLimit'],
    ['a product of nobody', { productNo: 'P1' }, 'merchantNo'],
    ['a product of another merchant', { merchantNo: 'M1', productNo: 'P2' }, 'productNo'],
    ['an unknown merchant', { merchantNo: 'M9' }, 'merchantNo'],
    ['the place of another rule', {}, 'merchantNo'],
  ])('are refused with %s', async (_, more, field) => {
    expect(await save(more)).toMatchObject({ code: 40001, data: { fields: [{ path: field }] } })
  })

  it('for all merchants are headquarters’ to make, those of a merchant its people’s', async () => {
    const brand = await kit.person({ perms: codes, nature: 'merchant', merchants: ['M1'], limit: 'own_merchants' })
    expect((await save({}, brand)).code).toBe(40301)
    expect((await save({ merchantNo: 'M2' }, brand)).code).toBe(40001)
    expect((await save({ merchantNo: 'M1' }, brand)).code).toBe(0)
    const { list } = (await kit.call(autoWriteOff.page, { pageSize: 100 }, { as: brand })).data
    expect(list.map(row => row.merchantNo).sort()).toEqual(['M1', null])
  })
})
