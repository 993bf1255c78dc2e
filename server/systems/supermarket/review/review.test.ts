import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { sensitiveWords } from '../../../../core/contract/operation/sensitive-word.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import type { Person } from '../../../testing/kit.ts'
import { openShelf } from '../testing/shelf.ts'
import { reviewModule } from './review.ts'

const { review, marketReview, marketShelf, common } = contract
const reviews = reviewModule({ secretKey: randomBytes(32) })
let shelf: Awaited<ReturnType<typeof openShelf>>
let officer: Person
let other: Person
let product: string
const perms = ['page', 'handle', 'handle:check', 'reply'].map(action => `market:review:${action}`)

beforeAll(async () => {
  shelf = await openShelf([reviews])
  officer = await shelf.kit.person({ perms, name: 'Officer' })
  other = await shelf.kit.person({ perms, name: 'Other' })
  product = await shelf.online(await shelf.addPlatform())
})
afterAll(() => shelf.kit.close())

type Said = InputOf<typeof marketReview.write>
const open = (customerNo: string, marketProductNo = product) =>
  shelf.fromApp(marketShelf.open, { customerNo, appCode: 'BodaCash', marketProductNo })
const write = (customerNo: string, more: Partial<Said> = {}) =>
  shelf.fromApp(marketReview.write, {
    customerNo,
    marketProductNo: product,
    appCode: 'BodaCash',
    appVersion: '1.0',
    rating: 5,
    reviewText: 'Fast and clear',
    reviewLanguage: 'en',
    ...more,
  })
const written = async (customerNo: string, more: Partial<Said> = {}) => {
  await open(customerNo, more.marketProductNo)
  return (await write(customerNo, more)).data.reviewNo
}
const rowOf = async (reviewNo: string) => (await shelf.ask(review.detail, { reviewNo }, officer)).data.review
const show = (reviewNos: string[], as = officer) => shelf.ask(review.show, { reviewNos }, as)
const hide = (reviewNos: string[], as = officer) => shelf.ask(review.hide, { reviewNos, hideReason: 'spam' }, as)
const tick = () => shelf.kit.db.withTx(tx => reviews.scheduled![0]!.run(tx, { date: tx.today }))
const older = (hours: number) =>
  shelf.kit.db.withTx(tx =>
    tx.exec(sql`update product_review set pending_since = pending_since - make_interval(hours => ${hours})`),
  )

describe('a review', () => {
  it('is written by a customer who opened the product, once, and waits', async () => {
    expect((await write('CU1')).code).toBe(40901)
    const no = await written('CU1')
    expect(await rowOf(no)).toMatchObject({ reviewStatus: 'pending', verified: 'none', waitedMinutes: 0 })
    expect((await write('CU1', { reviewText: 'Even better' })).data.reviewNo).toBe(no)
    expect(await rowOf(no)).toMatchObject({ reviewStatus: 'pending', reviewText: 'Even better' })
  })

  it('shows no phone, no ID and no address on the screen or in the app', async () => {
    const no = await written('CU2', { reviewText: 'Call 0772 123 456 or a.b@mail.ug, ID CM92012345ABCD' })
    await show([no])
    const shown = 'Call ••• or •••, ID •••'
    expect((await rowOf(no)).reviewText).toBe(shown)
    const { list } = (await shelf.fromApp(marketReview.shown, { marketProductNo: product })).data
    expect(list.map(one => one.reviewText)).toContain(shown)
    const found = await shelf.ask(review.page, { reviewText: '0772 123' }, officer)
    expect(found.data.total).toBe(0)
  })

  it('is shown by itself after a day, unless a word or a report holds it', async () => {
    await shelf.kit.db.withTx(async tx => {
      const word = {
        wordNo: 'SW1',
        word: 'thieves',
        normalWord: 'thieves',
        wordLanguage: 'en',
        category: 'insult',
        scopes: ['feedback_reply'],
      }
      const row = { ...word, wordAction: 'block', createdTime: tx.now, updatedBy: 'U1', updatedTime: tx.now }
      await create(tx, sensitiveWords.machine, row, { event: 'item.create' }, system('test'))
      const made = { ...row, enabled: 'disabled', version: 0 }
      await transition(tx, sensitiveWords.machine, made, { event: 'item.enable' }, system('test'))
    })
    const [plain, rude] = [await written('CU3'), await written('CU4', { reviewText: 'They are thieves' })]
    await tick()
    expect((await rowOf(plain)).reviewStatus).toBe('pending')
    await older(25)
    await tick()
    expect((await rowOf(plain)).reviewStatus).toBe('shown')
    expect(await rowOf(rude)).toMatchObject({ reviewStatus: 'pending', wordHeld: true })
    await shelf.fromApp(marketReview.report, { customerNo: 'CU5', reviewNo: plain })
    await shelf.fromApp(marketReview.report, { customerNo: 'CU5', reviewNo: plain })
    expect((await rowOf(plain)).reportCount).toBe(1)
    await write('CU3', { reviewText: 'Changed my mind' })
    await older(25)
    await tick()
    expect((await rowOf(plain)).reviewStatus).toBe('pending')
  })

  it('supermarket 11: is hidden for a listed reason alone, and shown again', async () => {
    const no = await written('CU6')
    expect((await shelf.ask(review.hide, { reviewNos: [no] } as never, officer)).code).toBe(40001)
    expect((await shelf.ask(review.hide, { reviewNos: [no], hideReason: 'low_rating' } as never, officer)).code).toBe(
      40001,
    )
    expect((await hide([no])).data.ok).toBe(1)
    expect(await rowOf(no)).toMatchObject({ reviewStatus: 'hidden', hideReason: 'spam', handledBy: 'Officer' })
    expect((await hide([no])).data.fail).toBe(1)
    expect((await show([no])).data.ok).toBe(1)
    expect(await rowOf(no)).toMatchObject({ reviewStatus: 'shown', hideReason: null })
  })

  it('is answered by the brand once it is shown; the answer may not insult', async () => {
    const no = await written('CU7')
    const reply = async (replyText: string) =>
      shelf.ask(review.reply, { reviewNo: no, version: (await rowOf(no)).version, replyText }, officer)
    expect((await reply('Thank you')).code).toBe(40901)
    await show([no])
    expect((await reply('You are thieves')).code).toBe(40001)
    expect((await reply('Thank you')).code).toBe(0)
    const { replyText, review: row } = (await shelf.ask(review.detail, { reviewNo: no }, officer)).data
    expect([replyText, row.hasReply, row.repliedBy]).toEqual(['Thank you', true, 'Officer'])
  })
})

it('the average needs five reviews, and the row says what hiding does to it', async () => {
  const fresh = await shelf.online(await shelf.addPlatform())
  const nos = []
  for (const [n, rating] of [5, 5, 4, 4, 1].entries())
    nos.push(await written(`CU${20 + n}`, { marketProductNo: fresh, rating }))
  const average = async () => (await shelf.fromApp(marketReview.shown, { marketProductNo: fresh })).data.average
  await show(nos.slice(0, 4))
  expect(await average()).toBeNull()
  expect((await rowOf(nos[4] ?? '')).averageThen).toBe(3.8)
  await show(nos.slice(4))
  expect(await average()).toBe(3.8)
  expect(await rowOf(nos[0] ?? '')).toMatchObject({ averageNow: 3.8, averageThen: null })
})

it('supermarket 11: hiding more than twenty a day, or low ratings much oftener than good ones, waits for a second person', async () => {
  const [one, two, three] = [
    await shelf.online(await shelf.addPlatform()),
    await shelf.online(await shelf.addPlatform()),
    await shelf.online(await shelf.addPlatform()),
  ]
  const low: string[] = []
  for (let n = 0; n < 7; n++) low.push(await written(`CU${30 + n}`, { marketProductNo: one, rating: 1 }))
  const answer = await hide(low, other)
  expect(answer.data.ok).toBe(7)
  const states = await Promise.all(low.map(async no => (await rowOf(no)).reviewStatus))
  expect(states.filter(state => state === 'hidden')).toHaveLength(5)
  const waiting = low.find((_, n) => states[n] === 'pending') ?? ''
  expect(await rowOf(waiting)).toMatchObject({ pendingApproval: 'Other' })
  const { list } = (await shelf.ask(common.approvals, { objectNo: waiting, objectType: 'product_review' }, officer))
    .data
  const { approvalNo = '' } = list[0] ?? {}
  expect((await shelf.ask(common.approve, { approvalNo, version: 0 }, other)).code).toBe(40301)
  expect((await shelf.ask(common.approve, { approvalNo, version: 0 }, officer)).code).toBe(0)
  expect((await rowOf(waiting)).reviewStatus).toBe('hidden')
  const good: string[] = []
  for (const [of, first] of [
    [two, 40],
    [three, 55],
  ] as const)
    for (let n = 0; n < 12; n++) good.push(await written(`CU${first + n}`, { marketProductNo: of, rating: 5 }))
  const many = await shelf.kit.person({ perms, name: 'Many' })
  await hide(good, many)
  const hidden = await Promise.all(good.map(async no => (await rowOf(no)).reviewStatus === 'hidden'))
  expect(hidden.filter(Boolean)).toHaveLength(20)
})

it('a merchant sees the reviews of its own app', async () => {
  const brand = await shelf.kit.person({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
  expect((await shelf.ask(review.page, {}, brand)).data.total).toBe(0)
  const no = await written('CU70')
  expect((await shelf.ask(review.detail, { reviewNo: no }, brand)).code).toBe(40401)
  expect((await hide([no], brand)).data.rows[0]?.code).toBe(40401)
})
