import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { system } from '../../../rights/actor.ts'
import { done } from '../../../testing/acts.ts'
import { restoreCredit, returnCredit, takeCredit, usableLimit, useGrant } from '../../order/order/index.ts'
import { agrees, asked, asking, granted } from './temp-quota.facts.ts'

const { tempQuota } = contract
const actor = system('test')

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const ask = (call: Parameters<Fixture['ask']>[0], input: Parameters<Fixture['ask']>[1], as = fixture.boss) =>
  fixture.ask(call, input, { as })
const usable = async (customerNo: string) =>
  fixture.db.read(async tx => {
    const { limit } = await tx.one(
      sql<{
        limit: string
      }>`select ${usableLimit(tx.today, 'M1')} as limit from customer c where customer_no = ${customerNo}`,
    )
    return limit
  })
const statusOf = async (grantNo: string) =>
  fixture.one(sql<{ status: string; order: string | null; used: string }>`
    select grant_status as status, bound_order_no as order, used_amount as used from temp_quota_grant where grant_no = ${grantNo}`)
const orderOf = async (customerNo: string) =>
  (
    await fixture.one(
      sql<{
        no: string
      }>`select order_no as no from loan_order where customer_no = ${customerNo} order by apply_time limit 1`,
    )
  ).no
/** A customer with so much of the own limit left. */
const left = (customerNo: string, amount: number) =>
  fixture.exec(
    sql`update customer set credit_limit = 500000, remaining_limit = ${amount}, credit_type = 'revolving' where customer_no = ${customerNo}`,
  )

it('operation 11: counts only once the customer has agreed, and then beside the own limit', async () => {
  const grant = await granted(fixture)
  await left(grant.customerNo, 100_000)
  expect((await statusOf(grant.grantNo)).status).toBe('waiting_consent')
  expect(await usable(grant.customerNo)).toBe('100000.00')
  expect(await agrees(fixture, grant)).toMatchObject({ code: 0, data: { grantStatus: 'effective' } })
  expect(await agrees(fixture, grant)).toMatchObject({ code: 0, data: { grantStatus: 'effective' } })
  expect(await usable(grant.customerNo)).toBe('150000.00')
  expect(await agrees(fixture, { ...grant, customerNo: 'CU404' })).toMatchObject({ code: 40401 })
})

it('an order takes what lies beyond the own limit, gives it back unpaid, and uses it up when it is paid out', async () => {
  const grant = await granted(fixture)
  const { customerNo, grantNo } = grant
  await agrees(fixture, grant)
  await left(customerNo, 100_000)
  const order = { orderNo: await orderOf(customerNo), customerNo, merchantNo: 'M1', loanAmount: '130000.00' }
  const run = <T>(act: Parameters<Fixture['db']['withTx']>[0]) => fixture.db.withTx(act) as Promise<T>
  expect(await run(tx => takeCredit(tx, order))).toEqual({ before: '100000.00', after: '0.00' })
  expect(await statusOf(grantNo)).toEqual({ status: 'effective', order: order.orderNo, used: '30000.00' })
  expect(await usable(customerNo)).toBe('0.00')
  const revoke = await ask(tempQuota.revoke, { grantNos: [grantNo], reason: 'complaint' })
  expect(revoke.data).toMatchObject({ ok: 0, fail: 1 })

  await run(tx => restoreCredit(tx, order, actor))
  expect(await statusOf(grantNo)).toEqual({ status: 'effective', order: null, used: '0.00' })
  expect(await usable(customerNo)).toBe('150000.00')

  await run(tx => takeCredit(tx, order))
  await run(tx => useGrant(tx, order, actor))
  expect((await statusOf(grantNo)).status).toBe('used')
  const remaining = () =>
    fixture.one(sql<{ left: string }>`select remaining_limit as left from customer where customer_no = ${customerNo}`)
  await run(tx => returnCredit(tx, order, '20000.00'))
  expect(await remaining()).toEqual({ left: '0.00' })
  await run(tx => returnCredit(tx, order, '50000.00'))
  expect(await remaining()).toEqual({ left: '40000.00' })
  await run(tx => returnCredit(tx, order, '-50000.00'))
  expect(await remaining()).toEqual({ left: '0.00' })
  await run(tx => returnCredit(tx, order, '110000.00'))
  expect(await remaining()).toEqual({ left: '100000.00' })
})

it('a payout that comes back restores it, and ends it where its last day has passed', async () => {
  const grant = await granted(fixture)
  const { customerNo, grantNo } = grant
  await agrees(fixture, grant)
  await left(customerNo, 0)
  const order = { orderNo: await orderOf(customerNo), customerNo, merchantNo: 'M1', loanAmount: '50000.00' }
  await fixture.db.withTx(tx => takeCredit(tx, order))
  await fixture.db.withTx(tx => useGrant(tx, order, actor))
  await fixture.db.withTx(tx => restoreCredit(tx, order, actor))
  expect(await statusOf(grantNo)).toEqual({ status: 'effective', order: null, used: '0.00' })
  await fixture.db.withTx(tx => takeCredit(tx, order))
  await fixture.db.withTx(tx => useGrant(tx, order, actor))
  await fixture.exec(
    sql`update temp_quota_grant set start_time = ${new Date(fixture.clock.now().getTime() - 90 * 86_400_000)}, end_time = ${fixture.clock.now()} where grant_no = ${grantNo}`,
  )
  await fixture.db.withTx(tx => restoreCredit(tx, order, actor))
  expect(await statusOf(grantNo)).toEqual({ status: 'expired', order: null, used: '0.00' })
})

it('is of the merchant that gave it, and gives way to one that was given since', async () => {
  const grant = await granted(fixture)
  const { customerNo } = grant
  await agrees(fixture, grant)
  await left(customerNo, 0)
  const order = { orderNo: await orderOf(customerNo), customerNo, merchantNo: 'M2', loanAmount: '50000.00' }
  await expect(fixture.db.withTx(tx => takeCredit(tx, order))).rejects.toThrow()
  const own = { ...order, merchantNo: 'M1' }
  await fixture.db.withTx(tx => takeCredit(tx, own))
  await fixture.db.withTx(tx => useGrant(tx, own, actor))
  const later = await granted(fixture, { customers: customerNo })
  await fixture.db.withTx(tx => restoreCredit(tx, own, actor))
  expect((await statusOf(grant.grantNo)).status).toBe('expired')
  expect((await statusOf(later.grantNo)).status).toBe('waiting_consent')
})

it('an order beyond both limits is not approved', async () => {
  const grant = await granted(fixture)
  await agrees(fixture, grant)
  await left(grant.customerNo, 100_000)
  const order = {
    orderNo: await orderOf(grant.customerNo),
    customerNo: grant.customerNo,
    merchantNo: 'M1',
    loanAmount: '150001.00',
  }
  await expect(fixture.db.withTx(tx => takeCredit(tx, order))).rejects.toThrow()
  expect((await statusOf(grant.grantNo)).order).toBeNull()
})

it('names who is left out and why, and asks again at the decision', async () => {
  const { customers: free } = await asking(fixture)
  const late = (await fixture.disbursed()).orderNo
  await fixture.exec(sql`update loan_order set overdue = true where order_no = ${late}`)
  const { customerNo: overdue } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${late}`,
  )
  const { customerNo: running } = await granted(fixture)
  const customers = [free, overdue, running, 'CU404'].join('\n')
  const effect = await ask(tempQuota.effect, { merchantNo: 'M1', quotaAmount: '50000.00', customers })
  expect(effect.data).toMatchObject({
    found: 1,
    totalAmount: '50000.00',
    leftOut: [
      { failReason: 'overdue', count: 1 },
      { failReason: 'running', count: 1 },
      { failReason: 'not_found', count: 1 },
    ],
  })
  const quotaTaskNo = await asked(fixture, { customers })
  await granted(fixture, { customers: free })
  const none = await ask(tempQuota.audit, { quotaTaskNo, version: 0, decision: 'approve' }, fixture.second)
  expect(none.code).toBe(40901)
  expect(await fixture.rows(sql`select 1 from temp_quota_grant where quota_task_no = ${quotaTaskNo}`)).toEqual([])
})

it('refuses more than the upper limit of the level, half shillings, a day that has passed, and the own task', async () => {
  const input = await asking(fixture)
  const wrongAt = (answer: { data: unknown }) =>
    (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)
  expect(wrongAt(await ask(tempQuota.create, { ...input, quotaAmount: '9000000.00' }))).toEqual(['quotaAmount'])
  expect(wrongAt(await ask(tempQuota.create, { ...input, quotaAmount: '500.50' }))).toEqual(['quotaAmount'])
  expect(wrongAt(await ask(tempQuota.create, { ...input, startDate: '2020-01-01' }))).toEqual(['startDate'])
  expect(wrongAt(await ask(tempQuota.create, { ...input, merchantNo: 'M404' }))).toEqual(['merchantNo'])
  const late = await asked(fixture, { validityDays: 1 })
  await fixture.pass(26 * 60)
  const ended = await ask(tempQuota.audit, { quotaTaskNo: late, version: 0, decision: 'approve' }, fixture.second)
  expect(ended.code).toBe(40901)
  const quotaTaskNo = await asked(fixture)
  const own = await ask(tempQuota.audit, { quotaTaskNo, version: 0, decision: 'approve' })
  expect(own.code).toBe(40301)
})

it('without the setting nobody is asked, and a customer who is named twice has one', async () => {
  await fixture.exec(sql`
    insert into business_config (config_key, config_value, version, updated_by, updated_time)
    values ('LIMIT_RAISE_CONSENT', '{"raiseConsent": false}', 1, 'U1', now())
    on conflict (config_key) do update set config_value = excluded.config_value, version = business_config.version + 1`)
  const { customers } = await asking(fixture)
  const { phone } = await fixture.one(
    sql<{ phone: string }>`select phone from customer where customer_no = ${customers}`,
  )
  const { grantNo } = await granted(fixture, { customers: `${customers}\n${phone}` })
  expect((await statusOf(grantNo)).status).toBe('effective')
  const rows = await fixture.rows(sql<{ failReason: string | null }>`
    select r.fail_reason from temp_quota_row r join temp_quota_grant g using (quota_task_no) where g.grant_no = ${grantNo} order by row_no`)
  expect(rows.map(row => row.failReason)).toEqual([null, 'twice'])
})

it('the detail of a task says what came of it', async () => {
  const quotaTaskNo = await asked(fixture)
  const detail = await done(fixture, tempQuota.detail, { quotaTaskNo })
  expect(detail).toMatchObject({ task: { quotaTaskNo, granted: 0 }, leftOut: [], usedOrders: 0 })
})
