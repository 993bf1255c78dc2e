import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import type { Person } from '../../../testing/kit.ts'
import { openShelf } from '../testing/shelf.ts'

const { recommend, marketProduct, marketShelf } = contract
let shelf: Awaited<ReturnType<typeof openShelf>>
let maker: Person
let second: Person
let platformNo: string
let product: string
let made = 0
const words = { zh: '低息', en: 'Cheap', sw: 'Nafuu' }
const at = (hours: number) => new Date(Date.parse('2026-03-02T07:00:00Z') + hours * 3_600_000).toISOString()

beforeAll(async () => {
  shelf = await openShelf()
  const perms = [
    recommend.page.perm as string,
    'market:recommend:save',
    'market:recommend:submit',
    'market:recommend:operate',
  ]
  maker = await shelf.kit.person({ perms, name: 'Marketing' })
  second = await shelf.kit.person({ perms, name: 'Operations' })
  platformNo = await shelf.addPlatform()
  product = await shelf.online(platformNo)
})
afterAll(() => shelf.kit.close())

type Input = InputOf<typeof recommend.save>
const input = (more: Partial<Input> = {}): Input => ({
  recommendName: `Put first ${++made}`,
  slot: 'home_top',
  marketProductNo: product,
  refusedOnly: false,
  weight: 50,
  startTime: at(-1),
  endTime: at(100),
  reasonText: words,
  ...more,
})
const rowOf = async (recommendNo: string) => (await shelf.ask(recommend.detail, { recommendNo }, maker)).data.recommend
const versioned = async (recommendNo: string) => ({ recommendNo, version: (await rowOf(recommendNo)).version })
const draft = async (more: Partial<Input> = {}) =>
  (await shelf.ask(recommend.save, input(more), maker)).data.recommendNo
const submitted = async (more: Partial<Input> = {}) => {
  const no = await draft(more)
  await shelf.ask(recommend.submit, await versioned(no), maker)
  return no
}
const accept = async (no: string, as = second) => shelf.ask(recommend.operate, await versioned(no), as)
const online = async (more: Partial<Input> = {}) => {
  const no = await submitted(more)
  const answer = await accept(no)
  if (answer.code !== 0) throw new Error(answer.msg)
  return no
}
type Shelf = InputOf<typeof marketShelf.shelf>
const seen = async (more: Partial<Shelf> = {}) =>
  (await shelf.fromApp(marketShelf.shelf, { appCode: 'BodaCash', customerNo: 'CU1', slot: 'home_top', ...more })).data
    .list
const wrongAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] }).fields?.map(one => one.path)

describe('a recommendation', () => {
  it.each([
    ['more than the product lends', { recommendQuota: '1000001.00' }, 'recommendQuota'],
    ['a weight of 0', { weight: 0 }, 'weight'],
    ['a weight of 101', { weight: 101 }, 'weight'],
    ['an end before its start', { endTime: at(-2) }, 'endTime'],
    ['a product that is not there', { marketProductNo: 'NONE' }, 'marketProductNo'],
  ])('is refused with %s', async (_, more, field) => {
    const answer = await shelf.ask(recommend.save, input(more), maker)
    expect(answer.code).toBe(40001)
    expect(wrongAt(answer)).toEqual([field])
  })

  it('has one name in its place', async () => {
    const recommendName = 'Only one'
    await draft({ recommendName })
    expect(wrongAt(await shelf.ask(recommend.save, input({ recommendName: 'ONLY ONE' }), maker))).toEqual([
      'recommendName',
    ])
    expect((await shelf.ask(recommend.save, input({ recommendName, slot: 'sms' }), maker)).code).toBe(0)
  })

  it('is complete when it is submitted, and accepted by another person', async () => {
    const bare = await draft({ reasonText: undefined })
    expect((await shelf.ask(recommend.submit, await versioned(bare), maker)).code).toBe(40901)
    const no = await submitted({ slot: 'settled_page' })
    expect((await accept(no, maker)).code).toBe(40301)
    expect((await accept(no)).code).toBe(0)
    const back = await submitted({ slot: 'settled_page' })
    const asked = { ...(await versioned(back)), reason: 'Wrong place' }
    expect((await shelf.ask(recommend.sendBack, asked, maker)).code).toBe(40301)
    expect((await shelf.ask(recommend.sendBack, asked, second)).code).toBe(0)
    expect(await rowOf(back)).toMatchObject({ productStatus: 'draft', reason: 'Wrong place' })
  })

  it('is put first in its place, counted, and the click is its own', async () => {
    const no = await online({ recommendQuota: '300000.00' })
    const [first] = await seen()
    expect(first).toMatchObject({ marketProductNo: product, recommendNo: no, quota: '300000.00', reasonText: 'Cheap' })
    const asked = {
      customerNo: 'CU1',
      appCode: 'BodaCash',
      marketProductNo: product,
      slot: 'home_top' as const,
      recommendNo: no,
    }
    expect((await shelf.fromApp(marketShelf.open, asked)).code).toBe(0)
    expect(await rowOf(no)).toMatchObject({ impressionCount: 1, clickCount: 1 })
    await shelf.ask(recommend.offline, { recommendNos: [no], reason: 'Over' }, maker)
    expect(await seen()).toEqual([])
  })

  it('is not seen while its product is off, and keeps its own state', async () => {
    const other = await shelf.online(platformNo)
    const no = await online({ marketProductNo: other })
    expect(await seen()).toHaveLength(1)
    await shelf.ask(marketProduct.offline, { marketProductNos: [other], reason: 'x' })
    expect(await seen()).toEqual([])
    expect(await rowOf(no)).toMatchObject({ productStatus: 'online', recommendWarning: 'product_offline' })
    await shelf.ask(recommend.offline, { recommendNos: [no], reason: 'x' }, maker)
  })

  it('runs within its time, for its audience alone', async () => {
    const later = await online({ startTime: at(5), endTime: at(6) })
    const status = await online({ customerStatuses: ['4'] })
    const level = await online({ vipLevelMin: 'V3' })
    const refused = await online({ refusedOnly: true })
    expect(await seen()).toEqual([])
    const { data } = await shelf.ask(
      recommend.resolve,
      { customerNo: 'CU1', slot: 'home_top', appCode: 'BodaCash' },
      maker,
    )
    const why = Object.fromEntries(data.list.map(one => [one.recommendNo, one.tryVerdict]))
    expect(why).toMatchObject({
      [later]: 'not_running',
      [status]: 'audience',
      [level]: 'level',
      [refused]: 'not_refused',
    })
    await shelf.ask(recommend.offline, { recommendNos: [later, status, level, refused], reason: 'x' }, maker)
  })

  it('on the page of a refusal stands only once the reason has been read', async () => {
    const no = await online({ slot: 'refused_page' })
    expect(await seen({ slot: 'refused_page' })).toEqual([])
    expect((await seen({ slot: 'refused_page', refusalShown: true }))[0]?.recommendNo).toBe(no)
  })
})

it('an app shows ten at once in a place, however many are accepted at the same moment', async () => {
  const nos: string[] = []
  for (let n = 0; n < 12; n++) nos.push(await submitted({ slot: 'telemarketing' }))
  const answers = await Promise.all(nos.map(no => accept(no)))
  expect(answers.filter(one => one.code === 0)).toHaveLength(10)
  expect(answers.filter(one => one.code === 40901)).toHaveLength(2)
  const { shares } = (await shelf.ask(recommend.detail, { recommendNo: nos[0] ?? '' }, maker)).data
  expect(shares).toHaveLength(10)
  expect(shares[0]).toMatchObject({ slotShare: '10.00', clickRate: null })
})

it('the weight of one that runs is changed by operations, and libraries of leads read those that run', async () => {
  const no = await online({ slot: 'sms', weight: 20 })
  const asked = { ...(await versioned(no)), weight: 80 }
  expect((await shelf.ask(recommend.weigh, asked, second)).code).toBe(0)
  expect((await shelf.ask(recommend.weigh, asked, second)).code).toBe(40902)
  expect((await rowOf(no)).weight).toBe(80)
  const { list } = (await shelf.ask(recommend.options, {}, maker)).data
  expect(list).toContainEqual(
    expect.objectContaining({ recommendProduct: no, recommendQuota: '1000000.00', slot: 'sms' }),
  )
})

it('of our own product the customer reads no more than their own limit', async () => {
  const own = await shelf.addPlatform({ platformKind: 'own', settlementMode: 'free', unitPrice: undefined })
  const mine = await shelf.online(own)
  await shelf.kit.db.withTx(tx =>
    tx.exec(sql`update customer set remaining_limit = 70000, credit_limit = 70000 where customer_no = 'CU9'`),
  )
  await online({
    slot: 'settled_page',
    marketProductNo: mine,
    recommendQuota: '500000.00',
    weight: 100,
    customerStatuses: ['0'],
  })
  await shelf.kit.db.withTx(tx =>
    tx.exec(sql`update market_recommend set weight = 1 where market_product_no <> ${mine}`),
  )
  const quotas = []
  for (let n = 1; n <= 9; n++) quotas.push((await seen({ slot: 'settled_page', customerNo: `CU${n}` }))[0])
  const theirs = quotas.filter(one => one?.marketProductNo === mine)
  expect(theirs.length).toBeGreaterThan(5)
  expect(theirs.every(one => ['0.00', '70000.00'].includes(String(one?.quota)))).toBe(true)
})
