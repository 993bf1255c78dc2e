import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { base } from '../../../../core/contract/endpoint.ts'
import { addDays, eatDate, startOfEatDay } from '../../../../core/rules/time.ts'
import { approvalModule } from '../../../approval/approval.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { type Kit, openKit, type Person } from '../../../testing/kit.ts'
import { consumptionModule } from './consumption.ts'
import { consume, walletBalance } from './index.ts'

const { consumption } = contract
let kit: Kit
let boss: Person
let brand: Person
const perms = ['page', 'reverse', 'export'].map(one => `merchant:consumption:${one}`)
const used = (subjectNo: string, quantity: number, merchantNo = 'M1') =>
  kit.db.withTx(tx => consume(tx, { meter: 'sms_part', subjectNo, merchantNo, quantity }))
const tick = (name: string) =>
  kit.db.withTx(async tx => {
    const job = consumptionModule().scheduled?.find(one => one.job === name)
    return job?.run(tx, { date: tx.today })
  })
const rows = async (filters: object = {}, as = boss) =>
  (await kit.call(consumption.page, filters as never, { as })).data.list
const wallet = (merchantNo = 'M1') => kit.db.withTx(tx => walletBalance(tx, merchantNo))
const nextDay = async () => {
  kit.clock.advance(86_400_000)
  await kit.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
}

beforeAll(async () => {
  const module_ = consumptionModule()
  kit = await openKit({ handmade: true, modules: [module_, approvalModule(module_.approvals ?? [])] })
  boss = await kit.person({ perms, name: 'Boss' })
  brand = await kit.person({ perms, merchants: ['M2'], limit: 'own_merchants' })
  const today = eatDate(kit.clock.now())
  await kit.db.withTx(async tx => {
    await tx.exec(sql`
      insert into consumption_type (type_no, enabled, type_code, type_name, meter, unit, created_time, updated_by, updated_time)
      values ('CT1', 'enabled', 'sms', '{"en":"SMS"}', 'sms_part', 'part', now(), 'x', now())`)
    await tx.exec(sql`
      insert into consumption_price (price_no, enabled, type_no, created_time, updated_by, updated_time) values ('CP1', 'enabled', 'CT1', now(), 'x', now())`)
    const version = (no: string, price: string, from: string, until: string | null) => sql`
      insert into consumption_price_version (version_no, version_status, price_no, content, effective_time, superseded_time, maker_no, maker_name, created_time)
      values (${no}, ${until ? 'superseded' : 'effective'}, 'CP1', ${JSON.stringify({ unitPrice: price })}::jsonb, ${startOfEatDay(from)}, ${until && startOfEatDay(until)}, 'U1', 'x', now())`
    await tx.exec(version('CV1', '30', addDays(today, -9), addDays(today, 1)))
    await tx.exec(version('CV2', '32.005', addDays(today, 1), null))
  })
})
afterAll(() => kit.close())

it('merchant 4: counts every event once, and posts the day as one journal that the wallet agrees with', async () => {
  await used('MS1', 4000)
  await used('MS1', 4000)
  await used('MS2', 310)
  await tick('consumption.accrue')
  expect(await rows()).toMatchObject([
    { quantity: 4310, consumptionAmount: '129300.00', consumptionStatus: 'accruing', journalNo: null },
  ])
  expect(await wallet()).toBe('0.00')
  await nextDay()
  await tick('consumption.post')
  expect(await wallet()).toBe('-129300.00')
  expect(await rows()).toMatchObject([{ consumptionStatus: 'posted', balanceAfter: '-129300.00' }])
  const { data } = await kit.call(
    consumption.statement,
    { merchantNo: 'M1', month: eatDate(kit.clock.now()).slice(0, 7) },
    { as: boss },
  )
  expect(data).toMatchObject({ closing: '-129300.00', ledger: '-129300.00', agrees: true })
  const asked = `merchantNo=M1&month=${data.month}&exportFormat=pdf`
  const file = await kit.app.request(`${base}/merchant/consumption/statement/file?${asked}`, {
    headers: { token: boss.token, language: 'zh' },
  })
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-1\.4[\s\S]*%%EOF\s$/)
})

it('merchant 5: charges events by the price of their own day, also those that come late', async () => {
  const day = eatDate(kit.clock.now())
  await used('MS3', 1)
  const late = sql`insert into consumption_event (meter, subject_no, merchant_no, quantity, event_time, business_date)
    values ('sms_part', 'MS4', 'M1', 2, ${`${addDays(day, -1)}T20:59:59Z`}, ${addDays(day, -1)})`
  await kit.db.withTx(tx => tx.exec(late))
  await tick('consumption.accrue')
  const today = await rows({ consumptionStatus: ['accruing'] })
  expect(
    today
      .map(({ unitPrice, quantity, consumptionAmount, businessDate }) => [
        unitPrice,
        quantity,
        consumptionAmount,
        businessDate,
      ])
      .sort(),
  ).toEqual([
    ['30', 2, '60.00', day],
    ['32.005', 1, '32.01', day],
  ])
})

it('gives back in parts what a second person agrees to, and never more than was used', async () => {
  const [record] = await rows({ consumptionStatus: ['posted'] })
  const { consumptionNo } = record as { consumptionNo: string }
  const execute = consumptionModule().approvals?.[0]?.execute
  const person = { no: boss.userNo, name: 'Boss', requestId: 'r', ip: null }
  const back = (quantity: number) =>
    kit.db.withTx(async tx =>
      execute?.(tx, {
        objectNo: consumptionNo,
        payload: { quantity, reason: 'twice' },
        maker: person,
        checker: person,
      }),
    )
  await back(120)
  expect(await wallet()).toBe('-125700.00')
  await expect(back(4191)).rejects.toThrow()
  await back(4190)
  expect(await wallet()).toBe('0.00')
  expect(await rows({ consumptionNo })).toMatchObject([
    { consumptionStatus: 'reversed', leftQuantity: 0, leftAmount: '0.00' },
  ])
  const broken = await kit.db.read(runInvariants)
  expect(broken.filter(({ name }) => name.startsWith('V30'))).toEqual([])
})

it('merchant 13: shows nobody what another merchant used', async () => {
  expect(await rows({}, brand)).toEqual([])
  const { list } = (
    await kit.call(consumption.summary, { from: '2026-01-01', to: '2026-03-31', by: 'merchant' }, { as: brand })
  ).data
  expect(list).toEqual([])
  const refused = await kit.call(consumption.statement, { merchantNo: 'M1', month: '2026-03' }, { as: brand })
  expect(refused.code).toBe(40401)
})
