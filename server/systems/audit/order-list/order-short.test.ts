import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'

const { audit } = contract

let floor: Floor
let clerk: Person
beforeAll(async () => {
  floor = await openFloor()
  clerk = await floor.person({ perms: ['audit:manage:short'] })
})
afterAll(() => floor.close())

const list = async (filters: InputOf<typeof audit.shortList>, as = clerk) =>
  (await floor.call(audit.shortList, filters, { as })).data

it('answers the state of an order and nothing private', async () => {
  const orderNo = await floor.order({ customerName: 'Moses Okello', amount: '120000.00' })
  const [row] = (await list({ orderNo })).list
  expect(row).toMatchObject({
    orderNo,
    customerName: 'Moses Okello',
    orderStatus: 'to_be_allocated',
    loanAmount: '120000.00',
    nextDueDate: null,
    refuseText: null,
  })
  expect(Object.keys(row ?? {})).not.toContain('phone')
  expect(Object.keys(row ?? {})).not.toContain('refuseReason')
})

it('says of a refusal what the customer was given, never the internal reason', async () => {
  const orderNo = await floor.order({})
  await floor.exec(sql`
    insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw, customer_text)
    values ('S1', 2, '疑似欺诈', 'Fraud suspected', 'Udanganyifu', 'We cannot offer you a loan now')`)
  await floor.forceStatus(orderNo, 'approval_rejected')
  await floor.exec(sql`update loan_order set refuse_code = 'S1' where order_no = ${orderNo}`)
  const [row] = (await list({ orderNo })).list
  expect(row?.refuseText).toBe('We cannot offer you a loan now')
  expect(JSON.stringify(row)).not.toContain('Fraud')
})

it('finds by the full phone and notes it, and stays inside the data rule', async () => {
  const orderNo = await floor.order({ merchantNo: 'M2' })
  const { phone } = await floor.one(
    sql<{ phone: string }>`select phone from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  expect((await list({ phone })).list.map(row => row.orderNo)).toEqual([orderNo])
  expect(
    await floor.rows(sql`select field from access_log where user_no = ${clerk.userNo} and access_kind = 'search'`),
  ).toEqual([{ field: 'phone' }])
  const other = await floor.person({ perms: ['audit:manage:short'], limit: 'own_merchants', merchants: ['M1'] })
  expect((await list({ orderNo }, other)).total).toBe(0)
})
