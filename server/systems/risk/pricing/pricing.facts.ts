import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { pricings } from '../../../../core/contract/risk/pricing.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { enforceCap } from '../legal-cap/cap-fixture.ts'
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
    select ${productNo}, product_name || ' ' || ${productNo}, merchant_no, terms from product where product_no = ${like}`)
  return String((await done(fixture, pricing.save, { productNo, loanKind: 'first', cells: cellsAt() })).key)
}

const ofMerchant = async (fixture: Fixture, merchantNo: string): Promise<string> => {
  const { no } = await fixture.one(
    sql<{
      no: string
    }>`select product_no as no from product where merchant_no = ${merchantNo} order by product_no limit 1`,
  )
  return added(fixture, no)
}

const submit = async (fixture: Fixture, pricingNo: string, days = 0): Promise<string> => {
  const { versionNo, version } = await newest(fixture, pricingNo)
  const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
  const input = { versionNo, version, reason: 'cheaper for good payers', ...(days ? { effectiveTime } : {}) }
  return String((await done(fixture, pricing.versionSubmit, input)).approvalNo)
}

export default facts({
  approvals: [
    { action: 'pricing.version', ask: async fixture => submit(fixture, await added(fixture)) },
    {
      action: 'pricing.versionStrict',
      ask: async fixture => {
        await enforceCap(fixture, 'interest_month', { capValue: '2.8', capMode: 'warn' })
        const pricingNo = await added(fixture)
        const { versionNo, version } = await newest(fixture, pricingNo)
        const legalOpinionRef = 'LO 12/2026'
        await done(fixture, pricing.versionSave, { pricingNo, versionNo, version, cells: cellsAt(), legalOpinionRef })
        const approvalNo = await submit(fixture, pricingNo)
        await enforceCap(fixture, 'interest_month', { capValue: '2.8', capMode: 'off' })
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
        await copied(
          fixture,
          'product',
          `product_no = 'P1'`,
          `jsonb_build_object('product_no', 'PG-' || n, 'product_name', 'PG-' || n)`,
        )
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
      make: (fixture, merchantNo) => ofMerchant(fixture, merchantNo),
      owners: sql`select x.pricing_no as no, p.merchant_no, null::text[] as holders from risk_pricing x join product p using (product_no)`,
      unheld: true,
    },
    {
      fields: ['versionNo'],
      under: '/price/version',
      table,
      key: 'version_no',
      make: async (fixture, merchantNo) => (await newest(fixture, await ofMerchant(fixture, merchantNo))).versionNo,
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
      await enforceCap(fixture, 'interest_month', { capValue: '2.8', capMode: 'enforce' })
      await fixture.pass(25 * 60)
      await fixture.tick('pricing.start')
      await enforceCap(fixture, 'interest_month', { capValue: '2.8', capMode: 'off' })
      await fixture.tick('pricing.start')
    }),
  ],
  calls: [
    { call: pricing.save, about: 'a new grid; its product is asked for within reach in the test of the noun' },
    { call: pricing.check, about: 'computes with what it is given; its product is asked for within reach in the test' },
  ],
})
