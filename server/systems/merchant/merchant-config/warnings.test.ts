import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { type Kit, openKit } from '../../../testing/kit.ts'
import { merchantWarnings } from './warnings.ts'

let kit: Kit
beforeAll(async () => {
  kit = await openKit({ handmade: true, modules: [] })
  const today = eatDate(kit.clock.now())
  const configured = (no: string, ends: number, low: number) => sql`
    insert into merchant_config (merchant_no, enabled, contract_no, contract_start, contract_end, settlement_mode, credit_floor, low_balance, contact_email, contact_phone, environment, created_time, updated_by, updated_time)
    values (${no}, 'enabled', ${`C-${no}`}, ${addDays(today, -100)}, ${addDays(today, ends)}, 'prepaid', 0, ${low}, 'a@b.ug', '256772000001', 'live', now(), 'U1', now())`
  await kit.db.withTx(async tx => {
    await tx.exec(sql`delete from merchant_config`)
    await tx.exec(configured('M1', 30, 0))
    await tx.exec(configured('M2', 31, 50_000))
  })
})
afterAll(() => kit.close())

const found = (type: string) =>
  kit.db.withTx(async tx => {
    const rule = merchantWarnings.find(one => one.type === type)
    return (await rule?.find(tx, {} as never))?.map(({ key, merchantNo, facts }) => ({ key, merchantNo, ...facts }))
  })

it('names merchants whose wallet is below its mark, with the mark', async () => {
  expect(await found('merchant_balance_low')).toMatchObject([{ key: 'M2', merchantNo: 'M2', amount: '50,000' }])
  await kit.db.withTx(tx => tx.exec(sql`insert into ledger_balance values ('merchant:M2', -50000)`))
  expect(await found('merchant_balance_low')).toEqual([])
})

it('names contracts that end within thirty days', async () => {
  expect(await found('merchant_contract_ending')).toMatchObject([
    { key: 'M1', date: addDays(eatDate(kit.clock.now()), 30) },
  ])
})
