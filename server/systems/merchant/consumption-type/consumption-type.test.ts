import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { consumptionTypes } from '../../../../core/contract/merchant/consumption-type.ts'
import { addDays, eatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { foldEvents, priceOn } from '../consumption/accrue.ts'
import { consume } from '../consumption/index.ts'
import { consumptionTypeModule } from './consumption-type.ts'

const { consumptionType, consumptionPrice, common } = contract
const typeName = { zh: '短信', en: 'SMS', sw: 'SMS' }

configSuite(consumptionTypes, {
  modules: [consumptionTypeModule()],
  before: tx => tx.exec(sql`drop index consumption_type_meter`),
  fresh: n => ({ typeCode: `sms-${n}`, meter: 'sms_part', typeName, unit: 'part', prepaidRequired: false }),
  changed: { unit: 'minute' },
  differs: 'unit',
})

let kit: Kit
let maker: Person
let checker: Person
const own = ['page', 'save', 'enable', 'delete', 'price'].map(one => `merchant:consumptionType:${one}`)
const ask = (call: never, input: object, as = maker) => kit.call(call, input as never, { as, language: 'en' })
const newType = async (input: object) =>
  ask(consumptionType.save as never, {
    typeCode: 'payouts',
    meter: 'payout',
    typeName,
    unit: 'payment',
    prepaidRequired: false,
    ...input,
  })

beforeAll(async () => {
  const module_ = consumptionTypeModule()
  kit = await openKit({ modules: [module_, approvalModule(module_.approvals ?? [])] })
  maker = await kit.person({ perms: own, name: 'Maker' })
  checker = await kit.person({ perms: [...own, 'merchant:consumptionType:price:check'], name: 'Checker' })
})
afterAll(() => kit.close())

describe('a type', () => {
  it('is one for each service', async () => {
    expect((await newType({})).code).toBe(0)
    expect((await newType({ typeCode: 'other' })).code).toBe(40001)
  })

  it('may have to be paid in advance, unless it is what customers are owed', async () => {
    expect((await newType({ typeCode: 'links', meter: 'repayment_link', prepaidRequired: true })).code).toBe(40001)
    const { data } = await newType({ typeCode: 'robots', meter: 'robot_call_minute', prepaidRequired: true })
    const found = async (filters: object) => {
      const { data: page } = await kit.call(consumptionType.page, filters as never, { as: maker })
      return page.list[0]
    }
    expect(await found({ prepaidRequired: true })).toMatchObject({
      typeNo: (data as { key: string }).key,
      prepaidRequired: true,
    })
    const payouts = await found({ meter: ['payout'] })
    const change = {
      typeNo: payouts?.typeNo,
      version: payouts?.version,
      typeName,
      unit: 'payment',
      prepaidRequired: true,
    }
    expect((await ask(consumptionType.save as never, change)).code).toBe(40001)
  })
})

describe('a price', () => {
  const at = (day: string, hour: number) => new Date(Date.parse(startOfEatDay(day)) + hour * 3_600_000).toISOString()
  const today = () => eatDate(kit.clock.now())
  const openOf = (priceNo: unknown) =>
    kit.db.read(tx =>
      tx.one(sql<{ versionNo: string; version: number }>`
        select version_no, version from consumption_price_version where price_no = ${priceNo} and version_status = 'draft'`),
    )
  const submit = async (priceNo: unknown, effectiveTime?: string) => {
    const input = { ...(await openOf(priceNo)), reason: 'yearly', ...(effectiveTime ? { effectiveTime } : {}) }
    return ask(consumptionPrice.versionSubmit as never, input)
  }
  const agreed = async (priceNo: unknown, effectiveTime?: string) => {
    const { data } = await submit(priceNo, effectiveTime)
    const { approvalNo } = data as unknown as { approvalNo: string }
    expect((await ask(common.approve as never, { approvalNo, version: 0 }, maker)).code).toBe(40301)
    expect((await ask(common.approve as never, { approvalNo, version: 0 }, checker)).code).toBe(0)
  }
  const enable = (priceNo: unknown, version: number) =>
    ask(consumptionPrice.state as never, { priceNo, enabled: true, version })

  it('begins with a business date, never in the past, and counts for the events of its day', async () => {
    const { data } = await newType({ typeCode: 'texts', meter: 'sms_part', unit: 'part' })
    const typeNo = (data as unknown as { key: string }).key
    await ask(consumptionType.state as never, { typeNo, enabled: true, version: 0 })
    const made = await ask(consumptionPrice.save as never, { typeNo, unitPrice: '30' })
    const priceNo = (made.data as unknown as { key: string }).key
    expect((await submit(priceNo, at(addDays(today(), 1), 5))).code).toBe(40001)
    expect((await submit(priceNo, at(addDays(today(), -1), 0))).code).toBe(40001)
    expect((await ask(consumptionPrice.save as never, { typeNo, unitPrice: '5' })).code).toBe(40001)
    await agreed(priceNo)
    expect((await enable(priceNo, 1)).code).toBe(0)
    await ask(consumptionPrice.versionSave as never, { priceNo, unitPrice: '32.5' })
    await agreed(priceNo, at(addDays(today(), 2), 0))
    const price = (date: string) => kit.db.read(tx => priceOn(tx, { typeNo, merchantNo: 'M1', date }))
    expect(await price(today())).toBeUndefined()
    expect(await price(addDays(today(), 1))).toMatchObject({ unitPrice: '30' })
    expect(await price(addDays(today(), 2))).toMatchObject({ unitPrice: '32.5' })
  })

  it('of a merchant goes before that for all; a type that is off charges nothing', async () => {
    const { list } = (await ask(consumptionType.page as never, { meter: ['sms_part'] })).data as unknown as {
      list: { typeNo: string; version: number }[]
    }
    const { typeNo, version } = list[0] as { typeNo: string; version: number }
    const made = await ask(consumptionPrice.save as never, { typeNo, merchantNo: 'M2', unitPrice: '20' })
    const priceNo = (made.data as unknown as { key: string }).key
    await agreed(priceNo)
    expect((await enable(priceNo, 1)).code).toBe(0)
    const day = addDays(today(), 1)
    const price = (merchantNo: string) => kit.db.read(tx => priceOn(tx, { typeNo, merchantNo, date: day }))
    expect(await price('M2')).toMatchObject({ unitPrice: '20' })
    expect(await price('M1')).toMatchObject({ unitPrice: '30' })
    const use = (subjectNo: string) =>
      kit.db.withTx(tx => consume(tx, { meter: 'sms_part', subjectNo, merchantNo: 'M1', quantity: 2 }))
    await use('MS1')
    expect((await ask(consumptionType.state as never, { typeNo, enabled: false, version })).code).toBe(0)
    await use('MS2')
    await kit.db.withTx(foldEvents)
    const charges = await kit.db.read(tx =>
      tx.rows(sql<{ charge: string }>`select charge from consumption_event order by event_no`),
    )
    expect(charges).toEqual([{ charge: 'charged' }, { charge: 'off' }])
  })
})
