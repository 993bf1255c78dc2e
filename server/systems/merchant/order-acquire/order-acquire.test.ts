import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { acquireRules } from '../../../../core/contract/merchant/order-acquire.ts'
import type { Application } from '../../../../core/contract/order/intake.ts'
import { eatDate, eatDateTime } from '../../../../core/rules/time.ts'
import { isFull } from '../../../../tests/sizes.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, type Sent, send } from '../../../testing/partner.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { ruleInput } from './order-acquire.facts.ts'
import { orderAcquireModule } from './order-acquire.ts'

type Values = Record<string, unknown>
const { orderAcquire } = contract
const codes = [...Object.values(acquireRules.codes), 'merchant:orderAcquire:replay', 'merchant:orderAcquire:export']

configSuite(acquireRules as never, {
  modules: [orderAcquireModule()],
  fresh: () => ruleInput(),
  changed: { dailyCap: 7 },
  differs: 'dailyCap',
})

describe('order intake', () => {
  let kit: Kit
  let boss: Person
  let today: string
  let seed = 200_000
  const ask = async (endpoint: unknown, input: Values, as = boss) =>
    (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as {
      code: number
      msg: string
      data: Values & { list: Values[]; rows: Values[]; checkSteps: Values[] }
    }
  const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
  const write = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
  const rule = async (change: Values = {}) =>
    String((await ask(orderAcquire.save, ruleInput('M1', { incomingChannel: 'app', ...change }))).data.key)
  const body = (change: Partial<Application> = {}) => application(++seed, { incomingChannel: 'app', ...change })
  const sent = (change: Partial<Application> = {}, o: Sent = {}) => send(kit, body(change), o)
  const codeOf = (answer: unknown) => {
    const { code, data } = answer as { code: number; data: { intakeCode?: string } | null }
    return code === 0 ? '0' : data?.intakeCode
  }
  const log = async (filters: Values = {}) => (await ask(orderAcquire.log, filters)).data.list
  const minuteOf = (shift: number) => eatDateTime(new Date(kit.clock.now().getTime() + shift * 60_000)).slice(11, 16)

  beforeAll(async () => {
    kit = await openKit({ modules: [orderAcquireModule(), intakeModule()] })
    boss = await kit.person({ perms: codes, name: 'Boss' })
    today = eatDate(kit.clock.now())
  })
  beforeEach(async () => {
    await write(sql`update acquire_rule set deleted_time = ${kit.clock.now()} where deleted_time is null`)
  })
  afterAll(() => kit.close())

  it('merchant 1: takes as many as the cap says out of a burst, and answers 106 to the others', async () => {
    const [orders, dailyCap, streams] = isFull ? [1_000, 600, 50] : [50, 30, 25]
    const acquireNo = await rule({ dailyCap })
    const left = Array.from({ length: orders }, () => body())
    const answers: unknown[] = []
    const stream = async () => {
      for (let one = left.pop(); one; one = left.pop()) answers.push(codeOf(await send(kit, one)))
    }
    await Promise.all(Array.from({ length: streams }, stream))
    const refused = orders - dailyCap
    expect([answers.filter(code => code === '0').length, answers.filter(code => code === '106').length]).toEqual([
      dailyCap,
      refused,
    ])
    const [shown] = (await ask(orderAcquire.page, {})).data.list
    expect(shown).toMatchObject({
      acquireNo,
      todayAccepted: dailyCap,
      todayRefused: refused,
      todayShare: (100 * dailyCap) / orders,
    })
    const { data } = await ask(orderAcquire.stat, { from: today, to: today, acquireNo })
    const codeCounts = [{ intakeCode: '106', count: refused }]
    expect(data).toMatchObject({ takenCount: dailyCap, notTakenCount: refused, codeCounts })
    expect(shown).toMatchObject({ topCode: '106' })
  }, 240_000)

  it('holds the cap of the hour as well', async () => {
    await rule({ hourCap: 1 })
    expect([codeOf(await sent()), codeOf(await sent())]).toEqual(['0', '106'])
  })

  it('takes another number today only, and the usual one again', async () => {
    const acquireNo = await rule({ dailyCap: 0 })
    expect(codeOf(await sent())).toBe('106')
    const { data } = await ask(orderAcquire.today, { acquireNo, version: 1, todayCap: 1 })
    expect(codeOf(await sent())).toBe('0')
    expect((await ask(orderAcquire.detail, { acquireNo })).data).toMatchObject({ capToday: 1, todayOnly: true })
    expect((await ask(orderAcquire.today, { acquireNo, version: data.version })).code).toBe(0)
    expect((await ask(orderAcquire.detail, { acquireNo })).data).toMatchObject({ capToday: 0, todayOnly: false })
  })

  it('leaves other channels, products and kinds of loan as they are', async () => {
    await rule({ dailyCap: 0, loanKind: 'repeat' })
    expect(codeOf(await sent())).toBe('0')
    await rule({ dailyCap: 0, loanKind: 'first', incomingChannel: 'ussd' })
    expect(codeOf(await sent())).toBe('0')
    expect(codeOf(await sent({ incomingChannel: 'USSD' }))).toBe('106')
  })

  it('answers 104 to a paused rule, 105 outside its hours', async () => {
    const acquireNo = await rule()
    expect((await ask(orderAcquire.state, { acquireNo, enabled: false, version: 1 })).code).toBe(0)
    expect(codeOf(await sent())).toBe('104')
    await write(sql`update acquire_rule set deleted_time = ${kit.clock.now()} where acquire_no = ${acquireNo}`)
    await rule({ acceptFrom: minuteOf(60), acceptTo: minuteOf(120) })
    expect(codeOf(await sent())).toBe('105')
  })

  it('takes no more first loans than their share', async () => {
    await rule({ firstShare: 2 })
    expect([codeOf(await sent()), codeOf(await sent()), codeOf(await sent())]).toEqual(['0', '0', '107'])
  })

  it('takes a person once in so many days, whatever the channel', async () => {
    await rule({ dedupeDays: 3 })
    const first = body({ incomingChannel: 'web' })
    expect(codeOf(await send(kit, first))).toBe('0')
    const again = (change: Partial<Application['customer']>) =>
      send(kit, body({ customer: { ...first.customer, ...change } }))
    expect(codeOf(await again({}))).toBe('103')
    expect(codeOf(await again({ idNumber: body().customer.idNumber }))).toBe('103')
  })

  it('lets the first check that is not passed answer', async () => {
    await rule({ dailyCap: 0, acceptFrom: minuteOf(60), acceptTo: minuteOf(120) })
    await write(sql`update merchant set traffic_limit = 1 where merchant_no = 'M1'`)
    expect(codeOf(await sent({ loanAmount: '40000.00' }))).toBe('105')
    await write(sql`update acquire_rule set deleted_time = ${kit.clock.now()} where deleted_time is null`)
    expect(codeOf(await sent({ loanAmount: '40000.00' }))).toBe('109')
    await write(sql`update merchant set traffic_limit = -1 where merchant_no = 'M1'`)
    expect(codeOf(await sent({ loanAmount: '40000.00' }))).toBe('112')
    expect(codeOf(await sent({ loanAmount: 'much' }))).toBe('102')
  })

  it('merchant 3: notes what nobody proved theirs once a minute, and believes nothing of it', async () => {
    await write(sql`delete from acquire_log where intake_code = '101'`)
    await sent({}, { signature: 'ff' })
    await sent({}, { signature: 'ff' })
    await sent({}, { merchantNo: 'M9' })
    const held = await rows(
      sql<Values>`select merchant_no, third_order_no, payload, try_count from acquire_log where intake_code = '101'`,
    )
    expect(held).toEqual([{ merchantNo: 'M1', thirdOrderNo: null, payload: null, tryCount: 2 }])
  })

  it('keeps one line for each application, which says what became of it', async () => {
    const acquireNo = await rule({ dailyCap: 0 })
    const one = body()
    await send(kit, one)
    await send(kit, one)
    expect(await log({ thirdOrderNo: one.thirdOrderNo })).toMatchObject([
      { intakeCode: '106', tryCount: 2, charged: false, orderNo: null },
    ])
    await ask(orderAcquire.today, { acquireNo, version: 1, todayCap: 1 })
    const { data } = await send(kit, one)
    await send(kit, one)
    expect(await log({ thirdOrderNo: one.thirdOrderNo })).toMatchObject([
      {
        intakeCode: '0',
        partnerCode: 0,
        intakeResult: 'accepted',
        tryCount: 3,
        charged: true,
        orderNo: data.orderNo,
        mayReplay: false,
      },
    ])
  })

  it('shows each check, and what was sent without the person’s own data', async () => {
    await rule({ dailyCap: 0 })
    const one = body()
    await send(kit, one)
    const [line] = await log({ thirdOrderNo: one.thirdOrderNo })
    const { data } = await ask(orderAcquire.logDetail, { intakeNo: line?.intakeNo })
    expect(data.checkSteps.map(step => step.checkState)).toEqual([
      ...Array(5).fill('passed'),
      'failed',
      ...Array(6).fill('not_reached'),
    ])
    const payload = String(data.payload)
    expect(payload).toContain(one.thirdOrderNo)
    for (const own of [
      one.customer.phone,
      one.customer.idNumber,
      one.customer.customerName,
      one.payout.walletAccount,
      one.contacts[0]?.contactPhone,
    ])
      expect(payload).not.toContain(own)
  })

  it('lets refused ones in by hand, as long as today has room', async () => {
    const acquireNo = await rule({ dailyCap: 0 })
    const three = [body(), body(), body()]
    for (const one of three) await send(kit, one)
    const nos = (await log({ acquireNo })).map(one => one.intakeNo)
    expect((await ask(orderAcquire.replay, { intakeNos: nos })).data).toMatchObject({ ok: 0, fail: 3 })
    await ask(orderAcquire.today, { acquireNo, version: 1, todayCap: 2 })
    expect((await ask(orderAcquire.replay, { intakeNos: nos })).data).toMatchObject({ ok: 2, fail: 1 })
    expect((await log({ acquireNo, intakeResult: ['accepted'] })).length).toBe(2)
    expect((await ask(orderAcquire.replay, { intakeNos: nos })).data).toMatchObject({ ok: 0, fail: 3 })
    // The partner, who asks again, hears of the order that was made by hand.
    const taken = (await log({ acquireNo, intakeResult: ['accepted'] })).map(one => one.thirdOrderNo)
    const one = three.find(({ thirdOrderNo }) => taken.includes(thirdOrderNo)) as Application
    expect(codeOf(await send(kit, one))).toBe('0')
    const blocked = body()
    await write(sql`update merchant set traffic_limit = 1 where merchant_no = 'M1'`)
    await write(sql`update acquire_rule set deleted_time = ${kit.clock.now()} where deleted_time is null`)
    await send(kit, blocked)
    await write(sql`update merchant set traffic_limit = -1 where merchant_no = 'M1'`)
    const [other] = await log({ thirdOrderNo: blocked.thirdOrderNo })
    expect((await ask(orderAcquire.replay, { intakeNos: [other?.intakeNo] })).data).toMatchObject({ ok: 0, fail: 1 })
  })

  it('asks every check about a sample, and makes nothing', async () => {
    await rule({ dailyCap: 0, acceptFrom: minuteOf(60), acceptTo: minuteOf(120) })
    const count = () =>
      rows(
        sql<{
          n: number
        }>`select (select count(*) from loan_order) + (select count(*) from acquire_log) + (select count(*) from customer) as n`,
      )
    const before = await count()
    const of = (payload: unknown, as = boss) =>
      ask(orderAcquire.sample, { merchantNo: 'M1', payload: JSON.stringify(payload) }, as)
    const states = async (payload: unknown) =>
      Object.fromEntries((await of(payload)).data.checkSteps.map(step => [step.check, step.checkState]))
    expect(await states(body())).toMatchObject({
      signature: 'not_asked',
      format: 'passed',
      hours: 'failed',
      cap: 'failed',
      product: 'passed',
    })
    expect(await states({ thirdOrderNo: 'x' })).toMatchObject({ format: 'failed', duplicate: 'not_reached' })
    expect(await count()).toEqual(before)
  })

  it('refuses rules that contradict each other, products of others, and hours that end before they begin', async () => {
    await rule()
    const add = (change: Values) => ask(orderAcquire.save, ruleInput('M1', { incomingChannel: 'app', ...change }))
    expect(await add({})).toMatchObject({ code: 40001, data: { fields: [{ path: 'productNos' }] } })
    expect(await add({ incomingChannel: 'web', productNos: ['P2'] })).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'productNos' }] },
    })
    expect(await add({ incomingChannel: 'web', acceptFrom: '10:00', acceptTo: '10:00' })).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'acceptTo' }] },
    })
  })

  it('merchant 13: shows people of another merchant nothing of it', async () => {
    const acquireNo = await rule({ dailyCap: 0 })
    const one = body()
    await send(kit, one)
    const [line] = await log({ thirdOrderNo: one.thirdOrderNo })
    const other = await kit.person({ perms: codes, limit: 'own_merchants', merchants: ['M2'], name: 'Other' })
    expect((await ask(orderAcquire.page, {}, other)).data.list).toEqual([])
    expect((await ask(orderAcquire.log, { merchantNo: ['M1'] }, other)).data.list).toEqual([])
    expect((await ask(orderAcquire.logDetail, { intakeNo: line?.intakeNo }, other)).code).toBe(40401)
    expect((await ask(orderAcquire.today, { acquireNo, version: 1, todayCap: 9 }, other)).code).toBe(40401)
    expect((await ask(orderAcquire.stat, { from: today, to: today, merchantNo: ['M1'] }, other)).data).toMatchObject({
      takenCount: 0,
      notTakenCount: 0,
    })
    expect((await ask(orderAcquire.replay, { intakeNos: [line?.intakeNo] }, other)).data).toMatchObject({ ok: 0 })
    expect((await ask(orderAcquire.save, ruleInput('M1'), other)).code).toBe(40001)
    expect((await ask(orderAcquire.sample, { merchantNo: 'M1', payload: '{}' }, other)).code).toBe(40001)
  })
})
