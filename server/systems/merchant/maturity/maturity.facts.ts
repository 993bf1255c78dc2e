import { sql } from 'kysely'
import type { Holiday } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { maturities } from '../../../../core/contract/merchant/maturity.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'

const { maturity, businessConfig, common } = contract
const terms = { dueShift: 'none' as const, reminderPlan: [], extensionFromDay: -1, extensionToDay: 2 }
const table = maturities.versionMachine?.table as string

type Version = { versionNo: string; version: number; versionStatus: string }
const versionsOf = (fixture: Fixture, maturityNo: string) =>
  fixture.rows(sql<Version>`
    select version_no, version, version_status from ${sql.table(table)} where maturity_no = ${maturityNo} order by created_time desc, version_no desc`)

/** A new item with its draft: for all merchants, for one of them, or for one of its products. */
const added = async (fixture: Fixture, of: { merchantNo?: string; productNo?: string } = {}): Promise<string> =>
  String((await done(fixture, maturity.save, { ...terms, ...of })).key)

/** Sends the draft of an item to a second person. */
const submit = async (fixture: Fixture, maturityNo: string, days = 0): Promise<string> => {
  const [draft] = await versionsOf(fixture, maturityNo)
  const { versionNo, version } = draft as Version
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'agreed with the merchant', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, maturity.versionSubmit, input)).approvalNo)
}

let products = 0
/** A product of its own for each item, so that no two items are for the same. */
const ofProduct = async (fixture: Fixture): Promise<string> => {
  const productNo = `PW-${++products}`
  await fixture.exec(sql`insert into product (product_no, product_name, merchant_no, terms)
    select ${productNo}, product_name || ' ' || ${productNo}, merchant_no, jsonb_set(terms, '{extension,max}', '1') from product where product_no = 'P1'`)
  return added(fixture, { productNo })
}

/** The draft of a new item, sent to a second person. */
const submitted = async (fixture: Fixture): Promise<string> => submit(fixture, await ofProduct(fixture))

/** An item whose version begins tomorrow, and what stands in its way is there or not by then. */
const scheduled = async (fixture: Fixture): Promise<string> => {
  const maturityNo = await ofProduct(fixture)
  await fixture.agree(await submit(fixture, maturityNo, 1))
  return maturityNo
}
const saved = async (fixture: Fixture, maturityNo: string) => {
  const [open] = await versionsOf(fixture, maturityNo)
  const { versionNo, version } = open as Version
  await done(fixture, maturity.versionSave, { maturityNo, versionNo, version, ...terms, extensionToDay: 1 })
}

/** A holiday in a year, sent to a second person. */
const holiday = async (fixture: Fixture): Promise<string> => {
  const configKey = 'PUBLIC_HOLIDAYS' as const
  const held = fixture.must(await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }))
  const { version } = held
  const value = held.value as Holiday[]
  const date = addDays(eatDate(fixture.clock.now().toISOString()), 365 + value.length)
  const added = { date, name: { zh: '节日', en: 'Feast', sw: 'Sikukuu' }, closed: true }
  const input = { configKey, version, value: [...value, added] }
  return fixture.must(await fixture.call(businessConfig.update, input, { as: fixture.boss })).approvalNo
}

export default facts({
  approvals: [
    { action: 'maturity.version', ask: submitted },
    { action: 'businessConfig.PUBLIC_HOLIDAYS', ask: holiday },
  ],
  lists: [
    {
      list: maturity.page,
      key: 'maturityNo',
      fill: async fixture => {
        const maturityNo = await ofProduct(fixture)
        await copied(
          fixture,
          'product',
          `product_no = 'P1'`,
          `jsonb_build_object('product_no', 'PF-' || n, 'product_name', 'PF-' || n)`,
        )
        // Each is for a product of its own: no two rows are for the same.
        const changes = `jsonb_build_object(${prefixed('maturity_no')}, ${at('updated_time')}, 'merchant_no', 'M1', 'product_no', 'PF-' || n, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'maturity_config', `maturity_no = '${maturityNo}'`, changes)
      },
      // Nothing waits here.
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    {
      fields: ['maturityNo'],
      table: 'maturity_config',
      key: 'maturity_no',
      // A merchant has one item.
      make: async (fixture, merchantNo) => {
        const there = sql<{ no: string }>`
          select maturity_no as no from maturity_config where merchant_no = ${merchantNo} and product_no is null and deleted_time is null`
        const [made] = await fixture.rows(there)
        return made?.no ?? added(fixture, { merchantNo })
      },
      owners: sql`select maturity_no as no, merchant_no, null::text[] as holders from maturity_config where merchant_no is not null`,
      unheld: true,
    },
    {
      fields: ['versionNo'],
      under: '/merchant/maturity',
      table,
      key: 'version_no',
      make: async (fixture, merchantNo) => {
        const made = sql<{ no: string }>`
          select version_no as no from ${sql.table(table)} v join maturity_config x using (maturity_no) where x.merchant_no = ${merchantNo} and x.product_no is null`
        return (await fixture.one(made)).no
      },
      owners: sql`
        select version_no as no, merchant_no, null::text[] as holders from ${sql.table(table)} join maturity_config using (maturity_no) where merchant_no is not null`,
      unheld: true,
    },
  ],
  ways: [
    way('a maturity version is sent back, taken back and changed until it is in force at once', async fixture => {
      const maturityNo = await ofProduct(fixture)
      const refused = await submit(fixture, maturityNo)
      await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'too soon' }, fixture.second)
      await saved(fixture, maturityNo)
      await saved(fixture, maturityNo)
      const withdrawn = await submit(fixture, maturityNo)
      await done(fixture, common.withdraw, { approvalNo: withdrawn, version: 0 })
      await submit(fixture, maturityNo)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, maturityNo))
      await done(fixture, maturity.versionSave, { maturityNo, ...terms })
      await fixture.agree(await submit(fixture, maturityNo))
    }),
    way('a maturity version is scheduled and cancelled', async fixture => {
      const maturityNo = await scheduled(fixture)
      const [{ versionNo, version }] = (await versionsOf(fixture, maturityNo)) as [Version]
      await done(fixture, maturity.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
    }),
    way('a maturity version starts by the clock once nothing stands in its way', async fixture => {
      const maturityNo = await scheduled(fixture)
      const allow = (days: number) =>
        fixture.exec(sql`update product set terms = jsonb_set(terms, '{extension,maxOverdueDays}', ${String(days)}::jsonb)
          where product_no = (select product_no from maturity_config where maturity_no = ${maturityNo})`)
      await allow(0)
      await fixture.pass(25 * 60)
      await fixture.tick('maturity.start')
      await allow(30)
      await fixture.tick('maturity.start')
    }),
  ],
  calls: [
    { call: maturity.save, about: 'a new item; one that there is changes by its versions' },
    {
      call: maturity.preview,
      about: 'computes with what it is given; its product is asked for within reach in the test of the noun',
    },
    ...Object.values(businessConfig).map(call => ({ call: call as Endpoint, about: 'settings are ours' })),
  ],
})
