import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { text } from '../../../../core/i18n/server.ts'
import { signatureOf } from '../../../http/defence/signature.ts'
import { fixtureTerms, type Kit, openKit } from '../../../testing/kit.ts'
import { law } from '../../../testing/law.ts'
import { application, send } from '../../../testing/partner.ts'
import { intakeModule } from './intake.ts'

let kit: Kit
let seed = 1000
const next = (change: Parameters<typeof application>[1] = {}) => application(++seed, change)

beforeAll(async () => {
  kit = await openKit({ modules: [intakeModule()] })
})
afterAll(() => kit.close())

const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const one = async <T>(query: ReturnType<typeof sql<T>>) => (await rows(query))[0] as T
const counted = async () =>
  one(sql<{ orders: number; customers: number; jobs: number; lines: number }>`
    select (select count(*)::int from loan_order) as orders, (select count(*)::int from customer) as customers, (select count(*)::int from job) as jobs, (select count(*)::int from audit_log) as lines`)
const write = (query: ReturnType<typeof sql>) => kit.db.withTx(tx => tx.exec(query))

describe('an application', () => {
  it('becomes an order with the terms of that day, its customer, contacts and consents, and waits for machine review', async () => {
    const body = next()
    const { code, data } = await send(kit, body)
    expect({ code, status: data.orderStatus }).toEqual({ code: 0, status: 'machine_reviewing' })
    expect(data.orderNo).toMatch(/^LO260302[0-9A-Z]{8}$/)
    const order = await one(sql<Record<string, unknown>>`
      select o.*, c.customer_name, c.id_number, c.credit_limit, c.remaining_limit, (select count(*)::int from order_contact x where x.order_no = o.order_no and x.contact_source = 'declared') as contacts, (select count(*)::int from order_consent x where x.order_no = o.order_no) as consents
      from loan_order o join customer c using (customer_no) where order_no = ${data.orderNo}`)
    expect(order).toMatchObject({
      thirdOrderNo: body.thirdOrderNo,
      merchantNo: 'M1',
      productNo: 'P1',
      orderStatus: 'machine_reviewing',
      requestedAmount: '200000.00',
      loanAmount: '200000.00',
      term: 14,
      installmentCount: 2,
      loanKind: 'first',
      customerName: body.customer.customerName,
      idNumber: body.customer.idNumber,
      walletAccount: body.payout.walletAccount,
      payoutVerify: 'not_verified',
      dataSource: 'intake',
      contacts: body.contacts.length,
      consents: body.consents.length,
    })
    expect(order.terms).toEqual(fixtureTerms)
    expect(order.device).toEqual(body.device)
    expect(String(order.actualLoanAmount)).toMatch(/^\d+\.00$/)
    expect(order.payCode).toMatch(/^7\d{9}$/)
    expect(await rows(sql<object>`select queue, job_key from job where job_key = ${data.orderNo}`)).toEqual([
      { queue: 'machine.review', jobKey: data.orderNo },
    ])
    expect(
      await rows(
        sql<object>`select machine, event, from_state, to_state, actor from state_transition where object_no = ${data.orderNo}`,
      ),
    ).toEqual([
      { machine: 'M10', event: 'order.create', fromState: '∅', toState: 'machine_reviewing', actor: 'merchant:M1' },
    ])
    expect(
      await rows(
        sql<object>`select action, object_type, object_no, actor, actor_name from audit_log where order_no = ${data.orderNo}`,
      ),
    ).toEqual([
      {
        action: 'order.create',
        objectType: 'order',
        objectNo: data.orderNo,
        actor: 'merchant:M1',
        actorName: 'Boda Cash',
      },
    ])
  })

  it('is frozen with its terms: a later change of the product does not reach it', async () => {
    const { data } = await send(kit, next())
    await write(sql`update product set terms = jsonb_set(terms, '{termDays}', '28') where product_no = 'P1'`)
    const { terms } = await one(
      sql<{ terms: { termDays: number } }>`select terms from loan_order where order_no = ${data.orderNo}`,
    )
    await write(sql`update product set terms = jsonb_set(terms, '{termDays}', '14') where product_no = 'P1'`)
    expect(terms.termDays).toBe(14)
  })

  const known = (orderNo: string) =>
    one(sql<{ customerNo: string }>`
      select c.customer_no, c.customer_name, c.phone, c.district, c.email
      from loan_order o join order_customer c using (customer_no, merchant_no) where order_no = ${orderNo}`)

  it('belongs to one customer across apps; what one merchant is given changes nothing at another', async () => {
    const first = next()
    const given = { phone: '256770000777', district: 'Gulu', email: 'other@example.com' }
    const other = {
      ...next(),
      productNo: 'P2',
      customer: { ...first.customer, ...given, customerName: 'Somebody Else' },
    }
    const a = await send(kit, first)
    const before = await known(a.data.orderNo)
    const b = await send(kit, other, { merchantNo: 'M2', secret: 'secret-two' })
    const { customerName } = first.customer
    expect(await known(a.data.orderNo)).toEqual(before)
    expect(before).toMatchObject({ customerName, phone: first.customer.phone, district: first.customer.district })
    expect(await known(b.data.orderNo)).toMatchObject({ customerNo: before.customerNo, customerName, ...given })
  })

  it('brings up to date what its own merchant knows', async () => {
    const first = next()
    const a = await send(kit, first)
    const again = { ...next(), customer: { ...first.customer, phone: '256770000778', email: undefined } }
    await send(kit, again)
    expect(await known(a.data.orderNo)).toMatchObject({ phone: '256770000778', email: first.customer.email ?? null })
  })

  it('is a repeat loan once the customer was paid a loan', async () => {
    const body = next()
    const first = await send(kit, body)
    await write(sql`update loan_order set payout_time = now() where order_no = ${first.data.orderNo}`)
    const second = await send(kit, { ...body, thirdOrderNo: `${body.thirdOrderNo}-again` })
    expect(await one(sql<object>`select loan_kind from loan_order where order_no = ${second.data.orderNo}`)).toEqual({
      loanKind: 'repeat',
    })
  })
})

describe('sending again', () => {
  it('merchant 2: gives the same answer and makes nothing new', async () => {
    const body = next()
    const first = await send(kit, body)
    const { lines, ...before } = await counted()
    expect(await send(kit, body)).toEqual(first)
    expect(await counted()).toEqual({ ...before, lines: lines + 1 })
  })

  it('gives the same answer when both arrive at once', async () => {
    const body = next()
    const [a, b] = await Promise.all([send(kit, body), send(kit, body)])
    expect(a.code).toBe(0)
    expect(b).toEqual(a)
  })

  it('gives the same answer after the key was forgotten, to the same application', async () => {
    const body = next()
    const first = await send(kit, body)
    await write(sql`delete from idempotency`)
    expect(await send(kit, body)).toEqual(first)
    await write(sql`delete from idempotency`)
    expect((await send(kit, { ...body, loanAmount: '300000.00' })).code).toBe(40903)
  })

  it('merchant 2: refuses other content under the number, and changes nothing', async () => {
    const body = next()
    await send(kit, body)
    const before = await counted()
    expect(await send(kit, { ...body, loanAmount: '300000.00' })).toEqual({
      code: 40903,
      msg: 'This third-party order number was already used with other content',
      data: { intakeCode: '103' },
    })
    expect(await counted()).toEqual(before)
  })

  it('keeps the numbers of two merchants apart', async () => {
    const body = next()
    const first = await send(kit, body)
    const second = await send(kit, { ...body, productNo: 'P2' }, { merchantNo: 'M2', secret: 'secret-two' })
    expect(second.code).toBe(0)
    expect(second.data.orderNo).not.toBe(first.data.orderNo)
  })
})

describe('a signature', () => {
  const refused = { code: 40301, msg: 'The signature is invalid', data: null }
  it.each([
    ['of another secret', { secret: 'secret-two' }],
    ['of an unknown merchant', { merchantNo: 'M9' }],
    ['of another merchant', { merchantNo: 'M2' }],
    ['that is none', { signature: 'ff' }],
    ['that is empty', { signature: '' }],
    ['six minutes old', { timestamp: String(Date.now() - 6 * 60_000) }],
    ['six minutes ahead', { timestamp: String(Date.now() + 6 * 60_000) }],
    ['without a time', { timestamp: 'soon' }],
  ])('merchant 3: %s is refused, and nothing changes', async (_, sent) => {
    const before = await counted()
    expect(await send(kit, next(), sent)).toEqual(refused)
    expect(await counted()).toEqual(before)
  })

  it('does not cover a body that was changed on the way', async () => {
    const timestamp = String(Date.now())
    const body = next()
    const signature = signatureOf('secret-one', timestamp, JSON.stringify(body))
    expect(await send(kit, { ...body, loanAmount: '900000.00' }, { timestamp, signature })).toEqual(refused)
    expect((await send(kit, body, { timestamp, signature: signature.toUpperCase() })).code).toBe(0)
  })

  it('comes first: what is wrong with an application is answered to its signer alone', async () => {
    const wrong = { ...next(), loanAmount: 'much' }
    expect(await send(kit, wrong, { signature: 'ff' })).toEqual(refused)
    expect(await send(kit, '{"thirdOrderNo":', { signature: 'ff' })).toEqual(refused)
    expect(await send(kit, wrong)).toMatchObject({ code: 40001, data: { fields: [{ path: 'loanAmount' }] } })
    expect(await send(kit, '{"thirdOrderNo":')).toMatchObject({ code: 40001, msg: text('en', 'errors.brokenJson') })
  })

  it('may be four minutes old by the business clock or by the real one', async () => {
    expect((await send(kit, next(), { timestamp: String(kit.clock.now().getTime() - 4 * 60_000) })).code).toBe(0)
    expect((await send(kit, next(), { timestamp: String(Math.floor(Date.now() / 1000) - 240) })).code).toBe(0)
  })
})

describe('an application is refused', () => {
  it.each([
    ['below the product', { loanAmount: '40000.00' }, 'loanAmount', 'The amount is outside the product’s limits'],
    ['above the product', { loanAmount: '1010000.00' }, 'loanAmount', 'The amount is outside the product’s limits'],
    ['off the step', { loanAmount: '125000.00' }, 'loanAmount', 'Enter a multiple of UGX 10,000'],
    ['for another merchant’s product', { productNo: 'P2' }, 'productNo', 'Please enter a correct value'],
    ['for no product', { productNo: 'P9' }, 'productNo', 'Please enter a correct value'],
  ])('%s', async (_, change, path, msg) => {
    const before = await counted()
    expect(await send(kit, next(change))).toMatchObject({ code: 40001, msg, data: { fields: [{ path, msg }] } })
    expect(await counted()).toEqual(before)
  })

  it('may be sent right after it was refused', async () => {
    const body = next({ loanAmount: '40000.00' })
    await send(kit, body)
    expect((await send(kit, { ...body, loanAmount: '50000.00' })).code).toBe(0)
  })

  it('with an unknown field, a wrong type or broken JSON', async () => {
    expect((await send(kit, { ...next(), bonus: 1 })).code).toBe(40001)
    expect((await send(kit, { ...next(), loanAmount: 200000 })).code).toBe(40001)
    expect((await send(kit, '{"thirdOrderNo":')).code).toBe(40001)
  })

  it('by a merchant that is closed', async () => {
    await write(sql`update merchant set drain = true where merchant_no = 'M2'`)
    expect(await send(kit, next({ productNo: 'P2' }), { merchantNo: 'M2', secret: 'secret-two' })).toMatchObject({
      code: 40301,
      msg: 'The merchant is closed',
    })
    await write(sql`update merchant set drain = false where merchant_no = 'M2'`)
  })

  it('at a price above a cap of the law, which is named', async () => {
    await write(law({ capKey: 'interest_month', capValue: '2.8' }))
    expect(await send(kit, next())).toMatchObject({
      code: 40001,
      msg: 'The price is above the legal cap: Interest per month is 30%, the law allows at most 2.8%',
    })
    await write(law())
    await write(law({ capKey: 'interest_month', capValue: '2.8', from: '2026-03-03' }))
    expect((await send(kit, next())).code).toBe(0)
    await write(law())
  })

  it('by the traffic limit: 0 takes new customers only, 1 those who settled a loan', async () => {
    const body = next({ productNo: 'P2' })
    const as = { merchantNo: 'M2', secret: 'secret-two' }
    const limit = (value: number) => write(sql`update merchant set traffic_limit = ${value} where merchant_no = 'M2'`)
    await limit(1)
    expect(await send(kit, body, as)).toMatchObject({
      code: 41001,
      msg: 'The merchant does not accept this kind of customer at present',
    })
    await limit(0)
    const first = await send(kit, body, as)
    expect(first.code).toBe(0)
    await write(sql`update loan_order set settled_time = now() where order_no = ${first.data.orderNo}`)
    expect((await send(kit, { ...body, thirdOrderNo: 'again-0' }, as)).code).toBe(41001)
    await limit(1)
    expect((await send(kit, { ...body, thirdOrderNo: 'again-1' }, as)).code).toBe(0)
    await limit(-1)
  })
})
