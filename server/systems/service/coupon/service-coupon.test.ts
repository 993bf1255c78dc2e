import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { customerOf } from '../../operation/coupon/coupon.facts.ts'
import { applied, asking, settingsOf } from './service-coupon.facts.ts'

const { serviceCoupon } = contract
let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const boss = () => ({ as: fixture.boss })
const second = () => ({ as: fixture.second })
const ask = async (change: Record<string, unknown> = {}) =>
  fixture.ask(serviceCoupon.apply, await asking(fixture, change), boss())
const decide = (applyNos: string[], as = second(), decision = 'approve') =>
  fixture.ask(serviceCoupon.decide, { applyNos, decision, ...(decision === 'reject' ? { auditRemark: 'no' } : {}) }, as)
const couponsOf = (applyNo: string) =>
  fixture.rows(
    sql<{
      faceAmount: string
      couponStatus: string
    }>`select face_amount, coupon_status from coupon where source_no = ${applyNo}`,
  )
type Decided = { ok: number; fail: number; rows: { code: number; msg: string }[] }
const rowsOf = async (answer: ReturnType<typeof decide>) => (await answer).data as Decided

describe('asking', () => {
  it('takes an amount within the settings, in whole shillings, and a reason that is long enough', async () => {
    expect((await ask({ faceAmount: '500.00' })).code).toBe(40001)
    expect((await ask({ faceAmount: '10001.00' })).code).toBe(40001)
    expect((await ask({ faceAmount: '5000.50' })).code).toBe(40001)
    expect((await ask({ reason: 'no' })).code).toBe(40001)
    expect((await ask({ couponCount: 6 })).code).toBe(40001)
    expect((await ask()).code).toBe(0)
  })

  it('service 9: ends with the last application of the day, the withdrawn ones counted', async () => {
    const serviceConfigNo = await settingsOf(fixture, { perAgentDaily: 2 })
    const one = async () => {
      const input = {
        customerNo: await customerOf(fixture),
        serviceConfigNo,
        faceAmount: '1000.00',
        couponCount: 1,
        reason: 'on the line',
      }
      return fixture.ask(serviceCoupon.apply, input, boss())
    }
    const first = await one()
    expect(first.data).toMatchObject({ applicationsLeft: 1 })
    const { applyNo } = first.data as { applyNo: string }
    expect((await fixture.ask(serviceCoupon.withdraw, { applyNo, version: 0 }, boss())).code).toBe(0)
    expect((await one()).data).toMatchObject({ applicationsLeft: 0 })
    expect(await one()).toMatchObject({ code: 40901, msg: text('en', 'errors.applicationsUsedUp') })
  })

  it('keeps to the budget of the month and to what a customer may have, waiting ones counted', async () => {
    const serviceConfigNo = await settingsOf(fixture, { monthlyBudget: '12000.00', perCustomer30Days: 3 })
    const customerNo = await customerOf(fixture)
    const one = (couponCount: number, of = customerNo) =>
      fixture.ask(
        serviceCoupon.apply,
        { customerNo: of, serviceConfigNo, faceAmount: '5000.00', couponCount, reason: 'on the line' },
        boss(),
      )
    expect((await one(2)).code).toBe(0)
    expect((await one(2)).msg).toBe(text('en', 'errors.couponRefused.customer_cap'))
    expect((await one(1)).msg).toBe(text('en', 'errors.couponRefused.budget'))
  })

  it('says for a customer what may be asked, and why not', async () => {
    const serviceConfigNo = await settingsOf(fixture, { perAgentDaily: 0 })
    const { data } = await fixture.ask(serviceCoupon.check, { customerNo: await customerOf(fixture) }, boss())
    expect(data).toMatchObject({ configs: [{ serviceConfigNo, refusal: 'used_up', applicationsLeft: 0 }] })
    expect((await fixture.ask(serviceCoupon.check, { phone: '256700000001' }, boss())).code).toBe(40401)
  })
})

describe('deciding', () => {
  it('service 10: is for somebody else, and gives exactly what was asked for, once', async () => {
    const applyNo = await applied(fixture)
    expect((await rowsOf(decide([applyNo], boss()))).rows).toMatchObject([
      { code: 40301, msg: text('en', 'errors.ownApplication') },
    ])
    expect(await rowsOf(decide([applyNo]))).toMatchObject({ ok: 1, fail: 0 })
    expect(await couponsOf(applyNo)).toEqual(
      Array.from({ length: 2 }, () => ({ faceAmount: '5000.00', couponStatus: 'waiting_used' })),
    )
    expect((await rowsOf(decide([applyNo]))).rows).toMatchObject([{ code: 40901 }])
    expect(await couponsOf(applyNo)).toHaveLength(2)
  })

  it('refuses the row whose budget is over meanwhile, and goes on with the others', async () => {
    const serviceConfigNo = await settingsOf(fixture, { monthlyBudget: '10000.00' })
    const of = async () => {
      const input = {
        customerNo: await customerOf(fixture),
        serviceConfigNo,
        faceAmount: '5000.00',
        couponCount: 1,
        reason: 'on the line',
      }
      return String(fixture.must((await fixture.ask(serviceCoupon.apply, input, boss())) as never)['applyNo' as never])
    }
    const nos = [await of(), await of()]
    await fixture.exec(
      sql`update cs_coupon_config set monthly_budget = 5000 where service_config_no = ${serviceConfigNo}`,
    )
    const { ok, rows } = await rowsOf(decide(nos))
    expect(ok).toBe(1)
    expect(rows.filter(row => row.code !== 0)).toMatchObject([
      { code: 40901, msg: text('en', 'errors.couponRefused.budget') },
    ])
    expect((await Promise.all(nos.map(couponsOf))).flat()).toHaveLength(1)
  })

  it('leaves nothing behind when it is rejected, and needs a reason', async () => {
    const applyNo = await applied(fixture)
    expect((await fixture.ask(serviceCoupon.decide, { applyNos: [applyNo], decision: 'reject' }, second())).code).toBe(
      40001,
    )
    expect(await rowsOf(decide([applyNo], second(), 'reject'))).toMatchObject({ ok: 1 })
    expect(await couponsOf(applyNo)).toEqual([])
  })
})

describe('the settings', () => {
  it('are in force once for a kind of coupon and a merchant', async () => {
    const first = await settingsOf(fixture)
    const { version, couponTemplateNo } = await fixture.one(
      sql<{
        version: number
        couponTemplateNo: string
      }>`select version, coupon_template_no from cs_coupon_config where service_config_no = ${first}`,
    )
    expect(version).toBe(1)
    const form = {
      configName: 'Twice',
      couponTemplateNo,
      merchantNos: ['M1'],
      amountFree: false,
      countMax: 1,
      perAgentDaily: 1,
      perCustomer30Days: 1,
      monthlyBudget: '0.00',
      minReasonLength: 0,
    }
    const { key } = fixture.must((await fixture.ask(serviceCoupon.save, form, boss())) as never) as unknown as {
      key: string
    }
    const answer = await fixture.ask(serviceCoupon.state, { serviceConfigNo: key, enabled: true, version: 0 }, boss())
    expect(answer).toMatchObject({ code: 40901, msg: text('en', 'errors.settingsExist') })
  })

  it('cannot have a budget below what is given and waits', async () => {
    const serviceConfigNo = await settingsOf(fixture)
    await applied(fixture, { serviceConfigNo })
    const item = fixture.must(
      (await fixture.ask(serviceCoupon.detail, { serviceConfigNo }, boss())) as never,
    ) as unknown as Record<string, unknown>
    const {
      configName,
      couponTemplateNo,
      merchantNos,
      amountFree,
      amountMin,
      amountMax,
      countMax,
      perAgentDaily,
      perCustomer30Days,
      minReasonLength,
      version,
    } = item
    const form = {
      configName,
      couponTemplateNo,
      merchantNos,
      amountFree,
      amountMin,
      amountMax,
      countMax,
      perAgentDaily,
      perCustomer30Days,
      minReasonLength,
    }
    const save = (monthlyBudget: string) =>
      fixture.ask(serviceCoupon.save, { ...form, serviceConfigNo, version, monthlyBudget }, boss())
    expect((await save('9999.00')).code).toBe(40001)
    expect((await save('10000.00')).code).toBe(0)
  })
})
