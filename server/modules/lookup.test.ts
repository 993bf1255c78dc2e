import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { application, send } from '../testing/partner.ts'
import { intakeModule } from './intake.ts'
import { lookupModule } from './lookup.ts'

const { common } = contract
const perms = ['order:detail:view']

let kit: Kit
let orderNo: string
let thirdOrderNo: string

beforeAll(async () => {
  kit = await openKit({ modules: [intakeModule(), lookupModule()] })
  const body = application(71_000)
  thirdOrderNo = body.thirdOrderNo
  orderNo = (await send(kit, body)).data.orderNo
})
afterAll(() => kit.close())

const found = async (as: Person, text: string) =>
  (await kit.call(common.lookup, { text }, { as })).data?.list.map(one => one.orderNo)

describe('looking up a number', () => {
  it('finds an order by its own number in any case, by that of the merchant, and by nothing less', async () => {
    const someone = await kit.person({ perms })
    expect(await found(someone, orderNo)).toEqual([orderNo])
    expect(await found(someone, ` ${orderNo.toLowerCase()} `)).toEqual([orderNo])
    expect(await found(someone, thirdOrderNo)).toEqual([orderNo])
    expect(await found(someone, orderNo.slice(0, -1))).toEqual([])
    expect((await kit.call(common.lookup, { text: orderNo.slice(0, 5) }, { as: someone })).code).toBe(40001)
  })

  it('shows nothing outside of the data rules, and nothing to whoever may not open orders', async () => {
    const elsewhere = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    expect(await found(elsewhere, orderNo)).toEqual([])
    const nobody = await kit.person({ perms: [] })
    expect((await kit.call(common.lookup, { text: orderNo }, { as: nobody })).code).toBe(40301)
  })

  it('answers thirty a minute', async () => {
    const someone = await kit.person({ perms })
    for (let n = 0; n < 30; n++) expect(await found(someone, orderNo)).toEqual([orderNo])
    expect((await kit.call(common.lookup, { text: orderNo }, { as: someone })).code).toBe(42901)
  })
})
