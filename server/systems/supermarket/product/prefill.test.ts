import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { signatureOf } from '../../../http/defence/signature.ts'
import { postbackKeys } from '../platform/keys.ts'
import { platformInput } from '../platform/platform.facts.ts'
import { openShelf } from '../testing/shelf.ts'

const { platform, marketProduct, marketShelf } = contract
type Open = InputOf<typeof marketShelf.open>
const host = 'forms.partner.example'
let shelf: Awaited<ReturnType<typeof openShelf>>
let platformNo: string
let marketProductNo: string
const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = []
let answers: { status: number; text: string } | Error

const open = (more: Partial<Open> = {}) =>
  shelf.fromApp(marketShelf.open, {
    customerNo: 'CU1',
    appCode: 'BodaCash',
    marketProductNo,
    slot: 'refused_page',
    language: 'en',
    ...more,
  })
const clicks = async () => (await shelf.ask(marketProduct.clicks, { marketProductNo })).data.list
const versioned = async () => ({ platformNo, version: (await shelf.platformOf(platformNo)).version })

beforeAll(async () => {
  shelf = await openShelf([], async (url, { body, headers }) => {
    sent.push({ url: url.href, body, headers })
    if (answers instanceof Error) throw answers
    return answers
  })
  platformNo = await shelf.addPlatform({
    allowedHosts: host,
    prefillUrl: `https://${host}/prefill`,
    prefillFields: ['customerName', 'phone'],
  })
  await shelf.ask(platform.rotateKey, await versioned())
  marketProductNo = await shelf.online(platformNo, {}, { handoff: 'prefill' })
  await shelf.kit.db.withTx(tx =>
    tx.exec(sql`update customer set customer_name = 'Achen Mary', phone = '256772555001' where customer_no = 'CU1'`),
  )
})
beforeEach(() => {
  sent.length = 0
  answers = { status: 200, text: JSON.stringify({ sessionLink: `https://${host}/form/abc` }) }
})
afterAll(() => shelf.kit.close())

describe('supermarket 6: a product whose form is filled in', () => {
  it('asks the customer first, and until then nothing leaves and nothing is counted', async () => {
    const { data } = await open()
    expect(data).toEqual({
      clickId: null,
      targetLink: null,
      consent: { consentVersion: 1, consentText: 'I agree', prefillFields: ['customerName', 'phone'] },
    })
    expect(JSON.stringify(data)).not.toMatch(/Achen|256772555001/)
    expect(await open({ consentVersion: 7 })).toMatchObject({ data: { clickId: null, consent: { consentVersion: 1 } } })
    expect(sent).toEqual([])
    expect(await clicks()).toEqual([])
  })

  it('goes by the plain link when the customer declines', async () => {
    const { data } = await open({ declined: true })
    expect(new URL(String(data.targetLink)).searchParams.get('clickId')).toBe(data.clickId)
    expect(sent).toEqual([])
    expect(await clicks()).toMatchObject([{ clickId: data.clickId, consentVersion: null, prefilled: [] }])
  })

  it('hands over what the text names, signed, once the customer has agreed to it', async () => {
    const { data } = await open({ consentVersion: 1 })
    expect(data).toMatchObject({ targetLink: `https://${host}/form/abc`, consent: null })
    const [one] = sent
    expect(one?.url).toBe(`https://${host}/prefill`)
    expect(JSON.parse(String(one?.body))).toEqual({
      clickId: data.clickId,
      consentVersion: 1,
      customer: { customerName: 'Achen Mary', phone: '256772555001' },
    })
    const key = postbackKeys(shelf.secretKey)(platformNo, 1)
    expect(one?.headers['x-signature']).toBe(signatureOf(key, String(one?.headers['x-timestamp']), String(one?.body)))
    expect((await clicks()).find(({ clickId }) => clickId === data.clickId)).toMatchObject({
      consentVersion: 1,
      prefilled: ['customerName', 'phone'],
    })
    // The next opening asks again: a consent is for one time.
    expect((await open()).data.consent).not.toBeNull()
  })

  it.each([
    ['does not answer', new Error('timeout')],
    ['answers an error', { status: 500, text: '{}' }],
    ['answers no link', { status: 200, text: 'welcome' }],
    ['answers a link off its hosts', { status: 200, text: '{"sessionLink":"https://evil.example/form"}' }],
  ])('gives the plain link when the partner %s', async (_, answer) => {
    answers = answer
    const { data } = await open({ consentVersion: 1 })
    expect(String(data.targetLink)).toMatch(new RegExp(`^https://${host}/apply\\?clickId=`))
  })

  it('asks again once the text or the fields have changed, and a second person agrees to more fields', async () => {
    const { allowedHosts, version, ...held } = (await shelf.platformOf(platformNo)) as never as Record<string, unknown>
    const form = Object.fromEntries(
      [
        ...['platformName', 'platformKind', 'legalName', 'licenceNo', 'licenceExpiry', 'contactPerson', 'contactEmail'],
        ...['settlementMode', 'unitPrice', 'consentText', 'prefillUrl', 'prefillFields'],
      ].map(name => [name, held[name]]),
    )
    const change = { ...form, allowedHosts, platformNo, version, prefillFields: ['customerName', 'phone', 'idNumber'] }
    const { data } = await shelf.ask(platform.save, change as never)
    expect(data.approvalNo).not.toBeNull()
    expect((await open({ consentVersion: 1 })).data.clickId).not.toBeNull()
    await shelf.agree(String(data.approvalNo))
    expect((await open({ consentVersion: 1 })).data).toMatchObject({
      clickId: null,
      consent: { consentVersion: 2, prefillFields: ['customerName', 'phone', 'idNumber'] },
    })
  })

  it('is offered by a platform alone that says where, what and with which key', async () => {
    const wrongAt = (answer: { data: unknown }) =>
      (answer.data as { fields?: { path: string }[] }).fields?.map(one => one.path)
    const other = await shelf.addPlatform()
    const input = await shelf.inputOf(other, { handoff: 'prefill' })
    expect(wrongAt(await shelf.ask(marketProduct.save, input))).toEqual(['handoff'])
    const form = { ...platformInput(), allowedHosts: 'x.y.example' }
    for (const [more, path] of [
      [{ prefillUrl: 'https://x.y.example/p' }, 'prefillFields'],
      [{ prefillFields: ['phone'] }, 'prefillUrl'],
      [{ prefillUrl: 'https://elsewhere.example/p', prefillFields: ['phone'] }, 'prefillUrl'],
      [{ prefillUrl: 'http://x.y.example/p', prefillFields: ['phone'] }, 'prefillUrl'],
    ] as const)
      expect(wrongAt(await shelf.ask(platform.save, { ...form, ...more } as never))).toEqual([path])
  })
})
