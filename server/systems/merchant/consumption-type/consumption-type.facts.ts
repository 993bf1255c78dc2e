import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { consumptionPrices } from '../../../../core/contract/merchant/consumption-type.ts'
import { addDays, eatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { switched } from '../../../testing/proven.ts'

const { consumptionType, consumptionPrice, common } = contract
const table = consumptionPrices.versionMachine?.table as string

type Version = { versionNo: string; version: number }
const openVersion = (fixture: Fixture, priceNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where price_no = ${priceNo} and version_status in ('draft', 'rejected', 'scheduled') order by created_time desc limit 1`)

/** The type of a service: there is one for each, so a second call finds the first. */
export const typeOf = async (fixture: Fixture, meter = 'face_check'): Promise<string> => {
  const there = await fixture.rows(
    sql<{ no: string }>`select type_no as no from consumption_type where meter = ${meter} and deleted_time is null`,
  )
  if (there[0]) return there[0].no
  const input = {
    typeCode: `code-${meter}`,
    meter,
    typeName: { zh: '人脸', en: 'Face', sw: 'Uso' },
    unit: 'query',
    prepaidRequired: false,
  }
  return String((await done(fixture, consumptionType.save, input)).key)
}

let merchants = 0
/** A new price with its draft: of a merchant of its own, so that no two are for the same. */
const added = async (fixture: Fixture, merchantNo = `PX${++merchants}`): Promise<string> => {
  await fixture.exec(sql`
    insert into merchant (merchant_no, merchant_name, app_name, org_no, enabled) select ${merchantNo}, 'Priced ' || ${merchantNo}, app_name, org_no, 'enabled' from merchant where merchant_no = 'M1'
    on conflict do nothing`)
  const typeNo = await typeOf(fixture)
  return String((await done(fixture, consumptionPrice.save, { typeNo, merchantNo, unitPrice: '30' })).key)
}

const tomorrow = (fixture: Fixture) => startOfEatDay(addDays(eatDate(fixture.clock.now()), 1))
const submit = async (fixture: Fixture, priceNo: string, effectiveTime?: string): Promise<string> => {
  const { versionNo, version } = await openVersion(fixture, priceNo)
  const input = { versionNo, version, reason: 'agreed with finance', ...(effectiveTime ? { effectiveTime } : {}) }
  return String((await done(fixture, consumptionPrice.versionSubmit, input)).approvalNo)
}
const saved = async (fixture: Fixture, priceNo: string) => {
  const { versionNo, version } = await openVersion(fixture, priceNo)
  await done(fixture, consumptionPrice.versionSave, { priceNo, versionNo, version, unitPrice: '31.5' })
}

export default facts({
  approvals: [{ action: 'consumptionPrice.version', ask: async fixture => submit(fixture, await added(fixture)) }],
  lists: [
    {
      list: consumptionType.page,
      key: 'typeNo',
      of: 'company',
      first: true,
      fill: async fixture => {
        const no = await typeOf(fixture)
        const changes = `jsonb_build_object(${prefixed('type_no', 'type_code', 'meter')}, ${at('updated_time')}, 'meter', (array['bureau_query', 'call_minute', 'sms_part'])[1 + n % 3])`
        await fixture.exec(sql`drop index if exists consumption_type_meter`)
        await copied(fixture, 'consumption_type', `type_no = '${no}'`, changes)
      },
      means: {
        typeName: (row, words: string) =>
          [row.typeCode, ...Object.values(row.typeName as object)].some(one =>
            String(one).toLowerCase().includes(words.toLowerCase()),
          ),
      },
    },
    {
      list: consumptionPrice.page,
      key: 'priceNo',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('price_no')}, ${at('updated_time')}, 'merchant_no', 'PF' || n)`
        await fixture.exec(sql`
          insert into merchant (merchant_no, merchant_name, app_name, org_no, enabled) select 'PF' || n, 'Filled ' || n, app_name, org_no, 'enabled' from merchant, generate_series(1, 33) n where merchant_no = 'M1'`)
        await copied(fixture, 'consumption_price', `price_no = '${no}'`, changes)
      },
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    { fields: ['typeNo'], under: '/merchant/consumptionType', table: 'consumption_type', key: 'type_no', unheld: true },
    {
      fields: ['priceNo'],
      table: 'consumption_price',
      key: 'price_no',
      make: async (fixture, merchantNo) => {
        const [there] = await fixture.rows(
          sql<{
            no: string
          }>`select price_no as no from consumption_price where merchant_no = ${merchantNo} and deleted_time is null`,
        )
        return there?.no ?? added(fixture, merchantNo)
      },
      owners: sql`select price_no as no, merchant_no, null::text[] as holders from consumption_price where merchant_no is not null`,
      unheld: true,
    },
    {
      fields: ['versionNo'],
      under: '/merchant/consumptionType/price',
      table,
      key: 'version_no',
      make: async (fixture, merchantNo) => {
        const made = sql<{ no: string }>`
          select version_no as no from ${sql.table(table)} join consumption_price x using (price_no) where x.merchant_no = ${merchantNo} limit 1`
        return (await fixture.one(made)).no
      },
      owners: sql`
        select version_no as no, merchant_no, null::text[] as holders from ${sql.table(table)} join consumption_price using (price_no) where merchant_no is not null`,
      unheld: true,
    },
  ],
  ways: [
    way('a consumption price is sent back, taken back and changed until it is in force', async fixture => {
      const priceNo = await added(fixture)
      const refused = await submit(fixture, priceNo)
      await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'too dear' }, fixture.second)
      await saved(fixture, priceNo)
      await saved(fixture, priceNo)
      await done(fixture, common.withdraw, { approvalNo: await submit(fixture, priceNo), version: 0 })
      await submit(fixture, priceNo)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, priceNo))
      await done(fixture, consumptionPrice.versionSave, { priceNo, unitPrice: '32' })
      await fixture.agree(await submit(fixture, priceNo))
    }),
    way('a consumption price is scheduled and cancelled, and another one starts by the clock', async fixture => {
      const priceNo = await added(fixture)
      await fixture.agree(await submit(fixture, priceNo, tomorrow(fixture)))
      const { versionNo, version } = await openVersion(fixture, priceNo)
      const cancel = { versionNo, version, reason: 'not needed' }
      await done(fixture, consumptionPrice.versionCancel, cancel, fixture.second)
      await done(fixture, consumptionPrice.versionSave, { priceNo, unitPrice: '33' })
      await fixture.agree(await submit(fixture, priceNo, tomorrow(fixture)))
      const merchant = sql`(select merchant_no from consumption_price where price_no = ${priceNo})`
      await fixture.exec(sql`update merchant set enabled = ${switched('disabled')} where merchant_no = ${merchant}`)
      await fixture.pass(25 * 60)
      await fixture.tick('consumptionPrice.start')
      await fixture.exec(sql`update merchant set enabled = ${switched('enabled')} where merchant_no = ${merchant}`)
      await fixture.tick('consumptionPrice.start')
    }),
  ],
  calls: [
    ...Object.values(consumptionType)
      .filter(call => !('row' in call) && call !== consumptionType.simulate)
      .map(call => ({ call: call as Endpoint, about: 'what is charged is set for the company and read by all' })),
    {
      call: consumptionType.simulate,
      needs: () => ({ unitPrice: '40' }),
    },
    { call: consumptionPrice.save, about: 'a new price; one that there is changes by its versions' },
  ],
})
