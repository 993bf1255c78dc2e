import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { openShelf } from '../testing/shelf.ts'
import { platformInput } from './platform.facts.ts'

const { platform, marketProduct, marketShelf } = contract
let shelf: Awaited<ReturnType<typeof openShelf>>
beforeAll(async () => {
  shelf = await openShelf()
})
afterAll(() => shelf.kit.close())

const wrongAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] }).fields?.map(one => one.path)
const postbacks = async (platformNo: string) =>
  (await shelf.ask(platform.postbacks, { platformNo, pageSize: 100 })).data.list

describe('a platform', () => {
  it.each([
    ['a host with a scheme', { allowedHosts: 'https://a.example' }, 'allowedHosts'],
    ['a wildcard over a whole domain', { allowedHosts: '*.com' }, 'allowedHosts'],
    ['an address', { allowedHosts: '10.0.0.1' }, 'allowedHosts'],
    ['no price for applications', { unitPrice: undefined }, 'unitPrice'],
    ['a broken e-mail', { contactEmail: 'partners@' }, 'contactEmail'],
    ['consent in two languages', { consentText: { zh: '同意', en: 'I agree' } }, 'consentText'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await shelf.ask(platform.save, { ...platformInput(), ...more } as never)
    expect(answer.code).toBe(40001)
    expect(wrongAt(answer)?.some(path => path.startsWith(field))).toBe(true)
  })

  it('keeps its hosts to itself', async () => {
    await shelf.addPlatform({ allowedHosts: 'Apply.Own.example, *.owner.example' }, false)
    for (const allowedHosts of ['apply.own.example', 'eu.owner.example'])
      expect(wrongAt(await shelf.ask(platform.save, { ...platformInput(), allowedHosts } as never))).toEqual([
        'allowedHosts',
      ])
  })

  it('is enabled by two, with a licence that has not ended; a new host waits for a second person, the rest acts at once', async () => {
    const ended = await shelf.addPlatform({ licenceExpiry: '2026-03-01' }, false)
    const enable = { platformNo: ended, enabled: true, version: 0 } as never
    expect(await shelf.ask(platform.state, enable)).toMatchObject({
      code: 40901,
      msg: "The platform's licence has ended",
    })
    const given = { ...platformInput(), allowedHosts: 'one.two.example' }
    const no = await shelf.addPlatform(given, false)
    const asked = await shelf.ask(platform.state, { platformNo: no, enabled: true, version: 0 } as never)
    expect((await shelf.agree(String(asked.data.approvalNo), shelf.maker)).code).toBe(40301)
    expect((await shelf.agree(String(asked.data.approvalNo))).code).toBe(0)
    const { version } = await shelf.platformOf(no)
    const renamed = await shelf.ask(platform.save, {
      ...given,
      platformNo: no,
      version,
      contactPerson: 'Sarah',
    } as never)
    expect(renamed.data.approvalNo).toBeNull()
    const wider = {
      ...given,
      platformNo: no,
      version: version + 1,
      contactPerson: 'Sarah',
      allowedHosts: 'one.two.example, three.example',
    }
    const waits = await shelf.ask(platform.save, wider as never)
    expect(waits.data.approvalNo).not.toBeNull()
    expect((await shelf.platformOf(no)).allowedHosts).toBe('one.two.example')
    await shelf.agree(String(waits.data.approvalNo))
    expect((await shelf.platformOf(no)).allowedHosts).toBe('one.two.example, three.example')
  })

  it('takes its products off the shelves when it is disabled, and cannot be deleted while it has some', async () => {
    const no = await shelf.addPlatform()
    const product = await shelf.online(no)
    const { version } = await shelf.platformOf(no)
    const off = await shelf.ask(platform.state, { platformNo: no, enabled: false, version } as never)
    expect(off).toMatchObject({ code: 0, data: { approvalNo: null } })
    expect(await shelf.productOf(product)).toMatchObject({
      productStatus: 'offline',
      reason: 'market.offline.platform',
    })
    const gone = await shelf.ask(platform.remove, { platformNo: no, version: version + 1 } as never)
    expect(gone.code).toBe(40901)
  })
})

describe('what a partner reports', () => {
  let platformNo: string
  let clickId: string
  beforeAll(async () => {
    platformNo = await shelf.addPlatform({ settlementMode: 'cps', unitPrice: undefined, sharePercent: '3' })
    const { version } = await shelf.platformOf(platformNo)
    await shelf.ask(platform.rotateKey, { platformNo, version })
    const marketProductNo = await shelf.online(platformNo)
    const opened = await shelf.fromApp(marketShelf.open, { customerNo: 'CU1', appCode: 'BodaCash', marketProductNo })
    clickId = String(opened.data.clickId)
  })
  const payout = (more: object = {}) => ({
    platformNo,
    eventId: 'E1',
    clickId,
    marketEvent: 'payout' as const,
    amount: '200000.00',
    ...more,
  })

  it('supermarket 5: is one conversion and one revenue, however often it comes, at the same moment too', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => shelf.report(payout())))
    expect(answers.map(one => one.code)).toEqual([0, 0, 0])
    expect((await shelf.report(payout({ eventId: 'E2' }))).code).toBe(0)
    const taken = (await postbacks(platformNo)).filter(one => one.postbackResult === 'accepted')
    expect(taken).toMatchObject([{ amount: '200000.00', revenueAmount: '6000.00', deliveries: 4 }])
  })

  it('supermarket 5: is refused and listed with the reason', async () => {
    expect((await shelf.report(payout({ eventId: 'W1' }), 7)).code).toBe(40301)
    expect((await shelf.report(payout({ eventId: 'W2' }), 1, Date.now() - 600_000)).code).toBe(40301)
    expect((await shelf.report(payout({ eventId: 'W3', clickId: 'nobody' }))).code).toBe(40401)
    expect((await shelf.report(payout({ eventId: 'W4', amount: undefined }))).code).toBe(40001)
    await shelf.kit.db.withTx(tx =>
      tx.exec(
        sql`update market_click set click_time = ${tx.now}::timestamptz - interval '91 days' where click_id = ${clickId}`,
      ),
    )
    expect((await shelf.report(payout({ eventId: 'W5' }))).code).toBe(40401)
    const results = Object.fromEntries((await postbacks(platformNo)).map(one => [one.eventId, one.postbackResult]))
    expect(results).toMatchObject({ W1: 'wrong_key', W2: 'stale', W3: 'unknown_click', W4: 'wrong_value', W5: 'late' })
  })

  it('is signed with the newest key, and for a day with the one before it', async () => {
    const { version } = await shelf.platformOf(platformNo)
    await shelf.ask(platform.rotateKey, { platformNo, version })
    const applied = { platformNo, clickId: 'nobody', marketEvent: 'apply' as const }
    const say = async (eventId: string, turn: number) => (await shelf.report({ ...applied, eventId }, turn)).code
    expect([await say('K1', 1), await say('K2', 2)]).toEqual([40401, 40401])
    await shelf.kit.db.withTx(tx =>
      tx.exec(
        sql`update supermarket_platform set key_time = key_time - interval '25 hours' where platform_no = ${platformNo}`,
      ),
    )
    expect([await say('K3', 1), await say('K4', 2)]).toEqual([40301, 40401])
  })
})

it('a product of a deleted or unknown platform is refused', async () => {
  const no = await shelf.addPlatform({}, false)
  const input = await shelf.inputOf(no)
  expect(wrongAt(await shelf.ask(marketProduct.save, { ...input, platformNo: 'NONE' }))).toEqual(['platformNo'])
})
