import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { contentOf, isRaised, type ProductContent, termsOf } from '../../../../core/rules/product/product-terms.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { system } from '../../../rights/actor.ts'
import { fixtureTerms, type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { law } from '../../../testing/law.ts'
import { application, send } from '../../../testing/partner.ts'
import { createPlans } from '../../after-loan/repayment/plan.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { planInForce } from '../../risk/plan/index.ts'
import { writeBasePlans } from '../../risk/plan/seed.ts'
import { cellsAt } from '../../risk/pricing/price-fixture.ts'
import { pricingModule } from '../../risk/pricing/pricing.ts'
import { productModules } from './product.ts'
import { productTerms } from './product-fixture.ts'
import { writeProductVersions } from './seed.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
const { product, productNew, pricing, common } = contract
const modules = [...productModules(), pricingModule()]
const own = (area: string) => ['page', 'save', 'enable', 'delete'].map(action => `${area}:${action}`)
const checks = (area: string) => ['save:check', 'enable:check', 'page'].map(action => `${area}:${action}`)

let kit: Kit
let maker: Person
let checker: Person

const ask = async (endpoint: unknown, input: Values, as = maker) =>
  (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const one = async <T>(query: ReturnType<typeof sql<T>>) => (await kit.db.read(tx => tx.rows(query)))[0] as T
const newest = async (productNo: unknown) => (await ask(product.versions, { productNo })).data.list[0] as Values
const submit = ({ versionNo, version }: Values, effectiveTime?: string) =>
  ask(product.versionSubmit, { versionNo, version, reason: 'As agreed', ...(effectiveTime ? { effectiveTime } : {}) })
const approve = (approvalNo: unknown, as = checker) => ask(common.approve, { approvalNo, version: 0 }, as)
let made = 0
const fresh = async (change: Partial<ProductContent> = {}) => {
  const input = { productName: `Boda ${++made}`, merchantNo: 'M1', ...productTerms(change) }
  const answer = await ask(product.save, input)
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  return String(answer.data.key)
}
const agree = async (productNo: string, effectiveTime?: string) => {
  const asked = await submit(await newest(productNo), effectiveTime)
  expect(asked, asked.msg).toMatchObject({ code: 0 })
  expect((await approve(asked.data.approvalNo)).data).toMatchObject({ approvalStatus: 'executed' })
}
/** A product in force that takes applications. */
const open = async (change: Partial<ProductContent> = {}) => {
  const productNo = await fresh(change)
  await agree(productNo)
  const { version } = (await ask(product.detail, { productNo })).data
  const { data } = await ask(product.state, { productNo, enabled: true, version })
  await approve(data.approvalNo)
  return productNo
}
const startDue = () =>
  kit.db.withTx(async tx => {
    for (const job of modules.flatMap(module => module.scheduled ?? [])) await job.run(tx, { date: tx.today })
  })
type Applied = { orderNo: string; productVersionNo: string; terms: typeof fixtureTerms; loanAmount: string }
let sent = 70_000
const apply = async (productNo: string) => {
  const { code, data } = await send(kit, application(++sent, { productNo, loanAmount: '200000.00' }))
  expect(code).toBe(0)
  return one<Applied>(sql`select * from loan_order where order_no = ${data.orderNo}`)
}
/** The plan of an order, booked as if it were paid out today. */
const booked = async (orderNo: string) => {
  const order = await one<never>(sql`select * from loan_order where order_no = ${orderNo}`)
  const payout = { payoutDate: eatDate(kit.clock.now()), rule: { shift: 'none' as const, closed: [] } }
  await kit.db.withTx(tx => createPlans(tx, order, payout, system('test')))
  return kit.db.read(tx =>
    tx.rows<Values>(sql`
      select installment_no, due_date, principal_due as principal, interest_due as interest, service_fee_due as service_fee, management_fee_due as management_fee
      from repay_plan where order_no = ${orderNo} order by installment_no`),
  )
}

/** Time passes; the sessions of the people are over by then. */
const pass = async (milliseconds: number) => {
  kit.clock.advance(milliseconds)
  await signIn()
  await startDue()
}
const both = ['operation:product', 'operation:productNew']
const signIn = async () => {
  maker = await kit.person({ perms: [...both.flatMap(own), 'risk:pricing:page', 'risk:pricing:save'], name: 'Maker' })
  checker = await kit.person({ perms: [...both.flatMap(checks), 'risk:pricing:save:check'], name: 'Checker' })
}

beforeAll(async () => {
  kit = await openKit({
    handmade: true,
    modules: [...modules, intakeModule(), approvalModule(modules.flatMap(one => one.approvals ?? []))],
  })
  await signIn()
})
beforeEach(() => exec(law({ capKey: 'interest_month', capValue: '2.8' })))
afterEach(() => exec(law()))
afterAll(() => kit.close())

describe('terms and what is typed for them', () => {
  it('are the same, there and back, on both tracks', () => {
    expect(termsOf('stage', contentOf(fixtureTerms))).toEqual(fixtureTerms)
    const single = productTerms({ extensionMaxOverdueDays: 5, autoApproveMax: '100000.00' })
    expect(contentOf(termsOf('case', single))).toEqual(single)
  })

  it('rise by a higher price or another base, and not by a lower one', () => {
    const before = productTerms()
    expect(isRaised(productTerms({ interestRateDay: '0.0701' }), before)).toBe(true)
    expect(isRaised(productTerms({ serviceFeeMode: 'amount', serviceFeeValue: '1' }), before)).toBe(true)
    expect(isRaised(productTerms({ interestRateDay: '0.06', maxAmount: '600000.00' }), before)).toBe(false)
  })

  it.each([
    [{ term: 0 }, 'term'],
    [{ minAmount: '600000.00' }, 'maxAmount'],
    [{ amountStep: '30000.00' }, 'amountStep'],
    [{ serviceFeeMode: 'amount', serviceFeeValue: '50000' }, 'serviceFeeValue'],
    [{ serviceFeeValue: '101' }, 'serviceFeeValue'],
    [{ interestRateDay: '0.00001' }, 'interestRateDay'],
    [{ extensionDays: 0 }, 'extensionDays'],
    [{ allocationOrder: [{ component: 'interest' }] }, 'allocationOrder'],
    [{ minAmount: '50000.50' }, 'minAmount'],
  ] as [Partial<ProductContent>, string][])('%j is refused at its field', async (change, path) => {
    const input = { productName: `Wrong ${++made}`, merchantNo: 'M1', ...productTerms(change) }
    const { code, data } = await ask(product.save, input)
    expect(code).toBe(40001)
    expect((data as unknown as { fields: Values[] }).fields.map(one => String(one.path).split('.')[0])).toContain(path)
  })

  it('of instalments divide the days', async () => {
    const input = { productName: `Awamu ${++made}`, merchantNo: 'M1' }
    const refused = await ask(productNew.save, { ...input, ...productTerms({ term: 60, installmentCount: 7 }) })
    expect(refused.code).toBe(40001)
    expect((await ask(productNew.save, { ...input, ...productTerms({ term: 60, installmentCount: 4 }) })).code).toBe(0)
    expect((await ask(product.save, { ...input, ...productTerms({ installmentCount: 2 }) })).code).toBe(40001)
  })
})

describe('a product', () => {
  it('operation 1: takes applications once two people agreed to its terms and to open it', async () => {
    const productNo = await fresh()
    const { version } = (await ask(product.detail, { productNo })).data
    expect((await ask(product.state, { productNo, enabled: true, version })).msg).toContain('no terms in force')
    expect((await send(kit, application(++sent, { productNo }))).code).toBe(40001)
    const asked = await submit(await newest(productNo))
    expect((await approve(asked.data.approvalNo, maker)).code).toBe(40301)
    await approve(asked.data.approvalNo)
    expect((await send(kit, application(++sent, { productNo }))).code).toBe(40001)
    const now = (await ask(product.detail, { productNo })).data
    expect(now).toMatchObject({ verdict: 'ok', interestMonthRate: '2.2827', term: 14, openOrderCount: 0 })
    const turn = await ask(product.state, { productNo, enabled: true, version: now.version })
    await approve(turn.data.approvalNo)
    const { terms, productVersionNo } = await apply(productNo)
    expect(terms).toEqual(termsOf('case', productTerms()))
    expect(productVersionNo).toBe((await newest(productNo)).versionNo)
    expect((await ask(product.detail, { productNo })).data.openOrderCount).toBe(1)
  })

  it('operation 14: is shown on its own track alone, and to those alone who hold its codes', async () => {
    const productNo = await fresh()
    expect((await ask(productNew.detail, { productNo })).code).toBe(40401)
    expect((await ask(productNew.versionSave, { productNo, ...productTerms({ installmentCount: 2 }) })).code).toBe(
      40401,
    )
    const other = await kit.person({ perms: own('operation:productNew') })
    expect((await ask(product.page, {}, other)).code).toBe(40301)
    const ofTwo = await kit.person({ perms: own('operation:product'), merchants: ['M2'], limit: 'own_merchants' })
    expect((await ask(product.detail, { productNo }, ofTwo)).code).toBe(40401)
    const input = { productName: 'Elsewhere', merchantNo: 'M1', ...productTerms() }
    expect((await ask(product.save, input, ofTwo)).code).toBe(40001)
  })

  it('operation 14: answers every call of its screen with 40301 to who holds none of its codes', async () => {
    const other = await kit.person({ perms: own('operation:productNew') })
    for (const [name, call] of Object.entries(product))
      if (String(call.perm ?? '').startsWith('operation:product:'))
        expect([name, (await kit.call(call as never, {} as never, { as: other })).code]).toEqual([name, 40301])
  })

  it('operation 1: over an enforced cap is refused, naming the cap, its day and both rates', async () => {
    const productNo = await fresh({ interestRateDay: '0.1' })
    const refused = await submit(await newest(productNo))
    expect(refused.code).toBe(40001)
    for (const part of ['Interest per month', '3%', '2.8', '2024-11-15']) expect(refused.msg).toContain(part)
    expect(await newest(productNo)).toMatchObject({ versionStatus: 'draft' })
  })

  it('that gets dearer says where the regulator was notified; one that gets cheaper need not', async () => {
    const productNo = await open()
    const save = (change: Values) => ask(product.versionSave, { productNo, ...productTerms(), ...change })
    await save({ lateFeeValue: '1.5' })
    expect((await submit(await newest(productNo))).msg).toContain('regulator')
    const { versionNo, version } = await newest(productNo)
    await save({ versionNo, version, lateFeeValue: '1.5', regulatorRef: 'UMRA 12' })
    await agree(productNo)
    await save({ interestRateDay: '0.05' })
    await agree(productNo)
    expect((await ask(product.detail, { productNo })).data).toMatchObject({
      interestRateDay: '0.05',
      lateFeeValue: '1',
    })
  })

  it('does not start in the past', async () => {
    const productNo = await fresh()
    const past = new Date(kit.clock.now().getTime() - 60_000).toISOString()
    expect((await submit(await newest(productNo), past)).code).toBe(40001)
  })

  it('keeps its terms above the prices by level that are in force', async () => {
    const productNo = await open()
    const cells = cellsAt('0.07', { serviceFeeValue: '8', maxLimit: '500000.00' })
    const { key } = (await ask(pricing.save, { productNo, loanKind: 'first', cells })).data
    const [grid] = (await ask(pricing.versions, { pricingNo: key })).data.list as [Values]
    const asked = await ask(pricing.versionSubmit, { versionNo: grid.versionNo, version: 0, reason: 'Prices' })
    await approve(asked.data.approvalNo)
    await exec(sql`select set_config('app.transition', 'on', true)`)
    await kit.db.withTx(async tx => {
      await tx.exec(sql`select set_config('app.transition', 'on', true)`)
      await tx.exec(sql`update risk_pricing set enabled = 'enabled' where pricing_no = ${key}`)
    })
    await ask(product.versionSave, { productNo, ...productTerms({ interestRateDay: '0.06' }) })
    expect((await submit(await newest(productNo))).msg).toContain('change the risk pricing first')
  })

  it('is copied to other merchants as drafts, each said by itself', async () => {
    const productNo = await open()
    const input = { productNo, productName: `Copied ${++made}`, merchantNos: ['M2', 'M9'] }
    const { data } = await ask(product.copy, input)
    expect(data).toMatchObject({ ok: 1, fail: 1 })
    const [copied] = (await ask(product.page, { productName: input.productName })).data.list as [Values]
    expect(copied).toMatchObject({ merchantNo: 'M2', enabled: 'disabled', nextStatus: 'draft', term: null })
  })
})

describe('a new price at midnight', () => {
  it('operation 2: is that of orders made from then on; those before keep the version they were shown', async () => {
    const productNo = await open()
    const before = await apply(productNo)
    await ask(product.versionSave, { productNo, ...productTerms({ interestRateDay: '0.05' }) })
    const midnight = '2026-03-02T21:00:00.000Z'
    await agree(productNo, midnight)
    const late = await apply(productNo)
    const moved = Date.parse(midnight) - kit.clock.now().getTime()
    await pass(moved + 1_000)
    const after = await apply(productNo)
    expect([before, late, after].map(order => order.terms.interest.ratePerDay)).toEqual(['0.07', '0.07', '0.05'])
    expect(before.productVersionNo).toBe(late.productVersionNo)
    expect(after.productVersionNo).toBe((await newest(productNo)).versionNo)
    const again = await one<Values>(
      sql`select terms, product_version_no from loan_order where order_no = ${late.orderNo}`,
    )
    expect(again).toEqual({ terms: late.terms, productVersionNo: late.productVersionNo })
  })

  it('operation 2: orders that arrive while it starts are each of one version as a whole, and booked as the simulator said', async () => {
    const old = productTerms({ interestRateDay: '0.0633', managementFeeMode: 'rate', managementFeeValue: '1.33' })
    const next = { ...old, interestRateDay: '0.0517', serviceFeeValue: '7.77' }
    const productNo = await open(old)
    await ask(product.versionSave, { productNo, ...next })
    const inForce = await one<{ no: string }>(
      sql`select version_no as no from product_version where product_no = ${productNo} and version_status = 'effective'`,
    )
    const midnight = '2026-03-03T21:00:00.000Z'
    await agree(productNo, midnight)
    const planned = (await newest(productNo)).versionNo
    const early = await apply(productNo)
    kit.clock.advance(Date.parse(midnight) - kit.clock.now().getTime())
    await signIn()
    const first = Array.from({ length: 12 }, () => apply(productNo))
    const starts = startDue()
    const orders = await Promise.all([...first, ...Array.from({ length: 12 }, () => apply(productNo))])
    await starts
    const late = await apply(productNo)
    for (const { productVersionNo, terms } of [early, ...orders, late])
      expect(terms).toEqual(termsOf('case', productVersionNo === planned ? next : old))
    const simulated = async (draft: object, amount: string) =>
      (await ask(product.preview, { draft, amount })).data.bills as unknown as Values[]
    expect([early.productVersionNo, late.productVersionNo]).toEqual([inForce.no, planned])
    expect(await simulated(old, '200000.00')).toMatchObject(await booked(early.orderNo))
    expect(await simulated(next, '200000.00')).toMatchObject(await booked(late.orderNo))
  })

  it('stays scheduled while a cap that was set meanwhile forbids it', async () => {
    const productNo = await open()
    await ask(product.versionSave, { productNo, ...productTerms({ interestRateDay: '0.06' }) })
    await agree(productNo, new Date(kit.clock.now().getTime() + 3_600_000).toISOString())
    await exec(law())
    await exec(law({ capKey: 'interest_month', capValue: '1' }))
    await pass(3_700_000)
    expect(await newest(productNo)).toMatchObject({ versionStatus: 'scheduled', startFault: expect.any(String) })
    expect((await apply(productNo).catch(() => null)) === null).toBe(true)
  })
})

describe('the simulator', () => {
  it('answers the plan that is booked, to the shilling', async () => {
    const terms = productTerms({ managementFeeMode: 'rate', managementFeeValue: '1.33', interestRateDay: '0.0633' })
    const productNo = await open(terms)
    const { data } = await ask(product.preview, { draft: terms, amount: '200000.00' })
    const order = await apply(productNo)
    const { actualLoanAmount } = await one<Values>(
      sql`select actual_loan_amount from loan_order where order_no = ${order.orderNo}`,
    )
    expect(data.bills).toMatchObject(await booked(order.orderNo))
    expect(data.actualLoanAmount).toBe(actualLoanAmount)
  })

  it('says the cap that is broken, and refuses amounts that the product does not lend', async () => {
    const draft = productTerms({ interestRateDay: '0.1' })
    const { data } = await ask(product.preview, { draft, amount: '200000.00' })
    expect(data).toMatchObject({ verdict: 'over', caps: [{ capKey: 'interest_month', verdict: 'over' }] })
    expect(Object.keys(data.costSummary as Values)).toEqual(['zh', 'en', 'sw'])
    expect((await ask(product.preview, { draft, amount: '205000.00' })).code).toBe(40001)
    expect((await ask(product.preview, { draft: { ...draft, term: 0 }, amount: '200000.00' })).code).toBe(40001)
  })
})

it('products that an installation wrote get a first version in force, once', async () => {
  await kit.db.withTx(writeProductVersions)
  await kit.db.withTx(writeProductVersions)
  const { n } = await one<{ n: number }>(
    sql`select count(*)::int as n from product_version where product_no in ('P1', 'P2') and version_status = 'effective'`,
  )
  expect(n).toBe(2)
})

it('a product has plans for both kinds of loan from its start on, once others have them', async () => {
  const plansOf = (productNo: string) =>
    kit.db.read(async tx => {
      const [first, repeat] = [
        await planInForce(tx, { productNo, loanKind: 'first' }),
        await planInForce(tx, { productNo, loanKind: 'repeat' }),
      ]
      return [first?.planVersionNo, repeat?.planVersionNo]
    })
  const before = await open()
  expect(await plansOf(before)).toEqual([null, null])
  await kit.db.withTx(writeBasePlans)
  const after = await open()
  const planned = ['first', 'repeat'].map(kind => `PL-${after}-${kind}-1`)
  expect(await plansOf(after)).toEqual(planned)
  // Another version of its terms leaves them as they are.
  await ask(product.versionSave, { productNo: after, ...productTerms({}) })
  await agree(after)
  expect(await plansOf(after)).toEqual(planned)
})
