import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { routers } from '../../../../core/contract/operation/sms-router.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { fakeVendors } from '../../../testing/vendors.ts'
import { codesOf } from '../verify-code/index.ts'
import { routeInput } from './sms-router.facts.ts'
import { smsRouterModule } from './sms-router.ts'

const { verifyRoute, marketingRoute, smsNetwork } = contract
type Input = Record<string, unknown>

for (const purpose of ['verify', 'marketing'] as const)
  configSuite(routers[purpose].config, {
    modules: [smsRouterModule({ vendors: fakeVendors().vendors })],
    fresh: n => routeInput(n),
    changed: { routeWeight: 40 },
    differs: 'routeWeight',
  })

let fixture: Fixture
let made = 0
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const as = () => ({ as: fixture.boss, language: 'en' as const })
const save = (more: Input) =>
  fixture.call(verifyRoute.save, routeInput(++made, { network: 'any', senderId: 'NILE', ...more }) as never, as())
const versionOf = async (routeNo: string) =>
  (await fixture.one(sql<{ version: number }>`select version from sms_route_verify where route_no = ${routeNo}`))
    .version
const turn = async (routeNo: string, enabled: boolean) =>
  fixture.call(verifyRoute.state, { routeNo, enabled, version: await versionOf(routeNo) } as never, as())
const add = async (more: Input): Promise<string> => {
  const { key } = fixture.must(await save(more)) as { key: string }
  fixture.must(await turn(key, true))
  return key
}
const clear = () =>
  fixture.exec(sql`update sms_route_verify set deleted_time = ${fixture.clock.now()} where deleted_time is null`)
let phones = 0
/** A code that a customer of an app asks for; answers the text as its vendor got it. */
const send = async (more: Input = {}) => {
  const phone = `25677${String(4_000_000 + ++phones)}`
  const asked = {
    ...{ scene: 'login', channel: 'phone', to: phone, challengeId: null, userNo: null, merchantNo: 'M1' },
    ...{ appCode: 'BodaCash', language: 'en', ip: null, ...more },
  }
  const actor = { no: 'anon', name: 'anon', requestId: 'test', ip: null }
  await fixture.db.withTx(tx => codesOf(fixture.secretKey).send(tx, asked as never, actor))
  await fixture.worker.drain()
  return fixture.outbox.texts.filter(text => text.phone === String(asked.to))
}

describe('a text', () => {
  it('goes as it is configured while nobody has set a route', async () => {
    await clear()
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-1'])
  })

  it('goes by the narrowest route, under its sender', async () => {
    await clear()
    await add({ accountNo: 'sms-1' })
    await add({ accountNo: 'sms-2', merchantNo: 'M1', senderId: 'BODA' })
    await add({ accountNo: 'sms-1', merchantNo: 'M1', scenes: ['withdraw'], senderId: 'BODAPAY' })
    expect(await send()).toMatchObject([{ accountNo: 'sms-2', senderId: 'BODA' }])
    expect(await send({ scene: 'withdraw' })).toMatchObject([{ accountNo: 'sms-1', senderId: 'BODAPAY' }])
    expect(await send({ merchantNo: 'M2', appCode: 'MarketLoan' })).toMatchObject([
      { accountNo: 'sms-1', senderId: 'NILE' },
    ])
  })

  it('goes by the next route once the first one refused it, and only once by each', async () => {
    await clear()
    await add({ accountNo: 'sms-1', routeWeight: 100 })
    await add({ accountNo: 'sms-2', routeWeight: 0, failoverOrder: 2 })
    fixture.outbox.answers.push({ is: 'refused', reason: 'balance' })
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-1', 'sms-2'])
    fixture.outbox.answers.push({ is: 'unknown', reason: 'timeout' })
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-1'])
    await fixture.exec(sql`update verify_code set moves = 2 where code_status = 'sent'`)
  })

  it('passes over a route that somebody skips, for half an hour', async () => {
    await clear()
    const first = await add({ accountNo: 'sms-1', routeWeight: 100 })
    await add({ accountNo: 'sms-2', routeWeight: 0, failoverOrder: 2 })
    const skip = { routeNo: first, version: await versionOf(first), reason: 'slow' }
    fixture.must(await fixture.call(verifyRoute.skip, skip, as()))
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-2'])
    await fixture.pass(31)
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-1'])
  })

  it('passes over a route whose cap of the day is reached', async () => {
    await clear()
    await add({ accountNo: 'sms-1', routeWeight: 100, textsADay: 1 })
    await add({ accountNo: 'sms-2', routeWeight: 0, failoverOrder: 2 })
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-1'])
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-2'])
  })

  it('passes over a route by which too few arrive', async () => {
    await clear()
    const first = await add({ accountNo: 'sms-1', routeWeight: 100 })
    await add({ accountNo: 'sms-2', routeWeight: 0, failoverOrder: 2 })
    for (let n = 0; n < 20; n++) await send()
    await fixture.exec(sql`
      update message set message_status = case when set_config('app.transition', 'on', true) = 'on' then 'failed' end
      where message_no in (select message_no from message where route_no = ${first} order by message_no limit 1)`)
    const rows = await fixture.rows(
      sql<{
        messageNo: string
      }>`select message_no from message where route_no = ${first} and message_status = 'submitted'`,
    )
    for (const { messageNo } of rows)
      await fixture.exec(sql`
        update message set message_status = case when set_config('app.transition', 'on', true) = 'on' then 'failed' end where message_no = ${messageNo}`)
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-2'])
    const { list } = fixture.must(await fixture.call(verifyRoute.page, {} as never, as())) as {
      list: { routeNo: string; routeStanding: string }[]
    }
    expect(list.find(one => one.routeNo === first)?.routeStanding).toBe('skipped')
    await fixture.exec(sql`
      insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
      select 'M82', message_no, 'msg.report', 'submitted', 'failed', 'system', 'test', now() from message where route_no = ${first} and message_status = 'failed'`)
  })

  it('operation 6: is red within five minutes where a vendor that reports says nothing any more', async () => {
    await clear()
    const first = await add({ accountNo: 'sms-1', routeWeight: 100 })
    await add({ accountNo: 'sms-2', routeWeight: 0, failoverOrder: 2 })
    const standing = async () => {
      const { list } = fixture.must(await fixture.call(verifyRoute.page, {} as never, as())) as {
        list: { routeNo: string; routeStanding: string }[]
      }
      return list.find(one => one.routeNo === first)?.routeStanding
    }
    for (let n = 0; n < 21; n++) await send()
    await fixture.pass(4)
    expect(await standing()).toBe('good')
    await fixture.exec(sql`
      update message set message_status = case when set_config('app.transition', 'on', true) = 'on' then 'delivered' end
      where message_no in (select message_no from message where route_no = ${first} order by message_no limit 1)`)
    expect(await standing()).toBe('skipped')
    expect((await send()).map(one => one.accountNo)).toEqual(['sms-2'])
    await fixture.exec(sql`
      insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
      select 'M82', message_no, 'msg.report', 'submitted', 'delivered', 'system', 'test', now() from message where route_no = ${first} and message_status = 'delivered'`)
  })

  it('goes by the network of its number, as somebody corrected it', async () => {
    await clear()
    await add({ accountNo: 'sms-1', network: 'mtn' })
    await add({ accountNo: 'sms-2', network: 'airtel' })
    const phone = '256772777771'
    expect((await send({ to: phone })).map(one => one.accountNo)).toEqual(['sms-1'])
    fixture.must(await fixture.call(smsNetwork.correct, { phone, network: 'airtel', reason: 'moved' }, as()))
    await fixture.pass(2)
    expect((await send({ to: phone })).at(-1)?.accountNo).toBe('sms-2')
    const { network, list } = fixture.must(await fixture.call(verifyRoute.resolve, { phone }, as()))
    expect([network, list.map(one => one.accountNo)]).toEqual(['airtel', ['sms-2']])
  })
})

describe('routes', () => {
  it('of codes keep one that every text can take', async () => {
    await clear()
    const only = await add({ accountNo: 'sms-1' })
    expect((await turn(only, false)).code).toBe(40901)
    const narrower = {
      ...routeInput(1, { network: 'mtn', senderId: 'NILE' }),
      routeNo: only,
      version: await versionOf(only),
    }
    expect((await fixture.call(verifyRoute.save, narrower as never, as())).code).toBe(40901)
    await add({ accountNo: 'sms-2', failoverOrder: 2 })
    expect((await turn(only, false)).code).toBe(0)
  })

  it('operation 3: that two people edit keep the change of the first; the second is shown it', async () => {
    await clear()
    const routeNo = await add({ accountNo: 'sms-1' })
    const seen = await versionOf(routeNo)
    const edit = (failoverOrder: number, who = fixture.boss) => {
      const input = { ...routeInput(made, { network: 'any', senderId: 'NILE', accountNo: 'sms-1', failoverOrder }) }
      return fixture.call(verifyRoute.save, { ...input, routeNo, version: seen } as never, { as: who, language: 'en' })
    }
    expect((await edit(4)).code).toBe(0)
    const late = await edit(7, fixture.second)
    expect(late.code).toBe(40902)
    const kept = await fixture.one(sql<{ failoverOrder: number }>`
      select failover_order from sms_route_verify where route_no = ${routeNo}`)
    expect(kept.failoverOrder).toBe(4)
    const { list } = fixture.must(await fixture.call(verifyRoute.history, { routeNo } as never, as())) as {
      list: { changes: { field: string }[] }[]
    }
    expect(list.some(({ changes }) => changes.some(({ field }) => field === 'failoverOrder'))).toBe(true)
  })

  it('of a scope that texts of today go by keep one', async () => {
    await clear()
    await add({ accountNo: 'sms-1' })
    const used = await add({ accountNo: 'sms-2', merchantNo: 'M1' })
    await send()
    expect((await turn(used, false)).code).toBe(40901)
  })

  it('share the texts of their scope: the weights of all of them, together 100', async () => {
    await clear()
    const [a, b] = [
      await add({ accountNo: 'sms-1', routeWeight: 100 }),
      await add({ accountNo: 'sms-2', routeWeight: 0 }),
    ]
    const weights = async (first: number, second: number) => ({
      routeWeights: [
        { routeNo: a, version: await versionOf(a), routeWeight: first },
        { routeNo: b, version: await versionOf(b), routeWeight: second },
      ],
    })
    expect((await fixture.call(verifyRoute.weights, await weights(60, 50), as())).code).toBe(40001)
    const alone = { routeWeights: [{ routeNo: a, version: await versionOf(a), routeWeight: 100 }] }
    expect((await fixture.call(verifyRoute.weights, alone, as())).code).toBe(40001)
    expect(fixture.must(await fixture.call(verifyRoute.weights, await weights(60, 40), as()))).toEqual({ changed: 2 })
    const { list } = fixture.must(await fixture.call(verifyRoute.group, { routeNo: a }, as()))
    expect(new Map(list.map(one => [one.routeNo, one.routeWeight]))).toEqual(
      new Map([
        [a, 60],
        [b, 40],
      ]),
    )
  })

  it.each<[string, Input]>([
    ['a sender with a space', { senderId: 'NILE CREDIT' }],
    ['a weight over 100', { routeWeight: 101 }],
    ['a failover order of 0', { failoverOrder: 0 }],
    ['half a window', { windowStart: '09:00' }],
    ['an app and a merchant', { appCode: 'BodaCash', merchantNo: 'M1' }],
    ['an account that there is not', { accountNo: 'sms-9' }],
  ])('are refused with %s', async (_, more) => expect((await save(more)).code).toBe(40001))

  it('of offers lie within the hours in which they may be sent', async () => {
    const night = routeInput(99, { windowStart: '07:00', windowEnd: '18:00' })
    expect((await fixture.call(marketingRoute.save, night as never, as())).code).toBe(40001)
    const day = routeInput(99, { windowStart: '09:00', windowEnd: '18:00' })
    expect((await fixture.call(marketingRoute.save, day as never, as())).code).toBe(0)
  })

  it('of all merchants are changed by headquarters alone', async () => {
    await clear()
    const all = await add({ accountNo: 'sms-1' })
    const perms = ['sms:router:verify:page', 'sms:router:verify']
    const brand = await fixture.person({ perms, nature: 'merchant', merchants: ['M1'], limit: 'own_merchants' })
    const skip = { routeNo: all, version: await versionOf(all), reason: 'slow' }
    expect((await fixture.call(verifyRoute.skip, skip, { as: brand })).code).toBe(40301)
    const theirs = await add({ accountNo: 'sms-2', merchantNo: 'M2' })
    const other = { routeNo: theirs, version: await versionOf(theirs), reason: 'slow' }
    expect((await fixture.call(verifyRoute.skip, other, { as: brand })).code).toBe(40401)
  })
})
