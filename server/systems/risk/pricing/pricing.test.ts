import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { law } from '../../../testing/law.ts'
import { legalCapModule } from '../legal-cap/legal-cap.ts'
import { writeLegalCaps } from '../legal-cap/seed.ts'
import { cellsAt } from './price-fixture.ts'
import { pricingModule } from './pricing.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { pricing, legalCap, common } = contract
const [prices, caps] = [pricingModule(), legalCapModule()]
const own = ['page', 'save', 'enable', 'overCap'].map(action => `risk:pricing:${action}`)
const capsOwn = ['page', 'save'].map(action => `risk:legalCap:${action}`)
const checks = ['risk:pricing:save:check', 'risk:legalCap:save:check']

let kit: Kit
let maker: Person
let checker: Person
let lawyer: Person

const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const newestOf = async (pricingNo: unknown) => (await ask(pricing.versions, { pricingNo })).data.list[0] as Values
const submit = ({ versionNo, version }: Values, effectiveTime?: string) =>
  ask(pricing.versionSubmit, { versionNo, version, reason: 'As agreed', ...(effectiveTime ? { effectiveTime } : {}) })
const approve = (approvalNo: unknown, as = checker) => ask(common.approve, { approvalNo, version: 0 }, as)
let products = 0
/** A new grid of a product at the price of the notice: 8 % are taken up front. */
const grid = async (cells: Values[] = lawful(), ratePerDay = '0.1', loanKind = 'first') => {
  const productNo = `T${++products}`
  await exec(sql`
    insert into product (product_no, product_name, merchant_no, terms)
    select ${productNo}, 'Fair loan ' || ${productNo}, 'M1', terms || ${JSON.stringify({
      termDays: 14,
      interest: { method: 'flat', ratePerDay },
      serviceFee: { basis: 'rate', value: '8', taken: 'upfront' },
      lateFee: { ratePerDay: '1', capRate: '30' },
    })}::jsonb from product where product_no = 'P1'`)
  const { data, ...said } = await ask(pricing.save, { productNo, loanKind, cells })
  expect(said).toMatchObject({ code: 0 })
  return { productNo, pricingNo: data.key }
}
const lawful = (rate = '0.07', change: Values = {}) => cellsAt(rate, { serviceFeeValue: '8', ...change })
const notice = { capBase: 'advanced', feeTreatment: 'interestOnly', legalSource: 'Legal Notice 21 of 2024' }

beforeAll(async () => {
  kit = await openKit({
    handmade: true,
    modules: [prices, caps, approvalModule([...(prices.approvals ?? []), ...(caps.approvals ?? [])])],
  })
  maker = await kit.person({ perms: [...own, ...capsOwn], name: 'Maker' })
  checker = await kit.person({ perms: [...own, ...capsOwn, ...checks], name: 'Checker' })
  lawyer = await kit.person({ perms: [...own, 'risk:pricing:overCap:check'], name: 'Lawyer' })
  await kit.db.withTx(writeLegalCaps)
})
afterEach(async () => {
  await exec(law())
  await kit.db.withTx(writeLegalCaps)
})
afterAll(() => kit.close())

describe('a price grid', () => {
  it('is in force once a second person has agreed, and shows its dearest figures', async () => {
    const { productNo, pricingNo } = await grid()
    const asked = await submit(await newestOf(pricingNo))
    expect(asked, asked.msg).toMatchObject({ code: 0 })
    expect((await approve(asked.data.approvalNo, maker)).code).toBe(40301)
    expect((await approve(asked.data.approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
    const shown = {
      levelCount: 4,
      // 0.07 × 30 on what was paid out of 100, 8 of which are kept back
      interestMonthRate: '2.2827',
      verdict: 'ok',
    }
    expect((await ask(pricing.detail, { pricingNo })).data).toMatchObject(shown)
    expect((await ask(pricing.page, { productNo: [productNo] })).data.list).toMatchObject([shown])
  })

  it('risk 10: over the cap of a month is refused, by how much it is over', async () => {
    const { pricingNo } = await grid(lawful('0.1'))
    const refused = await submit(await newestOf(pricingNo))
    expect(refused).toMatchObject({ code: 40001 })
    expect(refused.msg).toContain('3.2609')
    expect(refused.msg).toContain('2.8')
    expect(await newestOf(pricingNo)).toMatchObject({ versionStatus: 'draft' })
  })

  it('outside of its product is refused: amounts, step, price', async () => {
    for (const [change, words] of [
      [{ amountMin: '40000.00' }, 'outside the product'],
      [{ amountMax: '105000.00', maxLimit: '600000.00' }, 'off its step'],
      [{ managementFeeValue: '2500.00' }, 'above that of the product'],
      [{ interestRateDay: '0.1001' }, 'above that of the product'],
    ] as [Values, string][]) {
      const { pricingNo } = await grid(lawful('0.07', change))
      expect((await submit(await newestOf(pricingNo))).msg).toContain(words)
    }
  })

  it('is typed with every level once and no quota over its limit', async () => {
    const { pricingNo } = await grid()
    const saved = (cells: Values[]) => ask(pricing.versionSave, { pricingNo, cells })
    for (const cells of [
      lawful().slice(1),
      [...lawful().slice(0, 3), lawful()[0] as Values],
      lawful('0.07', { initialLimit: '700000.00' }),
      lawful('0.07', { amountMax: '610000.00' }),
      lawful('0.07', { amountMin: '50000.50' }),
      lawful('0.07', { stepUpAfterSettled: 0 }),
    ])
      expect((await saved(cells)).code).toBe(40001)
  })

  it('that gets dearer says where the regulator was notified', async () => {
    const { pricingNo } = await grid()
    await approve((await submit(await newestOf(pricingNo))).data.approvalNo)
    await ask(pricing.versionSave, { pricingNo, cells: lawful('0.08') })
    expect((await submit(await newestOf(pricingNo))).msg).toContain('regulator')
    const { versionNo, version } = await newestOf(pricingNo)
    await ask(pricing.versionSave, { pricingNo, versionNo, version, cells: lawful('0.08'), regulatorRef: 'UMRA 7' })
    expect((await submit(await newestOf(pricingNo))).code).toBe(0)
  })

  it('over a cap that warns needs a legal opinion, and another second person', async () => {
    await exec(sql`truncate legal_cap_version`)
    await exec(sql`
      insert into legal_cap_version (version_no, version_status, cap_no, content, effective_time, maker_no, maker_name, created_time)
      select 'LV-T', 'effective', cap_no, ${JSON.stringify({ ...notice, capValue: '2', capMode: 'warn' })}::jsonb, '2024-11-15', 'U1', 'x', now()
      from legal_cap where cap_key = 'interest_month'`)
    const { pricingNo } = await grid()
    expect((await submit(await newestOf(pricingNo))).msg).toContain('legal opinion')
    const { versionNo, version } = await newestOf(pricingNo)
    await ask(pricing.versionSave, { pricingNo, versionNo, version, cells: lawful(), legalOpinionRef: 'LO 3' })
    const asked = await submit(await newestOf(pricingNo))
    expect(asked, asked.msg).toMatchObject({ code: 0 })
    expect((await approve(asked.data.approvalNo)).code).toBe(40301)
    expect((await approve(asked.data.approvalNo, lawyer)).data).toMatchObject({ approvalStatus: 'executed' })
  })

  it('is one for each product and kind, within reach of the caller', async () => {
    const { productNo } = await grid()
    expect((await ask(pricing.save, { productNo, loanKind: 'first', cells: lawful() })).code).toBe(40001)
    const ofTwo = await kit.person({ perms: own, merchants: ['M2'], limit: 'own_merchants' })
    expect((await ask(pricing.save, { productNo, loanKind: 'repeat', cells: lawful() }, ofTwo)).code).toBe(40001)
    expect((await ask(pricing.check, { productNo, cells: lawful() }, ofTwo)).code).toBe(40401)
    expect((await ask(pricing.page, { productNo: [productNo] }, ofTwo)).data.list).toEqual([])
  })
})

describe('questions about prices', () => {
  it('are answered as they are typed, with both figures of a broken cap', async () => {
    const { productNo } = await grid()
    const { data } = await ask(pricing.check, { productNo, cells: lawful('0.1') })
    expect(data.list[0]).toMatchObject({
      modelLevel: 'A',
      interestMonthRate: '3.2609',
      verdict: 'over',
      borrowed: '500000.00',
      arrives: '460000.00',
    })
    const dear = lawful().map(cell => (cell.modelLevel === 'B' ? { ...cell, interestRateDay: '0.09' } : cell))
    expect((await ask(pricing.check, { productNo, cells: dear })).data.dearerThanNext).toEqual(['B'])
    const unpaid = lawful('0.07', { amountMin: '1.00', amountMax: '0.50' })
    expect((await ask(pricing.check, { productNo, cells: unpaid })).data.list[0]).toMatchObject({
      problem: 'errors.priceAmountOutside',
    })
  })

  it('risk 11: name each price that a cap breaks from its day on, before it starts', async () => {
    const { pricingNo } = await grid()
    await approve((await submit(await newestOf(pricingNo))).data.approvalNo)
    await ask(pricing.state, {
      pricingNo,
      enabled: true,
      version: (await ask(pricing.detail, { pricingNo })).data.version,
    })
    expect((await ask(pricing.capWatch, {})).data.list).toEqual([])
    const { data } = await ask(legalCap.page, { capKey: ['interest_month'] })
    const { capNo } = data.list[0] as Values
    await ask(legalCap.versionSave, { capNo, ...notice, capValue: '2', capMode: 'enforce' })
    const [draft] = (await ask(legalCap.versions, { capNo })).data.list
    const { versionNo, version } = draft as Values
    expect((await ask(legalCap.effect, { versionNo })).data).toMatchObject({ cells: 4, grids: 1 })
    const effectiveTime = '2026-03-09T00:00:00+03:00'
    const asked = await ask(legalCap.versionSubmit, { versionNo, version, reason: 'Notice 3 of 2026', effectiveTime })
    await approve(asked.data.approvalNo)
    const watched = (await ask(pricing.capWatch, {})).data.list
    expect(watched.map(one => [one.modelLevel, one.capFrom, one.figure, one.verdict])).toEqual(
      ['A', 'B', 'C', 'D'].map(level => [level, '2026-03-09', '2.2827', 'over']),
    )
  })
})

describe('legal caps', () => {
  it('stay: they are neither disabled nor deleted, and there is one of each', async () => {
    const { data } = await ask(legalCap.page, {})
    expect(data.list.map(row => [row.capKey, row.capValue, row.capMode])).toEqual([
      ['default_charges', '50', 'warn'],
      ['interest_month', '2.8', 'enforce'],
      ['interest_year', '33.6', 'enforce'],
    ])
    const switcher = await kit.person({ perms: [...capsOwn, 'risk:legalCap:enable', 'risk:legalCap:delete'] })
    const { capNo, version } = data.list[0] as Values
    expect((await ask(legalCap.state, { capNo, enabled: false, version }, switcher)).code).toBe(40901)
    expect((await ask(legalCap.remove, { capNo, version }, switcher)).code).toBe(40901)
    const again = { capKey: 'interest_month', ...notice, capValue: '3', capMode: 'warn' }
    expect((await ask(legalCap.save, again)).code).toBe(40001)
    expect((await ask(legalCap.versionSave, { capNo, ...notice, capMode: 'off', capValue: '1000.1' })).code).toBe(40001)
  })
})
