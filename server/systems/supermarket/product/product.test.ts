import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { writeLegalCaps } from '../../risk/legal-cap/seed.ts'
import { openShelf } from '../testing/shelf.ts'

const { platform, marketProduct, marketShelf } = contract
let shelf: Awaited<ReturnType<typeof openShelf>>
let platformNo: string
beforeAll(async () => {
  shelf = await openShelf()
  platformNo = await shelf.addPlatform()
})
afterAll(() => shelf.kit.close())

const wrongAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] }).fields?.map(one => one.path)
const versioned = (no: string) => shelf.versioned(no)
const shown = async (customerNo?: string, appCode = 'BodaCash') =>
  (await shelf.fromApp(marketShelf.shelf, { appCode, ...(customerNo ? { customerNo } : {}) })).data.list.map(
    one => one.marketProductNo,
  )
const tick = () => shelf.kit.db.withTx(tx => shelf.products.scheduled![0]!.run(tx, { date: tx.today }))

describe('the description of a product', () => {
  it.each([
    'http://HOST/apply',
    'javascript:alert(1)',
    'https://HOST@evil.example/',
    'https://evil.example/',
    'https://HOST:8443/',
    'https://HOST/#top',
  ])('supermarket 1: is refused with the link %s, and nothing is kept', async link => {
    const input = await shelf.inputOf(platformNo)
    const host = new URL(input.applyUrl).hostname
    const answer = await shelf.ask(marketProduct.save, { ...input, applyUrl: link.replace('HOST', host) })
    expect(answer).toMatchObject({ code: 40001, msg: 'Please enter a correct value' })
    expect(wrongAt(answer)).toEqual(['applyUrl'])
    const { data } = await shelf.ask(marketProduct.page, { marketProductName: input.marketProductName })
    expect(data.total).toBe(0)
  })

  it.each([
    [{ amountMin: '0' }, 'amountMin'],
    [{ amountMin: '2000000.00' }, 'amountMax'],
    [{ termMin: 31 }, 'termMax'],
    [{ rateMonthMin: '3' }, 'rateMonthMax'],
  ])('is refused with %j', async (more, field) => {
    expect(wrongAt(await shelf.ask(marketProduct.save, await shelf.inputOf(platformNo, more)))).toEqual([field])
  })

  it('stands once on its platform under a name', async () => {
    const input = await shelf.inputOf(platformNo)
    expect((await shelf.ask(marketProduct.save, input)).code).toBe(0)
    const again = await shelf.ask(marketProduct.save, {
      ...input,
      marketProductName: input.marketProductName.toUpperCase(),
    })
    expect(again).toMatchObject({ code: 40001, msg: expect.stringContaining('already exists') })
  })

  it('is complete before it is submitted', async () => {
    const { data } = await shelf.ask(marketProduct.save, await shelf.inputOf(platformNo))
    const asked = { marketProductNo: data.marketProductNo, version: 0 }
    expect(await shelf.ask(marketProduct.submit, asked)).toMatchObject({
      code: 40901,
      msg: expect.stringContaining('complete information'),
    })
    expect((await shelf.productOf(data.marketProductNo)).blockedBy['marketProduct.submit']?.reason).toBe(
      'errors.marketIncomplete',
    )
  })
})

describe('two people', () => {
  it('supermarket 2: bring a product onto the shelf of the chosen apps: never the one who submitted it', async () => {
    const no = await shelf.draft(platformNo)
    await shelf.ask(marketProduct.submit, await versioned(no))
    const asked = { ...(await versioned(no)), ...shelf.placed }
    expect(await shelf.ask(marketProduct.operate, asked)).toMatchObject({ code: 40301 })
    expect(await shelf.ask(marketProduct.sendBack, { ...(await versioned(no)), reason: 'x' })).toMatchObject({
      code: 40301,
    })
    expect((await shelf.ask(marketProduct.operate, { ...asked, textsRead: false } as never, shelf.second)).code).toBe(
      40001,
    )
    expect((await shelf.ask(marketProduct.operate, { ...asked, appCodes: ['Elsewhere'] }, shelf.second)).code).toBe(
      40001,
    )
    expect((await shelf.ask(marketProduct.operate, asked, shelf.second)).code).toBe(0)
    expect(await shown('CU1')).toContain(no)
    const elsewhere = await shelf.fromApp(marketShelf.shelf, { appCode: 'MarketLoan' })
    expect(elsewhere.code).toBe(40301)
  })

  it('send it back with a reason, and take it off', async () => {
    const no = await shelf.draft(platformNo)
    await shelf.ask(marketProduct.submit, await versioned(no))
    expect(
      (await shelf.ask(marketProduct.sendBack, { ...(await versioned(no)), reason: 'Blurred logo' }, shelf.second))
        .code,
    ).toBe(0)
    expect(await shelf.productOf(no)).toMatchObject({ productStatus: 'draft', reason: 'Blurred logo' })
    const up = await shelf.online(platformNo)
    const answer = await shelf.ask(marketProduct.offline, { marketProductNos: [up, no], reason: 'Complaints' })
    expect(answer.data).toMatchObject({ ok: 1, fail: 1 })
    expect(await shown('CU1')).not.toContain(up)
  })

  it('supermarket 3: of an edit show the old data until the second has agreed', async () => {
    const no = await shelf.online(platformNo, { sort: 3 }, { marketProductName: 'Before' })
    const input = await shelf.inputOf(platformNo, {
      ...shelf.rest,
      marketProductName: 'After',
      ...(await versioned(no)),
      logo: undefined,
    })
    const { data } = await shelf.ask(marketProduct.save, input)
    expect(data.marketProductNo).not.toBe(no)
    expect((await shelf.ask(marketProduct.save, input)).code).toBe(40901)
    await shelf.kit.db.withTx(tx =>
      tx.exec(sql`update market_product set logo = 'UP1' where market_product_no = ${data.marketProductNo}`),
    )
    await shelf.ask(marketProduct.submit, await versioned(data.marketProductNo))
    const { changes } = (await shelf.ask(marketProduct.detail, { marketProductNo: data.marketProductNo })).data
    expect(changes.find(one => one.field === 'marketProductName')).toMatchObject({
      before: '"Before"',
      after: '"After"',
    })
    expect((await shelf.productOf(no)).marketProductName).toBe('Before')
    await shelf.ask(
      marketProduct.operate,
      { ...(await versioned(data.marketProductNo)), ...shelf.placed, sort: 4 },
      shelf.second,
    )
    expect(await shelf.productOf(no)).toMatchObject({ marketProductName: 'After', productStatus: 'online', sort: 4 })
    expect((await shelf.ask(marketProduct.detail, { marketProductNo: data.marketProductNo })).code).toBe(40401)
  })
})

describe('the shelf', () => {
  it('is empty for a customer who is overdue, and takes nobody whom the merchant does not know', async () => {
    const no = await shelf.online(platformNo)
    expect(await shown('CU2')).toContain(no)
    expect((await shelf.fromApp(marketShelf.shelf, { appCode: 'BodaCash', customerNo: 'NONE' })).code).toBe(40401)
    expect((await shelf.fromApp(marketShelf.shelf, { appCode: 'BodaCash' }, { secret: 'wrong' })).code).toBe(40301)
  })

  it('supermarket 7: hands over as many as the cap of the day says, however many come at once', async () => {
    const no = await shelf.online(platformNo, { dailyClickCap: 25 })
    const open = (n: number) =>
      shelf.fromApp(marketShelf.open, { customerNo: `CU${n}`, appCode: 'BodaCash', marketProductNo: no })
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => open(n + 1)))
    expect(answers.filter(one => one.code === 0)).toHaveLength(25)
    expect(answers.filter(one => one.code === 40901)).toHaveLength(39)
    expect(await shown('CU70')).not.toContain(no)
    const product = await shelf.productOf(no)
    expect(product).toMatchObject({ clicksToday: 25, clickCount: 25 })
  })

  it('without the cap in the statement that counts, more would be handed over', async () => {
    const no = await shelf.online(platformNo, { dailyClickCap: 1 })
    const counted = shelf.kit.db.withTx(async tx => {
      const cap = 1
      const seen = await tx.one(
        sql<{ n: number }>`select count(*)::int as n from market_click where market_product_no = ${no}`,
      )
      for (let n = 0; n < 3; n++)
        if (seen.n < cap)
          await tx.exec(sql`
            insert into market_clicks_today (market_product_no, business_date, taken) values (${no}, ${tx.today}, 1)
            on conflict (market_product_no, business_date) do update set taken = market_clicks_today.taken + 1`)
      return tx.one(sql<{ taken: number }>`select taken from market_clicks_today where market_product_no = ${no}`)
    })
    expect((await counted).taken).toBeGreaterThan(1)
  })

  it('gives the partner the number of the click and nothing of the customer', async () => {
    const no = await shelf.online(platformNo)
    const { data } = await shelf.fromApp(marketShelf.open, {
      customerNo: 'CU5',
      appCode: 'BodaCash',
      marketProductNo: no,
    })
    const url = new URL(String(data.targetLink))
    expect([...url.searchParams]).toEqual([['clickId', data.clickId]])
    expect(data.targetLink).not.toContain('CU5')
    const { list } = (await shelf.ask(marketProduct.clicks, { marketProductNo: no })).data
    expect(Object.keys(list[0] ?? {})).not.toContain('customerNo')
  })

  it('supermarket 4: loses what its clock ends: its time, and the licence of its platform', async () => {
    const later = new Date(Date.parse('2026-03-02T07:00:00Z') + 60_000).toISOString()
    const timed = await shelf.online(platformNo, { offlineTime: later })
    const other = await shelf.addPlatform({ licenceExpiry: '2026-03-02' })
    const licensed = await shelf.online(other)
    await tick()
    expect((await shelf.productOf(timed)).productStatus).toBe('online')
    await shelf.kit.db.withTx(async tx => {
      await tx.exec(sql`update market_product set offline_time = ${tx.now} where market_product_no = ${timed}`)
      await tx.exec(
        sql`update supermarket_platform set licence_expiry = ${tx.today}::date - 1 where platform_no = ${other}`,
      )
    })
    await tick()
    expect(await shelf.productOf(timed)).toMatchObject({ productStatus: 'offline', reason: 'market.offline.time' })
    expect(await shelf.productOf(licensed)).toMatchObject({
      productStatus: 'offline',
      reason: 'market.offline.licence',
    })
    expect((await shelf.ask(marketProduct.submit, await versioned(licensed))).code).toBe(40901)
  })
})

it('supermarket 12: a product of our own follows our price, and goes off when it no longer does', async () => {
  const own = await shelf.addPlatform({ platformKind: 'own', settlementMode: 'free', unitPrice: undefined })
  const applyUrl = (await shelf.inputOf(own)).applyUrl
  const partner = await shelf.ask(marketProduct.importOwn, {
    productNo: 'P1',
    platformNo,
    applyUrl: (await shelf.inputOf(platformNo)).applyUrl,
  })
  expect(wrongAt(partner)).toEqual(['platformNo'])
  const { data } = await shelf.ask(marketProduct.importOwn, { productNo: 'P1', platformNo: own, applyUrl })
  const imported = await shelf.productOf(data.marketProductNo)
  expect(imported).toMatchObject({
    amountMin: '50000.00',
    amountMax: '1000000.00',
    rateMonthMax: '30.00',
    sourceProductNo: 'P1',
  })
  await shelf.kit.db.withTx(tx =>
    tx.exec(sql`
      update market_product set logo = 'UP1', slogan = words, fee_text = words, conditions = words, required_docs = words from (select '{"zh": "好", "en": "Good", "sw": "Nzuri"}'::jsonb as words) w where market_product_no = ${data.marketProductNo}`),
  )
  await shelf.ask(marketProduct.submit, await versioned(data.marketProductNo))
  const asked = { ...(await versioned(data.marketProductNo)), ...shelf.placed, capReason: 'Fixture terms' }
  expect((await shelf.ask(marketProduct.operate, asked, shelf.second)).code).toBe(0)
  await tick()
  expect((await shelf.productOf(data.marketProductNo)).productStatus).toBe('online')
  await shelf.kit.db.withTx(tx =>
    tx.exec(sql`update product set terms = jsonb_set(terms, '{interest,ratePerDay}', '"0.9"') where product_no = 'P1'`),
  )
  await tick()
  expect(await shelf.productOf(data.marketProductNo)).toMatchObject({
    productStatus: 'offline',
    reason: 'market.offline.price',
  })
})

it('the order of an app is set by operations, over all it shows', async () => {
  const { list } = (
    await shelf.ask(marketProduct.page, { appCode: 'BodaCash', productStatus: ['online'], sort: 'sort', pageSize: 100 })
  ).data
  const nos = list.map(one => one.marketProductNo).reverse()
  expect((await shelf.ask(marketProduct.arrange, { appCode: 'BodaCash', marketProductNos: nos })).code).toBe(0)
  const seen = await shown('CU1')
  expect(seen.length).toBeGreaterThan(2)
  expect(seen).toEqual(nos.filter(no => seen.includes(no)))
  expect((await shelf.ask(marketProduct.arrange, { appCode: 'BodaCash', marketProductNos: nos.slice(1) })).code).toBe(
    40902,
  )
})

it('a link that fails twice takes its product off', async () => {
  const no = await shelf.online(platformNo)
  const queue = shelf.products.queues![0] as unknown as {
    before: (tx: never, job: { jobKey: string; payload: object }) => Promise<never>
    after: (tx: never, prepared: never, fault: string | null) => Promise<void>
  }
  const check = (fault: string | null) =>
    shelf.kit.db.withTx(async tx => {
      const prepared = await queue.before(tx as never, { jobKey: 'x', payload: { no } })
      await queue.after(tx as never, prepared, fault)
    })
  await check('certificate')
  expect(await shelf.productOf(no)).toMatchObject({ productStatus: 'online', linkFault: 'certificate' })
  await check(null)
  await check('timeout')
  await check('timeout')
  expect(await shelf.productOf(no)).toMatchObject({ productStatus: 'offline', reason: 'market.offline.link' })
})

it('one who may not see products is refused', async () => {
  const nobody = await shelf.kit.person({ perms: ['market:product:save'] })
  expect((await shelf.ask(marketProduct.page, {}, nobody)).code).toBe(40301)
  expect((await shelf.kit.call(platform.page, {}, { as: nobody })).code).toBe(40301)
})

it('what costs more than the law allows is not put up; above a cap that only warns a reason is asked for', async () => {
  const drafted = async (rate: string) => {
    const no = await shelf.draft(platformNo, { rateMonthMax: rate, allInMonthRate: rate })
    await shelf.ask(marketProduct.submit, await versioned(no))
    return { ...(await versioned(no)), ...shelf.placed }
  }
  const [dear, cheap] = [await drafted('9'), await drafted('2.5')]
  await shelf.kit.db.withTx(writeLegalCaps)
  expect((await shelf.productOf(dear.marketProductNo)).overCap).toBe(true)
  const refused = await shelf.ask(marketProduct.operate, dear, shelf.second)
  expect(refused).toMatchObject({ code: 40001, msg: expect.stringContaining('more than the law allows') })
  await shelf.kit.db.withTx(tx => tx.exec(sql`alter table legal_cap_version disable trigger user`))
  await shelf.kit.db.withTx(tx =>
    tx.exec(
      sql`update legal_cap_version set content = jsonb_set(content, '{capMode}', '"warn"') where cap_no in (select cap_no from legal_cap where cap_key in ('interest_month', 'interest_year'))`,
    ),
  )
  expect(wrongAt(await shelf.ask(marketProduct.operate, dear, shelf.second))).toEqual(['capReason'])
  expect(
    (await shelf.ask(marketProduct.operate, { ...dear, capReason: 'Agreed with counsel' }, shelf.second)).code,
  ).toBe(0)
  expect((await shelf.ask(marketProduct.operate, cheap, shelf.second)).code).toBe(0)
})
