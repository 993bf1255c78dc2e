import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { launches } from '../../../../core/contract/operation/launch.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { broughtBy } from './click.ts'
import { channelInput, landingHosts } from './launch.facts.ts'
import { launchModule } from './launch.ts'
import { recount } from './numbers.ts'
import { collectPostbacks, postbackSender } from './postback.ts'

const { launch, common } = contract
const perms = [
  ...['page', 'save', 'save:check', 'enable', 'enable:check', 'delete', 'cost', 'export'].map(
    action => `operation:launch:${action}`,
  ),
]
type Answer = { status: number; location: string | undefined }
let answers: (Answer | Error)[] = []
const called: string[] = []
const ask = async (url: URL): Promise<Answer> => {
  called.push(url.href)
  const next = answers.shift() ?? { status: 200, location: undefined }
  if (next instanceof Error) throw next
  return next
}

let kit: Kit
let boss: Person
let second: Person
let brand: Person
beforeAll(async () => {
  const launching = launchModule({ ask })
  kit = await openKit({ modules: [launching, approvalModule(launching.approvals ?? [])] })
  boss = await kit.person({ perms, name: 'Boss' })
  second = await kit.person({ perms, name: 'Second' })
  brand = await kit.person({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
  await exec(landingHosts)
})
afterAll(() => kit.close())
beforeEach(() => {
  answers = []
  called.length = 0
})

const exec = (query: typeof landingHosts) => kit.db.withTx(tx => tx.exec(query))
const must = <A extends { code: number; msg: string; data: unknown }>(answer: A): NonNullable<A['data']> => {
  if (answer.code !== 0) throw new Error(`${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`)
  return answer.data as NonNullable<A['data']>
}
const save = (more: object = {}, as = boss) =>
  kit.call(launch.save, { ...channelInput(boss.userNo), ...more } as never, { as, language: 'en' })
const added = async (more: object = {}) => {
  const input = { ...channelInput(boss.userNo), ...more }
  const channelNo = String(must(await kit.call(launch.save, input as never, { as: boss })).key)
  return { channelNo, code: input.promotionChannel }
}
const opened = async (more: object = {}) => {
  const channel = await added(more)
  must(await kit.call(launch.state, { channelNo: channel.channelNo, enabled: true, version: 0 } as never, { as: boss }))
  return channel
}
const rowOf = async (channelNo: string) => must(await kit.call(launch.detail, { channelNo } as never, { as: boss }))
const follow = async (code: string) => {
  const answer = await kit.app.request(`/api/hc/web/noAuth/putChannel/${code}`)
  return { status: answer.status, to: new URL(answer.headers.get('location') ?? 'https://nowhere.example/') }
}
let people = 0
/** Somebody registers with the clicks that their app knows. */
const register = (clickIds: readonly string[], days = 0) =>
  kit.db.withTx(async tx => {
    const customerNo = `CUL${++people}`
    await tx.exec(sql`
      insert into customer (customer_no, customer_name, id_number, phone, credit_limit, remaining_limit, register_time)
      values (${customerNo}, 'Akello Ruth', ${`CF${String(people).padStart(12, '0')}`}, ${`2567720${String(people).padStart(5, '0')}`}, 0, 0, ${tx.now})`)
    if (days)
      await tx.exec(
        sql`update channel_click set click_time = click_time - ${days}::int * interval '1 day' where click_id = any(${[...clickIds]})`,
      )
    return broughtBy(tx, { customerNo, clickIds })
  })
const refusedAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)

describe('a channel', () => {
  it.each([
    ['a landing page elsewhere', { landingUrl: 'https://evil.example/' }, 'landingUrl'],
    ['a landing page without https', { landingUrl: 'http://get-app.boda.example/' }, 'landingUrl'],
    [
      'a postback address inside our network',
      { postbackUrl: 'https://10.0.0.8/pb', postbackEvents: ['register'] },
      'postbackUrl',
    ],
    [
      'a macro with the phone',
      { postbackUrl: 'https://n.example/p?p={phone}', postbackEvents: ['register'] },
      'postbackUrl',
    ],
    ['a postback without events', { postbackUrl: 'https://n.example/p' }, 'postbackEvents'],
    ['an end before its start', { startDate: '2026-03-02', endDate: '2026-03-01' }, 'endDate'],
    ['the app of another merchant', { appCode: 'MarketLoan' }, 'appCode'],
    ['a code with a space', { promotionChannel: 'radio 7' }, 'promotionChannel'],
    ['nobody who runs it', { ownerUserNo: 'NOBODY' }, 'ownerUserNo'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await save(more)
    expect(answer.code).toBe(40001)
    expect(refusedAt(answer)).toContain(field)
  })

  it('says clearly that an address is inside our network', async () => {
    const answer = await save({ postbackUrl: 'https://169.254.169.254/latest', postbackEvents: ['register'] })
    expect(JSON.stringify(answer)).toContain('inside our network')
  })

  it('keeps its code for ever, whatever its letters, even once it is deleted', async () => {
    const { channelNo, code } = await added()
    must(await kit.call(launch.remove, { channelNo, version: 0 } as never, { as: boss }))
    expect(refusedAt(await save({ promotionChannel: code.toUpperCase() }))).toEqual(['promotionChannel'])
  })

  it('is neither seen nor made by the people of another merchant', async () => {
    const { channelNo } = await added()
    expect((await kit.call(launch.detail, { channelNo } as never, { as: brand })).code).toBe(40401)
    const asked = { channelNos: [channelNo], from: '2026-03-01', to: '2026-03-02' }
    expect((await kit.call(launch.stat, asked, { as: brand })).code).toBe(40401)
    const cost = { channelNo, costDate: '2026-01-01', amount: '1.00' }
    expect((await kit.call(launch.costSave, cost, { as: brand })).code).toBe(40401)
    expect(refusedAt(await save({}, brand))).toEqual(['merchantNo'])
  })

  it('calls no host to which a second person has not agreed', async () => {
    const heard = { postbackUrl: 'https://track.one.example/pb?c={clickId}', postbackEvents: ['register'] }
    const input = { ...channelInput(boss.userNo), ...heard }
    const channelNo = String(must(await kit.call(launch.save, input as never, { as: boss })).key)
    const test = () =>
      kit.call(launch.postbackTest, { channelNo, launchEvent: 'register' }, { as: boss, language: 'en' })
    expect((await test()).code).toBe(40901)
    expect(called).toEqual([])
    const enable = { channelNo, enabled: true, version: 0 } as never
    const { approvalNo } = must(await kit.call(launch.state, enable, { as: boss })) as { approvalNo: string }
    expect(approvalNo).not.toBeNull()
    must(await kit.call(common.approve, { approvalNo, version: 0 }, { as: second }))
    expect(must(await test())).toMatchObject({ sentUrl: 'https://track.one.example/pb?c=TEST', answerCode: 200 })
    const { promotionChannel: _, ...form } = input
    const other = { ...form, channelNo, version: 1, postbackUrl: 'https://track.two.example/pb?c={clickId}' }
    expect(must(await kit.call(launch.save, other as never, { as: boss })).approvalNo).not.toBeNull()
    expect(await rowOf(channelNo)).toMatchObject({ postbackUrl: heard.postbackUrl })
  })
})

describe('its link', () => {
  it('leads to the landing page with the number of the click, and counts', async () => {
    const { code, channelNo } = await opened()
    const { status, to } = await follow(code.toUpperCase())
    expect(status).toBe(302)
    expect(to.href).toMatch(/^https:\/\/get-app\.boda\.example\/loan\?clickId=CK[0-9a-f]{24}$/)
    await kit.db.withTx(tx => recount(tx, tx.today, tx.today))
    expect(await rowOf(channelNo)).toMatchObject({ clickCount: 1, linkStanding: 'open' })
    expect((await kit.app.request('/api/hc/web/noAuth/putChannel/unknown-1')).status).toBe(200)
  })

  it('leads to the ordinary page while the channel is off, ended, full or spent', async () => {
    const off = await added()
    const ended = await opened({ endDate: '2020-01-01' })
    const full = await opened({ dailyRegisterCap: 1 })
    const spent = await opened({ dailyBudget: '1000.00' })
    for (const { code } of [full, spent]) {
      const { to } = await follow(code)
      expect(await register([String(to.searchParams.get('clickId'))])).toBe(code)
    }
    for (const { code } of [off, ended, full, spent])
      expect((await follow(code)).to.href).toBe('https://get-app.boda.example/')
    expect((await rowOf(full.channelNo)).linkStanding).toBe('at_cap')
    expect(await rowOf(spent.channelNo)).toMatchObject({ linkStanding: 'over_budget', usedToday: '1000.00' })
  })

  it('brings at most as many as its cap, at the same moment too; the others came by themselves', async () => {
    const { code } = await opened({ dailyRegisterCap: 2 })
    const clicks = []
    for (let n = 0; n < 5; n++) clicks.push(String((await follow(code)).to.searchParams.get('clickId')))
    const brought = await Promise.all(clicks.map(clickId => register([clickId])))
    expect(brought.filter(Boolean)).toEqual([code, code])
  })

  it('brings the customer by the first click that is young enough, for ever', async () => {
    const [one, two] = [await opened(), await opened()]
    const first = String((await follow(one.code)).to.searchParams.get('clickId'))
    kit.clock.advance?.(60_000)
    const later = String((await follow(two.code)).to.searchParams.get('clickId'))
    expect(await register([later, first])).toBe(one.code)
    expect(await register([later], 8)).toBeNull()
    const no = `CUL${people - 1}`
    expect(await kit.db.withTx(tx => broughtBy(tx, { customerNo: no, clickIds: [] }))).toBe(one.code)
    await expect(
      exec(sql`update customer_channel set channel_no = ${two.channelNo} where customer_no = ${no}`),
    ).rejects.toThrow()
  })
})

describe('costs', () => {
  it('take the place of what was entered before, and of what the price says; the old amount is kept', async () => {
    const { channelNo } = await opened()
    const cost = (amount: string) =>
      kit.call(launch.costSave, { channelNo, costDate: '2026-01-05', amount }, { as: boss })
    expect(must(await cost('1000.00')).replaced).toBe(false)
    expect(must(await cost('2500.00')).replaced).toBe(true)
    const asked = { channelNos: [channelNo], from: '2026-01-05', to: '2026-01-05' }
    expect(must(await kit.call(launch.stat, asked, { as: boss })).total.costAmount).toBe('2500.00')
    const { list } = must(await kit.call(launch.costs, { channelNo }, { as: boss }))
    expect(list.map(({ amount, replacedTime }) => [amount, replacedTime === null])).toEqual(
      expect.arrayContaining([
        ['1000.00', false],
        ['2500.00', true],
      ]),
    )
    const ahead = await kit.call(launch.costSave, { channelNo, costDate: '2099-01-01', amount: '1.00' }, { as: boss })
    expect(refusedAt(ahead)).toEqual(['costDate'])
  })
})

describe('what its network hears', () => {
  it('is each happening once, tried again until it is taken, and nothing of the person', async () => {
    const { channelNo, code } = await opened()
    await exec(sql`
      update promotion_channel set postback_url = 'https://track.net.example/pb?c={clickId}&e={event}', postback_host = 'track.net.example', agreed_host = 'track.net.example',
        postback_events = '{register}' where channel_no = ${channelNo}`)
    const clickId = String((await follow(code)).to.searchParams.get('clickId'))
    await register([clickId])
    const collect = () => kit.db.withTx(tx => collectPostbacks.run(tx, { date: tx.today }))
    expect(await collect()).toEqual({ postbacks: 1 })
    expect(await collect()).toEqual({ postbacks: 0 })
    const { postbackNo } = await kit.db.read(tx =>
      tx.one(sql<{ postbackNo: string }>`select postback_no from channel_postback where channel_no = ${channelNo}`),
    )
    const sender = postbackSender(ask)
    const go = async () => {
      const due = await kit.db.withTx(tx => sender.before(tx, { jobKey: '', payload: { postbackNo } }))
      if (!due) return null
      const answer = await sender.send(due)
      await kit.db.withTx(tx => sender.after(tx, due, answer))
      return answer
    }
    answers = [
      { status: 500, location: undefined },
      { status: 204, location: undefined },
    ]
    await go()
    await go()
    expect(await go()).toBeNull()
    expect(called).toEqual(Array(2).fill(`https://track.net.example/pb?c=${clickId}&e=register`))
    const { list } = must(await kit.call(launch.postbacks, { channelNo }, { as: boss }))
    expect(list).toMatchObject([{ delivery: 'delivered', tryCount: 2, answerCode: 204 }])
  })
})

configSuite(launches, {
  modules: [launchModule({ ask })],
  before: async tx => {
    await tx.exec(landingHosts)
    await tx.exec(
      sql`insert into app_user (user_no, login_id, user_name, real_name, dept_no, principal_merchant_no, password_hash, created_time)
      select 'OWNER', 'owner', 'owner', 'Owner', (select min(dept_no) from dept), 'M1', '-', ${tx.now} on conflict do nothing`,
    )
    await tx.exec(sql`
      insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
      values ('M04', 'OWNER', 'user.add', '∅', 'normal', 'fixture', 'fixture', ${tx.now}), ('M06', 'OWNER', 'employee.add', '∅', 'on_job', 'fixture', 'fixture', ${tx.now})`)
  },
  fresh: () => channelInput('OWNER'),
  changed: { channelName: 'Another name' },
  differs: 'channelName',
  actsAtOnce: true,
})
