import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { merchantConfigs } from '../../../../core/contract/merchant/merchant-config.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { signatureOf } from '../../../http/defence/signature.ts'
import type { NetworkHandler } from '../../../module.ts'
import type { PostOnce } from '../../../outgoing/open-link.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { application, type Sent, send } from '../../../testing/partner.ts'
import { intakeModule } from '../../order/intake/intake.ts'
import { collectCallbacks } from './callback-send.ts'
import { merchantConfigModule } from './merchant-config.ts'

type Values = Record<string, unknown>
type Answer = { code: number; msg: string; data: Values & { list: Values[] } }
type Row = Values & { version: number }
const { merchantConfig, common } = contract
const secretKey = Buffer.from('a key of this installation, kept well')
const form = {
  contractNo: 'MC/1',
  contractStart: '2026-01-01',
  contractEnd: '2027-01-01',
  settlementMode: 'prepaid',
  creditFloor: '0.00',
  lowBalance: '50000.00',
  contactEmail: 'ops@boda.example',
  contactPhone: '256772000111',
  environment: 'live',
}

describe('configurations of merchants, as every config list', () =>
  configSuite(merchantConfigs as never, {
    modules: [merchantConfigModule({ secretKey })],
    fresh: n => ({ ...form, contractNo: `MC/${n}`, merchantNo: `N${n}` }),
    changed: { settlementMode: 'postpaid' },
    differs: 'settlementMode',
    before: tx =>
      tx.exec(
        sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) select 'N' || n, 'New ' || n, 'New' || n, 'O1' from generate_series(1, 40) n`,
      ),
  }))

describe('connecting a merchant', () => {
  const posted: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = []
  let answers: number | 'silent' = 200
  const post: PostOnce = async (url, { body, headers }) => {
    posted.push({ url: url.href, body, headers })
    if (answers === 'silent') throw Object.assign(new Error('timeout'), { code: 'TIMEOUT' })
    return { status: answers, text: 'ok' }
  }
  const module_ = merchantConfigModule({ secretKey }, { post })
  let kit: Kit
  let maker: Person
  let checker: Person

  const ask = async (endpoint: unknown, input: Values, as = maker) =>
    (await kit.call(endpoint as Endpoint, input as never, { as, language: 'en' })) as unknown as Answer
  const row = async (merchantNo = 'M1') => (await ask(merchantConfig.detail, { merchantNo })).data as unknown as Row
  const versioned = async (merchantNo = 'M1') => ({ merchantNo, version: (await row(merchantNo)).version })
  const agree = (approvalNo: unknown) => ask(common.approve, { approvalNo, version: 0 }, checker)
  const agreed = async (answer: Answer) => {
    expect(answer, answer.msg).toMatchObject({ code: 0 })
    expect((await agree(answer.data.approvalNo)).code).toBe(0)
  }
  let seed = 100
  const order = (sent: Sent = {}) => send(kit, application(++seed), sent)
  const newKey = async (environment = 'live', merchantNo = 'M1') =>
    ask(merchantConfig.credentialCreate, { ...(await versioned(merchantNo)), environment })
  const endKey = async (apiKeyId: unknown, typedKeyId?: unknown) =>
    ask(merchantConfig.credentialEnd, { ...(await versioned()), apiKeyId, ...(typedKeyId ? { typedKeyId } : {}) })
  const callback = async (change: Values) =>
    ask(merchantConfig.callbackSave, { ...(await versioned()), callbackEvents: [], ...change })
  const queued = async () => {
    const [sender] = module_.queues as unknown as [NetworkHandler<unknown, unknown>]
    const jobs = await due()
    for (const { payload } of jobs) {
      const prepared = await kit.db.withTx(tx => sender.before(tx, { jobKey: '', payload }))
      if (prepared === null) continue
      const answer = await sender.send(prepared)
      await kit.db.withTx(tx => sender.after(tx, prepared, answer))
    }
    return jobs.length
  }
  /** Takes what is due off the queue. */
  const due = () =>
    kit.db.withTx(tx =>
      tx.rows(
        sql<{
          payload: Values
        }>`update job set state = 'done', finished_time = ${tx.now} where queue = 'merchant.callback' and state = 'ready' and run_at <= ${tx.now} returning payload`,
      ),
    )
  const collect = () => kit.db.withTx(tx => collectCallbacks.run(tx, { date: tx.today }))
  const callbacks = async (filters: Values = {}) =>
    (await ask(merchantConfig.callbacks, filters)).data.list as unknown as Row[]

  beforeAll(async () => {
    kit = await openKit({
      modules: [module_, intakeModule({ secretKey }), approvalModule(module_.approvals ?? [])],
    })
    const codes = [...Object.values(merchantConfigs.codes), 'merchant:config:secret']
    maker = await kit.person({ perms: codes, name: 'Maker' })
    checker = await kit.person({ perms: [...codes, ...codes.map(code => `${code}:check`)], name: 'Checker' })
    expect((await ask(merchantConfig.add, { ...form, merchantNo: 'M1' })).code).toBe(0)
  })
  afterAll(() => kit.close())

  it('a merchant is set up once, and goes on sending orders', async () => {
    const again = await ask(merchantConfig.add, { ...form, contractNo: 'MC/2', merchantNo: 'M1' })
    expect(again.code).toBe(40001)
    expect(await row()).toMatchObject({ enabled: 'enabled', liveKeys: 1, balanceState: 'at_floor', daysLeft: null })
    expect((await order()).code).toBe(0)
  })

  it.each([
    [{ creditFloor: '-1.00' }, 'creditFloor'],
    [{ settlementMode: 'postpaid', creditFloor: '1.00' }, 'creditFloor'],
    [{ creditFloor: '60000.00' }, 'lowBalance'],
    [{ contractEnd: '2026-01-01' }, 'contractEnd'],
  ])('%j is refused', async (change, path) => {
    const answer = await ask(merchantConfig.save, { ...(await versioned()), ...form, ...change })
    expect(answer).toMatchObject({ code: 40001, data: { fields: [{ path }] } })
  })

  it('that a merchant may owe more is agreed to by two, a higher mark is not', async () => {
    const low = await ask(merchantConfig.save, { ...(await versioned()), ...form, lowBalance: '70000.00' })
    expect(low.data.approvalNo).toBeNull()
    await agreed(
      await ask(merchantConfig.save, {
        ...(await versioned()),
        ...form,
        settlementMode: 'postpaid',
        creditFloor: '-100000.00',
      }),
    )
    expect(await row()).toMatchObject({ settlementMode: 'postpaid', creditFloor: '-100000.00', balanceState: 'low' })
  })

  it('merchant 12: two keys are taken until the old one is ended, and a secret is shown once', async () => {
    kit.clock.advance(1000)
    const made = await newKey()
    expect(made, made.msg).toMatchObject({ code: 0 })
    const { apiKeyId, apiSecret } = made.data as unknown as { apiKeyId: string; apiSecret: string }
    expect((await order()).code).toBe(0)
    expect((await order({ secret: apiSecret })).code).toBe(0)
    expect(await newKey()).toMatchObject({ code: 40901 })

    const { keys } = (await ask(merchantConfig.integration, { merchantNo: 'M1' })).data as unknown as {
      keys: Values[]
    }
    expect(JSON.stringify([keys, await row()])).not.toContain(apiSecret)
    expect(keys).toMatchObject([
      { apiKeyId, callsToday: 1, usedWithinHour: true },
      { apiKeyId: 'K1', callsToday: 2, usedWithinHour: true },
    ])
    const kept = await kit.db.read(tx =>
      tx.rows(sql`select secret from merchant_credential where api_key_id = ${apiKeyId}`),
    )
    expect(JSON.stringify(kept)).not.toContain(apiSecret)

    const stored = await kit.db.read(tx => tx.rows(sql`select * from idempotency`))
    expect(JSON.stringify(stored)).not.toContain(apiSecret)
    expect(await endKey('K1')).toMatchObject({ code: 40001 })
    expect(await endKey('K1', apiKeyId)).toMatchObject({ code: 40001 })
    expect((await endKey('K1', 'K1')).code).toBe(0)
    expect((await order()).code).toBe(40301)
    expect((await order({ secret: apiSecret })).code).toBe(0)
    expect(await endKey('K1', 'K1')).toMatchObject({ code: 40401 })
    current = apiSecret
  })
  let current = ''

  it('the same call again makes no second key and shows none', async () => {
    const input = { ...(await versioned()), environment: 'live' as const }
    const call = () =>
      kit.call(merchantConfig.credentialCreate, input, { as: maker, key: 'a-key-of-one-call-0001', language: 'en' })
    const first = await call()
    expect(first.code).toBe(0)
    expect(await call()).toMatchObject({ code: 40903 })
    expect(await row()).toMatchObject({ liveKeys: 2 })
    const { apiKeyId } = first.data as { apiKeyId: string }
    await endKey(apiKeyId)
  })

  it('a test key makes no order for a live merchant', async () => {
    const { apiSecret, apiKeyId } = (await newKey('test')).data as unknown as { apiKeyId: string; apiSecret: string }
    expect(await order({ secret: apiSecret })).toMatchObject({ code: 40301, msg: expect.stringMatching(/test/i) })
    await endKey(apiKeyId, apiKeyId)
  })

  it('calls from elsewhere are refused while there is a list of addresses', async () => {
    expect((await callback({ ipAllowList: '41.210.1.2, 41.210.1.2' })).code).toBe(0)
    expect(await row()).toMatchObject({ ipAllowList: '41.210.1.2' })
    expect((await order({ secret: current })).code).toBe(40301)
    expect(await callback({ ipAllowList: 'everywhere' })).toMatchObject({ code: 40001 })
    await callback({})
    expect((await order({ secret: current })).code).toBe(0)
  })

  it.each(['http://partner.example/x', 'https://10.0.0.1/x', 'https://localhost/x', 'https://partner.example:81/x'])(
    '%s is no address for callbacks',
    async callbackUrl => expect(await callback({ callbackUrl })).toMatchObject({ code: 40001 }),
  )

  it('another host is called once a second person agrees; a signed example goes there', async () => {
    expect(await ask(merchantConfig.callbackTest, { merchantNo: 'M1' })).toMatchObject({ code: 40901 })
    const url = 'https://partner.example/mkopo'
    await agreed(await callback({ callbackUrl: url, callbackEvents: ['order.status'] }))
    const tested = await ask(merchantConfig.callbackTest, { merchantNo: 'M1' })
    expect(tested.data).toMatchObject({ callbackUrl: url, answerCode: 200, answerText: 'ok' })
    const [{ body, headers }] = posted.splice(0) as [(typeof posted)[number]]
    expect(headers['x-signature']).toBe(signatureOf(current, String(headers['x-timestamp']), body))
    const same = await callback({ callbackUrl: `${url}/2`, callbackEvents: ['order.status'] })
    expect(same.data.approvalNo).toBeNull()
  })

  it('what happens to an order is sent once, signed, and without anything of the person', async () => {
    kit.clock.advance(1000)
    const { data } = await order({ secret: current })
    await collect()
    await collect()
    expect(await queued()).toBe(1)
    const [{ body, url }] = posted.splice(0) as [(typeof posted)[number]]
    expect(url).toBe('https://partner.example/mkopo/2')
    expect(Object.keys(JSON.parse(body)).sort()).toEqual([
      'event',
      'eventId',
      'orderNo',
      'status',
      'thirdOrderNo',
      'time',
    ])
    expect(await callbacks()).toMatchObject([{ orderNo: data.orderNo, delivery: 'delivered', tryCount: 1 }])
    expect(await row()).toMatchObject({ callbackHealth: 100, deadCallbacks: 0 })
  })

  it('a receiver that stays away is tried ten times in a day, and sent again by hand', async () => {
    await order({ secret: current })
    await collect()
    answers = 'silent'
    const begun = kit.clock.now().getTime()
    for (let tries = 0; tries < 10; tries++) {
      expect(await queued()).toBe(1)
      kit.clock.advance(600 * 60_000)
    }
    expect(await queued()).toBe(0)
    expect(kit.clock.now().getTime()).toBeGreaterThan(begun)
    await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
    const [dead] = (await callbacks({ delivery: ['dead'] })) as [Row]
    expect(dead).toMatchObject({ tryCount: 10, answerCode: null, answerText: 'timeout' })
    answers = 200
    const { callbackNo } = dead
    expect((await ask(merchantConfig.resend, { callbackNos: [callbackNo] })).data).toMatchObject({ ok: 1, fail: 0 })
    expect((await ask(merchantConfig.resend, { callbackNos: [callbackNo] })).data).toMatchObject({ ok: 0, fail: 1 })
    await queued()
    expect(await callbacks({ delivery: ['dead'] })).toEqual([])
  })

  it('a merchant that is disabled by two sends no orders', async () => {
    await agreed(await ask(merchantConfig.state, { ...(await versioned()), enabled: false }))
    expect((await order({ secret: current })).code).toBe(40301)
    await agreed(await ask(merchantConfig.state, { ...(await versioned()), enabled: true }))
    expect((await order({ secret: current })).code).toBe(0)
  })

  it('cards are kept within their limits; the wallet is what the ledger says', async () => {
    const cards = { cardTypes: ['wallet'], maxCardsPerCustomer: 3, cardVerifyMode: 'none', changeCoolingHours: 12 }
    expect((await ask(merchantConfig.cardSave, { ...(await versioned()), ...cards })).code).toBe(0)
    const over = await ask(merchantConfig.cardSave, { ...(await versioned()), ...cards, maxCardsPerCustomer: 6 })
    expect(over.code).toBe(40001)
    expect((await ask(merchantConfig.wallet, { merchantNo: 'M1' })).data).toMatchObject({
      walletBalance: '0.00',
      availableBalance: '0.00',
      daysLeft: null,
    })
    expect(await row()).toMatchObject(cards)
  })

  it('merchant 13: people of another merchant see and change nothing of it', async () => {
    const other = await kit.person({
      perms: Object.values(merchantConfigs.codes),
      merchants: ['M2'],
      limit: 'own_merchants',
      name: 'Other',
    })
    expect((await ask(merchantConfig.page, {}, other)).data.list).toEqual([])
    expect((await ask(merchantConfig.callbacks, {}, other)).data.list).toEqual([])
    for (const call of [merchantConfig.detail, merchantConfig.integration, merchantConfig.wallet])
      expect((await ask(call, { merchantNo: 'M1' }, other)).code).toBe(40401)
    expect((await ask(merchantConfig.add, { ...form, contractNo: 'MC/9', merchantNo: 'M1' }, other)).code).toBe(40001)
  })
})
