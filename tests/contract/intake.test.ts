import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { languages } from '../../core/i18n/language.ts'
import { signatureOf } from '../../server/http/defence/signature.ts'
import { application } from '../../server/testing/partner.ts'
import { writesOf } from '../../server/testing/writes.ts'
import { type Fixture, openFixture } from './fixture.ts'

const { apply } = contract.intake
const minutes = 60_000

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

type Signed = {
  merchantNo?: string
  secret?: string
  timestamp?: string
  signed?: string
  sent?: string
  language?: (typeof languages)[number]
}
const body = (seed: number, change = {}) => JSON.stringify(application(seed, change))

/** Sends a body signed as a partner signs it, with one thing of it wrong. */
const send = (text: string, o: Signed = {}) => {
  const { merchantNo = 'M1', secret = 'secret-one', timestamp = String(Date.now()), signed = text, language = 'en' } = o
  const headers = {
    'x-merchant': merchantNo,
    'x-timestamp': timestamp,
    'x-signature': signatureOf(secret, timestamp, signed),
  }
  return fixture.ask(apply, {}, { body: o.sent ?? text, headers, language })
}

const wrong: [string, (text: string) => Signed][] = [
  ['with the secret of another merchant', () => ({ secret: 'secret-two' })],
  ['in the name of another merchant', () => ({ merchantNo: 'M2' })],
  ['by a merchant that there is not', () => ({ merchantNo: 'M9' })],
  ['six minutes ago', () => ({ timestamp: String(Date.now() - 6 * minutes) })],
  ['for a time to come', () => ({ timestamp: String(Date.now() + 6 * minutes) })],
  ['at no time at all', () => ({ timestamp: 'yesterday' })],
  ['and changed on its way', text => ({ sent: text.replace('200000.00', '900000.00') })],
  ['and changed by a space', text => ({ sent: `${text} ` })],
]

describe('an application', () => {
  it.each(wrong)('signed %s is refused in the language of the partner, and changes nothing', async (_, spoil) => {
    const written = await writesOf(fixture.db)
    const text = body(1)
    const messages = new Set<string>()
    for (const language of languages) {
      const heard = await send(text, { ...spoil(text), language })
      expect(heard).toMatchObject({ code: 40301, status: 200, data: null })
      messages.add(heard.msg)
    }
    expect(messages.size).toBe(languages.length)
    expect(await written()).toEqual([])
  })

  it.each([
    ['x-merchant', ''],
    ['x-timestamp', ''],
    ['x-signature', ''],
    ['x-signature', 'f'.repeat(64)],
  ])('with %s "%s" is refused', async (name, value) => {
    const text = body(1)
    const timestamp = String(Date.now())
    const headers = {
      'x-merchant': 'M1',
      'x-timestamp': timestamp,
      'x-signature': signatureOf('secret-one', timestamp, text),
    }
    expect((await fixture.ask(apply, {}, { body: text, headers: { ...headers, [name]: value } })).code).toBe(40301)
  })

  it('is taken once, and answered the same when it comes again under another signature', async () => {
    const text = body(2)
    const first = await send(text)
    expect(first).toMatchObject({ code: 0, data: { orderStatus: 'machine_reviewing' } })
    const orders = () => fixture.rows(sql`select order_no, version from loan_order`)
    const before = await orders()
    const again = await send(text, { timestamp: String(Date.now() - minutes) })
    expect(again.data).toEqual(first.data)
    expect(await orders()).toEqual(before)
  })

  it.each([
    ['another amount', { loanAmount: '300000.00' }],
    ['another wallet', { payout: { ...application(2).payout, walletAccount: '256772999999' } }],
    ['another person', { customer: { ...application(2).customer, idNumber: 'CM00000000ZZZZ' } }],
  ])('under the number of another, with %s, is refused and changes nothing', async (_, change) => {
    const written = await writesOf(fixture.db)
    const messages = new Set<string>()
    for (const language of languages) {
      const heard = await send(body(2, change), { language })
      expect(heard.code).toBe(40903)
      messages.add(heard.msg)
    }
    expect(messages.size).toBe(languages.length)
    expect(await written()).toEqual([])
  })

  it.each([
    ['a product of another merchant', { productNo: 'P2' }, 'productNo'],
    ['less than the product lends', { loanAmount: '10000.00' }, 'loanAmount'],
    ['more than the product lends', { loanAmount: '5000000.00' }, 'loanAmount'],
    ['an amount between the steps', { loanAmount: '205000.00' }, 'loanAmount'],
  ])('for %s is refused at its field, and changes nothing', async (_, change, path) => {
    const written = await writesOf(fixture.db)
    const heard = await send(body(3, change))
    expect(heard).toMatchObject({ code: 40001, data: { fields: [{ path }] } })
    expect(await written()).toEqual([])
  })

  it('of a closed merchant is refused', async () => {
    await fixture.exec(sql`update merchant set drain = true where merchant_no = 'M1'`)
    const written = await writesOf(fixture.db)
    expect((await send(body(4))).code).toBe(40301)
    expect(await written()).toEqual([])
    await fixture.exec(sql`update merchant set drain = false where merchant_no = 'M1'`)
  })
})
