import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { system } from '../../../rights/actor.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { frozen } from '../../../testing/people.ts'
import { dictionaryModule } from '../../user/dictionary/dictionary.ts'
import { broughtBy } from '../launch/click.ts'
import { channelInput, landingHosts } from '../launch/launch.facts.ts'
import { launchModule } from '../launch/launch.ts'
import { passChannelsOn } from './channels.ts'
import { recountTraffic } from './numbers.ts'
import { trafficModule } from './traffic.ts'

const { trafficPerson, launch, common } = contract
const perms = ['page', 'sync', 'update', 'batchUpdate', 'export'].map(end => `traffic:user:${end}`)

let kit: Kit
let boss: Person
const channels: Record<'owino' | 'jinja' | 'mbale' | 'elsewhere', string> = {} as never
beforeAll(async () => {
  const traffic = trafficModule()
  kit = await openKit({ modules: [traffic, launchModule(), dictionaryModule([], traffic.choices)] })
  boss = await kit.person({ perms: [...perms, 'log:audit:page'] })
  await exec(landingHosts)
  const buyer = await kit.person({ perms: ['page', 'save', 'enable'].map(end => `operation:launch:${end}`) })
  for (const code of ['owino', 'jinja', 'mbale', 'elsewhere'] as const) {
    const place = code === 'elsewhere' ? { merchantNo: 'M2', appCode: 'MarketLoan' } : {}
    const input = { ...channelInput(buyer.userNo), promotionChannel: code, channelName: `Channel ${code}`, ...place }
    const channelNo = String((await kit.call(launch.save, input as never, { as: buyer })).data.key)
    await kit.call(launch.state, { channelNo, enabled: true, version: 0 } as never, { as: buyer })
    channels[code] = channelNo
  }
})
afterAll(() => kit.close())

type Values = Record<string, unknown>
const rows = <R>(query: RawBuilder<R>) => kit.db.withTx(tx => tx.rows(query))
const exec = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))
const rowOf = async (userNo: string, as = boss) =>
  (await kit.call(trafficPerson.page, { pageSize: 100 }, { as })).data.list.find(row => row.userNo === userNo)
const detailOf = async (userNo: string, as = boss) => kit.call(trafficPerson.detail, { userNo }, { as })

let made = 0
/** Somebody of the traffic staff of M1 and M2, registered. */
const promoter = async (more: Values = {}): Promise<Person> => {
  const person = await kit.person({
    perms: ['traffic:user:page'],
    limit: 'own',
    merchants: ['M1', 'M2'],
    name: `Promoter ${++made}`,
  })
  await exec(sql`
    insert into traffic_person (user_no, created_time, updated_by, updated_time) values (${person.userNo}, '2026-01-01', 'system', '2026-01-01')`)
  const answer = await update(person, more)
  if (answer.code !== 0) throw new Error(`${answer.msg} ${JSON.stringify(answer.data)}`)
  return person
}
const settings = {
  groupNo: 'North',
  groupHead: false,
  trafficKind: 'promoter',
  principalMerchantNo: 'M1',
  promotionChannelNos: [],
}
const update = async ({ userNo }: Person, more: Values = {}, as = boss) =>
  kit.call(
    trafficPerson.update,
    { userNo, version: (await rowOf(userNo))?.version ?? 0, ...settings, ...more } as never,
    { as, language: 'en' },
  )
const refusedAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)

describe('settings', () => {
  it('give channels of the merchants of a person, and a code that is nobody else’s for ever', async () => {
    const ruth = await promoter({ promotionChannelNos: [channels.owino, channels.jinja], promoterCode: 'RUTH07' })
    expect(await rowOf(ruth.userNo)).toMatchObject({
      promotionChannels: ['Channel jinja', 'Channel owino'],
      openCount: 2,
      promoterCode: 'RUTH07',
    })
    expect((await update(ruth, { promoterCode: 'RUTH08' })).code).toBe(0)
    expect((await detailOf(ruth.userNo)).data).toMatchObject({ promoterCode: 'RUTH08', pastCodes: ['RUTH07'] })
    const other = await promoter()
    expect(refusedAt(await update(other, { promoterCode: 'ruth07' }))).toEqual(['promoterCode'])
    expect((await update(ruth, { promoterCode: 'RUTH07' })).code).toBe(0)
  })

  it.each([
    ['a channel of another merchant', () => ({ promotionChannelNos: [channels.elsewhere] }), 'promotionChannelNos'],
    ['a channel that there is not', () => ({ promotionChannelNos: ['PH-none'] }), 'promotionChannelNos'],
    ['a code of three letters', () => ({ promoterCode: 'ABC' }), 'promoterCode'],
    ['a code with a dash', () => ({ promoterCode: 'RUTH-7' }), 'promoterCode'],
  ])('are refused with %s', async (_, more, field) => {
    const person = await promoter()
    const answer = await update(person, more())
    expect(answer.code).toBe(40001)
    expect(refusedAt(answer)?.[0]).toContain(field)
  })

  it('name one head of a group', async () => {
    await promoter({ groupNo: 'Crowded', groupHead: true })
    const second = await promoter({ groupNo: 'Crowded' })
    expect(refusedAt(await update(second, { groupNo: 'crowded', groupHead: true }))).toEqual(['groupHead'])
  })

  it('ask nobody whether work comes by itself', async () => {
    const row = await rowOf((await promoter()).userNo)
    expect(row).not.toHaveProperty('autoAllocation')
    expect(row).not.toHaveProperty('onShift')
  })

  it('of several add and drop channels, and leave frozen ones alone', async () => {
    const [a, b] = [await promoter({ promotionChannelNos: [channels.owino] }), await promoter()]
    const gone = await promoter()
    await kit.db.withTx(tx => frozen(tx, gone.userNo))
    const userNos = [a, b, gone].map(one => one.userNo)
    const input = { userNos, addChannelNos: [channels.jinja], dropChannelNos: [channels.owino] } as never
    const { data } = await kit.call(trafficPerson.batchUpdate, input, { as: boss })
    expect(data).toMatchObject({ ok: 2, fail: 1 })
    expect((await rowOf(a.userNo))?.promotionChannels).toEqual(['Channel jinja'])
    expect((await rowOf(b.userNo))?.promotionChannels).toEqual(['Channel jinja'])
    const set = { userNos: [a.userNo], promotionChannelNos: [channels.mbale] } as never
    await kit.call(trafficPerson.batchUpdate, set, { as: boss })
    expect((await rowOf(a.userNo))?.promotionChannels).toEqual(['Channel mbale'])
    const alone = { userNos: [a.userNo], promoterCode: 'SHARED' } as never
    expect((await kit.call(trafficPerson.batchUpdate, alone, { as: boss })).code).toBe(40001)
  })

  it('offer channels of the reader’s merchants', async () => {
    const local = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    const { data } = await kit.call(common.options, { KEY: 'PROMOTION_CHANNEL' }, { as: local })
    expect(data.list.map(one => one.value)).toEqual([channels.elsewhere])
  })
})

describe('the head of a group', () => {
  it('sees the people of the group, who see themselves alone', async () => {
    const [head, ruth, other] = [
      await promoter({ groupNo: 'South', groupHead: true }),
      await promoter({ groupNo: 'south' }),
      await promoter({ groupNo: 'Far' }),
    ]
    const own = async (person: Person) =>
      (await kit.call(trafficPerson.page, { pageSize: 100 }, { as: person })).data.list.map(row => row.userNo).sort()
    expect(await own(head)).toEqual([head.userNo, ruth.userNo].sort())
    expect(await own(ruth)).toEqual([ruth.userNo])
    expect((await detailOf(ruth.userNo, head)).code).toBe(0)
    expect((await detailOf(other.userNo, head)).code).toBe(40401)
  })
})

describe('somebody who goes', () => {
  it('passes the channels on to the head of the group and keeps the numbers', async () => {
    const head = await promoter({ groupNo: 'East', groupHead: true })
    const ruth = await promoter({ groupNo: 'East', promotionChannelNos: [channels.owino] })
    await exec(sql`update promotion_channel set owner_user_no = ${ruth.userNo} where channel_no = ${channels.jinja}`)
    await exec(sql`
      insert into traffic_stat_daily (user_no, channel_no, stat_date, register_count, incoming_count, paid_out_count, payout_amount, cost_amount)
      values (${ruth.userNo}, ${channels.owino}, ${kit.clock.now()}::date, 3, 2, 2, 300000, 12000)`)
    await exec(sql`update app_user set employee_status = 'on_job' where user_no = ${ruth.userNo}`)
    const seen = (await kit.call(trafficPerson.preview, {}, { as: boss })).data.leaving
    expect(seen.find(one => one.userNo === ruth.userNo)).toMatchObject({
      handsOver: ['Channel owino'],
      heirName: (await rowOf(head.userNo))?.realName,
    })
    await kit.db.withTx(tx => passChannelsOn(tx, ruth.userNo, system('test')))
    expect((await rowOf(head.userNo))?.promotionChannels).toEqual(['Channel owino'])
    expect(await rowOf(ruth.userNo)).toMatchObject({
      promotionChannels: [],
      paidOutCount: 2,
      payoutAmount: '300000.00',
      costPerPayout: '6000.00',
    })
    const [owner] = await rows(
      sql<{ no: string }>`select owner_user_no as no from promotion_channel where channel_no = ${channels.jinja}`,
    )
    expect(owner?.no).toBe(head.userNo)
  })

  it('is no head any more', async () => {
    const head = await promoter({ groupNo: 'West', groupHead: true, promotionChannelNos: [channels.owino] })
    await kit.db.withTx(tx => passChannelsOn(tx, head.userNo, system('test')))
    expect(await rowOf(head.userNo)).toMatchObject({ groupHead: false, promotionChannels: [] })
  })
})

describe('a customer', () => {
  const follow = async (code: string, by: string) => {
    const answer = await kit.app.request(`/api/hc/web/noAuth/putChannel/${code}?by=${by}`)
    const found = await rows(
      sql<{ clickId: string }>`select click_id from channel_click order by click_time desc, click_id desc limit 1`,
    )
    expect(answer.status).toBe(302)
    return String(found[0]?.clickId)
  }
  const register = async (clickId: string) => {
    const customerNo = `CUT${++made}`
    await kit.db.withTx(async tx => {
      await tx.exec(sql`
        insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
        values (${customerNo}, 'Akello Ruth', ${`CF${String(made).padStart(12, '7')}`}, ${`2567730${String(made).padStart(5, '0')}`}, 0, 0, ${tx.now})`)
      await broughtBy(tx, { customerNo, clickIds: [clickId] })
    })
    return customerNo
  }
  const broughtFor = async (customerNo: string) =>
    (
      await rows(sql<{ no: string }>`select promoter_no as no from customer_promoter where customer_no = ${customerNo}`)
    )[0]?.no

  it('counts for the person whose link was followed, as long as they work on the channel', async () => {
    const ruth = await promoter({ promotionChannelNos: [channels.mbale], promoterCode: 'LINK01' })
    expect(await broughtFor(await register(await follow('mbale', 'link01')))).toBe(ruth.userNo)
    kit.clock.advance(1_000)
    expect(await broughtFor(await register(await follow('owino', 'LINK01')))).toBeUndefined()
    kit.clock.advance(1_000)
    expect(await broughtFor(await register(await follow('mbale', 'NOBODY')))).toBeUndefined()
    await kit.db.withTx(tx => recountTraffic(tx, tx.today, tx.today))
    expect((await rowOf(ruth.userNo))?.registerCount).toBe(1)
    expect((await detailOf(ruth.userNo)).data.channelNumbers).toMatchObject([{ registerCount: 1, untilTime: null }])
  })

  it('counts for who runs the channel, where nobody’s link was followed', async () => {
    const runner = await promoter()
    await exec(sql`update promotion_channel set owner_user_no = ${runner.userNo} where channel_no = ${channels.owino}`)
    kit.clock.advance(1_000)
    expect(await broughtFor(await register(await follow('owino', 'NOBODY')))).toBe(runner.userNo)
  })
})

it('is seen within the data rule, and nobody sees the orders of those they brought themselves', async () => {
  const ruth = await promoter()
  const local = await kit.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
  expect(await rowOf(ruth.userNo, local)).toBeUndefined()
  expect((await detailOf(ruth.userNo, local)).code).toBe(40401)
  expect((await kit.call(trafficPerson.customers, { userNo: ruth.userNo }, { as: local })).data.total).toBe(0)
})
