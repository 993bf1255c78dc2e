import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { pricings } from '../../../../core/contract/risk/pricing.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { cellsAt } from './price-fixture.ts'

const { pricing, common } = contract
const table = pricings.versionMachine?.table as string

type Version = { versionNo: string; version: number }
const newest = (fixture: Fixture, pricingNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from ${sql.table(table)} where pricing_no = ${pricingNo} order by created_time desc, version_no desc limit 1`)

let products = 0
/** A grid of a product of its own for each, so that no two are for the same. */
const added = async (fixture: Fixture, like = 'P1'): Promise<string> => {
  const productNo = `PR-${++products}`
  await fixture.exec(sql`insert into product (product_no, product_name, merchant_no, terms)
    select ${productNo}, product_name, merchant_no, terms from product where product_no = ${like}`)
  return String((await done(fixture, pricing.save, { productNo, loanKind: 'first', cells: cellsAt() })).key)
}

const submit = async (fixture: Fixture, pricingNo: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, pricingNo)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'cheaper for good payers', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, pricing.versionSubmit, input)).approvalNo)
}

/** A cap that warns of the price of the fixture product, or asks nothing. */
const warned = (fixture: Fixture, mode: 'warn' | 'enforce' | 'off') =>
  fixture.exec(sql`
    with c as (
      insert into legal_cap (cap_no, enabled, cap_key, created_time, updated_by, updated_time)
      values ('LC-W', 'enabled', 'interest_month', now(), 'U1', now()) on conflict do nothing returning cap_no),
    old as (select cap_no from c union select cap_no from legal_cap where cap_key = 'interest_month' and deleted_time is null)
    insert into legal_cap_version (version_no, version_status, cap_no, content, effective_time, superseded_time, maker_no, maker_name, created_time)
    select 'LV-W' || clock_timestamp(), ${mode === 'off' ? 'superseded' : 'effective'}, cap_no,
      jsonb_build_object('capValue', '2.8', 'capBase', 'principal', 'capMode', ${mode}::text, 'feeTreatment', 'interestOnly', 'legalSource', 'x'),
      '2024-11-15', ${mode === 'off' ? '2024-11-15' : null}::timestamptz, 'U1', 'Law', now() from old limit 1`)

const noLaw = (fixture: Fixture) => fixture.exec(sql`truncate legal_cap_version`)

export default facts({
  approvals: [
    { action: 'pricing.version', ask: async fixture => submit(fixture, await added(fixture)) },
    {
      action: 'pricing.versionStrict',
      ask: async fixture => {
        await warned(fixture, 'warn')
        const pricingNo = await added(fixture)
        const { versionNo, version } = await newest(fixture, pricingNo)
        const legalOpinionRef = 'LO 12/2026'
        await done(fixture, pricing.versionSave, { pricingNo, versionNo, version, cells: cellsAt(), legalOpinionRef })
        const approvalNo = await submit(fixture, pricingNo)
        await noLaw(fixture)
        return approvalNo
      },
    },
  ],
  lists: [
    {
      list: pricing.page,
      key: 'pricingNo',
      fill: async fixture => {
        const pricingNo = await added(fixture)
        await copied(fixture, 'product', `product_no = 'P1'`, `jsonb_build_object('product_no', 'PG-' || n)`)
        const changes = `jsonb_build_object(${prefixed('pricing_no')}, ${at('updated_time')}, 'product_no', 'PG-' || n, 'loan_kind', (array['first', 'repeat'])[1 + n % 2], 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'risk_pricing', `pricing_no = '${pricingNo}'`, changes)
      },
      // Nothing waits here.
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [
    {
      fields: ['pricingNo'],
      table: 'risk_pricing',
      key: 'pricing_no',
      make: (fixture, merchantNo) => added(fixture, merchantNo === 'M1' ? 'P1' : 'P2'),
      owners: sql`select x.pricing_no as no, p.merchant_no, null::text[] as holders from risk_pricing x join product p using (product_no)`,
      unheld: true,
    },
    {
      fields: ['versionNo'],
      table,
      key: 'version_no',
      make: async (fixture, merchantNo) =>
        (await newest(fixture, await added(fixture, merchantNo === 'M1' ? 'P1' : 'P2'))).versionNo,
      owners: sql`
        select v.version_no as no, p.merchant_no, null::text[] as holders from ${sql.table(table)} v join risk_pricing x using (pricing_no) join product p using (product_no)`,
      unheld: true,
    },
  ],
  ways: [
    way('a price version is sent back, taken back and changed until it is in force at once', async fixture => {
      const pricingNo = await added(fixture)
      const refused = await submit(fixture, pricingNo)
      await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'too dear' }, fixture.second)
      const saved = async () => {
        const { versionNo, version } = await newest(fixture, pricingNo)
        await done(fixture, pricing.versionSave, { pricingNo, versionNo, version, cells: cellsAt('0.9') })
      }
      await saved()
      await saved()
      const withdrawn = await submit(fixture, pricingNo)
      await done(fixture, common.withdraw, { approvalNo: withdrawn, version: 0 })
      await submit(fixture, pricingNo)
      await fixture.pass(73 * 60)
      await fixture.tick('approval.expire')
      await fixture.agree(await submit(fixture, pricingNo))
      await done(fixture, pricing.versionSave, { pricingNo, cells: cellsAt('0.8') })
      await fixture.agree(await submit(fixture, pricingNo))
    }),
    way('a price version is scheduled and cancelled', async fixture => {
      const pricingNo = await added(fixture)
      await fixture.agree(await submit(fixture, pricingNo, 1))
      const { versionNo, version } = await newest(fixture, pricingNo)
      await done(fixture, pricing.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
    }),
    way('a price version starts by the clock once no cap forbids it', async fixture => {
      const pricingNo = await added(fixture)
      await fixture.agree(await submit(fixture, pricingNo, 1))
      await warned(fixture, 'enforce')
      await fixture.pass(25 * 60)
      await fixture.tick('pricing.start')
      await noLaw(fixture)
      await fixture.tick('pricing.start')
    }),
  ],
  calls: [
    { call: pricing.save, about: 'a new grid; its product is asked for within reach in the test of the noun' },
    { call: pricing.check, about: 'computes with what it is given; its product is asked for within reach in the test' },
  ],
})
