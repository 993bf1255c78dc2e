import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../../core/contract/endpoint.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { begunItems } from '../../../testing/proven.ts'
import { readyFile } from '../../../testing/ready-file.ts'

const { recharge, common } = contract
let fixture: Awaited<ReturnType<typeof openFixture>>
let serials = 0
const ask = <E extends Endpoint>(call: E, input: InputOf<E>, as = fixture.boss) =>
  fixture.ask(call, input as never, { as })

const form = async (as = fixture.second, more: object = {}) => ({
  merchantNo: 'M1',
  fundAccountNo: 'FR1',
  rechargeAmount: '5000000.00',
  serialNo: `BANK${++serials}`,
  payerName: 'Boda Cash Uganda Limited',
  bankEntryTime: new Date(fixture.clock.now().getTime() - 60_000).toISOString(),
  receipt: await fixture.uploaded(as),
  ...more,
})
const booked = async (more: object = {}) => {
  const answer = await ask(recharge.submit, await form(fixture.second, more), fixture.second)
  return (fixture.must(answer) as { rechargeNo: string }).rechargeNo
}
const shown = async (serialNo: string, amount: number) => {
  await fixture.exec(sql`
    insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
    values ('M101', ${`SL${serialNo}`}, 'line.import', '∅', 'new', 'system', 'test', now())`)
  await fixture.exec(sql`
    insert into statement_line (line_no, statement_no, fund_account_no, statement_date, serial_no, direction, line_kind, amount, entry_time, line_status)
    values (${`SL${serialNo}`}, 'STR', 'FR1', '2026-01-02', ${serialNo}, 'in', 'payment', ${amount}, now(), 'new')`)
}
const wallet = async () =>
  (
    await fixture.one(
      sql<{
        balance: string
      }>`select coalesce(-sum(balance), 0)::numeric(18,2)::text as balance from ledger_balance where account_code = 'merchant:M1'`,
    )
  ).balance

beforeAll(async () => {
  fixture = await openFixture()
  await fixture.exec(sql`
    insert into fund_account (fund_account_no, account_name, account_role, lender_name, channel, account_number)
    values ('FR1', 'Top-ups', 'collection', 'Nile Credit', 'mtn_momo', '256770000401')`)
  await fixture.exec(sql`insert into fund_account_merchant values ('FR1', 'M1')`)
  await fixture.db.withTx(begunItems)
  await fixture.exec(sql`
    insert into statement (statement_no, fund_account_no, statement_date, opening, closing, line_sum, line_count, source, file_hash, created_by, created_time)
    values ('STR', 'FR1', '2026-01-02', 0, 0, 0, 1, 'import', 'x', 'system', now())`)
})
afterAll(() => fixture.close())

it('merchant 6: reaches the wallet once a second person has seen the line of the bank', async () => {
  const rechargeNo = await booked({ serialNo: 'LINE1' })
  const own = await ask(recharge.approve, { rechargeNo, version: 0, reason: 'mine' }, fixture.second)
  expect(own.code).toBe(40301)
  expect((await ask(recharge.approve, { rechargeNo, version: 0 })).code).toBe(40001)
  await shown('LINE1', 5_000_000)
  expect(fixture.must(await ask(recharge.approve, { rechargeNo, version: 0 }))).toMatchObject({
    rechargeStatus: 'confirmed',
    balanceAfter: '5000000.00',
  })
  expect(await wallet()).toBe('5000000.00')
})

it('merchant 6: takes a number of the bank once, and no time in the future, no cents and nothing', async () => {
  const refused = async (more: object) => {
    const answer = await ask(recharge.submit, await form(fixture.second, more), fixture.second)
    return [answer.code, (answer.data as { fields?: { path: string }[] }).fields?.[0]?.path]
  }
  expect(await refused({ serialNo: 'LINE1' })).toEqual([40001, 'serialNo'])
  expect(await refused({ rechargeAmount: '0.00' })).toEqual([40001, 'rechargeAmount'])
  expect(await refused({ rechargeAmount: '10.50' })).toEqual([40001, 'rechargeAmount'])
  const later = new Date(fixture.clock.now().getTime() + 600_000).toISOString()
  expect(await refused({ bankEntryTime: later })).toEqual([40001, 'bankEntryTime'])
  expect(await refused({ fundAccountNo: 'FA404' })).toEqual([40001, 'fundAccountNo'])
})

it('leaves the wallet by two people, and only while it is there', async () => {
  const rechargeNo = await booked({ rechargeAmount: '100000.00' })
  fixture.must(await ask(recharge.approve, { rechargeNo, version: 0, reason: 'called the bank' }))
  const input = { rechargeNo, version: 1, reason: 'bounced', evidence: await fixture.uploaded() }
  const { approvalNo } = fixture.must(await ask(recharge.reverse, input)) as { approvalNo: string }
  expect((await ask(common.approve, { approvalNo, version: 0 })).code).toBe(40301)
  await fixture.agree(approvalNo)
  expect(await wallet()).toBe('5000000.00')
  const last = await ask(recharge.page, { rechargeStatus: ['reversed'] })
  expect((last.data as { list: unknown[] }).list).toMatchObject([{ rechargeNo, reverseReason: 'bounced' }])
})

it('merchant 13: shows people of another merchant no row, no sum, no file and no line of the bank', async () => {
  const rechargeNo = await booked({ serialNo: 'LINE13' })
  await shown('LINE13B', 700_000)
  const perms = [
    'merchant:recharge:page',
    'merchant:recharge:export',
    'merchant:recharge:submit',
    'merchant:recharge:audit',
  ]
  const other = await fixture.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
  for (const filters of [{}, { merchantNo: ['M1'] }, { serialNo: 'LINE13' }])
    expect((await ask(recharge.page, filters, other)).data).toMatchObject({ total: 0, list: [] })
  expect((await ask(recharge.bankLines, {}, other)).data).toMatchObject({ total: 0, list: [] })
  expect((await ask(recharge.detail, { rechargeNo }, other)).code).toBe(40401)
  expect((await ask(recharge.approve, { rechargeNo, version: 0, reason: 'x' }, other)).code).toBe(40401)
  const theirs = { ...(await form()), receipt: await readyFile(fixture.db, other.userNo) }
  expect(await ask(recharge.submit, theirs, other)).toMatchObject({
    code: 40001,
    data: { fields: [{ path: 'merchantNo' }] },
  })
  const [sums, file] = [recharge.page.totalling as Endpoint, recharge.page.exporting as Endpoint]
  expect((await ask(sums, { filters: {} }, other)).data).toEqual({ count: 0, sums: { rechargeAmount: '0.00' } })
  const asked = { filters: {}, columns: ['rechargeNo'], exportFormat: 'csv' }
  expect((await ask(file, asked, other)).data).toMatchObject({ rowCount: 0 })
})
