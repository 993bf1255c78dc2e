import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { base } from '../../../../core/contract/endpoint.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { receipt, repay } = contract
const { desk, officer } = await deskForTests()
const other = await desk.officer({ merchants: ['M2'], limit: 'own_merchants' })
const speaks = (orderNo: string, language: string) =>
  desk.exec(sql`update loan_order set device = ${JSON.stringify({ language })}::jsonb where order_no = ${orderNo}`)
const factOf = (facts: readonly { label: string; value: string }[], label: string) =>
  facts.find(fact => fact.label === label)?.value

it('says in the customer’s language what was received, what it paid, and that it was taken back', async () => {
  const orderNo = await desk.order()
  await desk.until('2026-03-11')
  const { repaymentNo } = (
    await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed('40000.00', { serialNo: 'MP77' })] })
  ).data
  const { data } = await desk.call(receipt.receipt, { repaymentNo }, { as: officer })
  expect(data).toMatchObject({ title: 'Payment receipt', lead: null, code: repaymentNo })
  expect(factOf(data.facts, 'Lender')).toBe('Nile Credit')
  expect(factOf(data.facts, 'Amount received')).toBe('UGX 40,000')
  expect(factOf(data.facts, 'Serial no.')).toBe('MP77')
  const paid = data.table?.rows.map(([, amount]) => Number(amount?.replaceAll(',', ''))) ?? []
  expect(paid.reduce((sum, amount) => sum + amount, 0)).toBe(40_000)
  const [{ settleAmount }] = [(await desk.detail(officer, orderNo)).order]
  expect(factOf(data.facts, 'Outstanding after')?.replaceAll(/UGX |,/g, '')).toBe(String(Number(settleAmount)))

  await desk.rollback(officer, repaymentNo)
  await speaks(orderNo, 'sw-UG')
  const again = await desk.call(receipt.receipt, { repaymentNo }, { as: officer })
  expect(again.data.title).toBe('Stakabadhi ya malipo')
  expect(again.data.lead).toContain('2026-03-11')
  expect(await desk.call(receipt.receipt, { repaymentNo }, { as: other })).toMatchObject({ code: 40401 })
})

it('after-loan 6: shows the numbers of the record, which are those of the trial, to the cent', async () => {
  const orderNo = await desk.order()
  await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed('103500.00')] })
  const form = { orderNo, repayType: 'settle' as const, flows: [desk.typed('126500.00')] }
  const tried = (await desk.call(repay.trial, form, { as: officer })).data
  expect(tried).toMatchObject({ settleAmount: '126500.00', outstandingAfter: '0.00', orderStatusAfter: 'settled' })
  const { repaymentNo } = (await desk.pay(officer, form)).data
  const { order, records, balances } = await desk.detail(officer, orderNo)
  expect(order).toMatchObject({ orderStatus: 'settled', settleAmount: '0.00' })
  expect(records[0]).toMatchObject({ repaymentNo, amount: '126500.00', applied: tried.applied })
  expect(balances.slice(0, 4).map(({ balance, bills }) => [balance, bills])).toEqual(Array(4).fill(['0.00', '0.00']))
  const { data } = await desk.call(receipt.receipt, { repaymentNo }, { as: officer })
  expect(factOf(data.facts, 'Amount received')).toBe('UGX 126,500')
  const shown = data.table?.rows.map(([, amount]) => Number(amount?.replaceAll(',', ''))) ?? []
  const counted = Object.values(tried.applied).map(Number).filter(Boolean)
  expect(shown.filter(Boolean).sort()).toEqual(counted.sort())
  expect(await desk.broken()).toEqual([])
})

it('clears a loan that is settled, and no other', async () => {
  const orderNo = await desk.order()
  expect(await desk.call(receipt.clearance, { orderNo }, { as: officer })).toMatchObject({ code: 40901 })
  const { settleAmount } = (await desk.detail(officer, orderNo)).order
  await desk.pay(officer, { orderNo, repayType: 'settle', flows: [desk.typed(settleAmount)] })
  const { data } = await desk.call(receipt.clearance, { orderNo }, { as: officer })
  expect(data).toMatchObject({ title: 'Clearance letter', table: null, code: orderNo })
  expect(data.lead).toMatch(
    /^This is to confirm that Akello Customer \d+ repaid the loan below in full on 2026-03-11\./,
  )
  expect(await desk.call(receipt.clearance, { orderNo }, { as: other })).toMatchObject({ code: 40401 })
})

it('is a file too, and who took it is in the audit log', async () => {
  const [row] = await desk.rows<{ repaymentNo: string; orderNo: string }>(
    sql`select repayment_no, order_no from repay_record where settled_order`,
  )
  const { repaymentNo = '', orderNo = '' } = row ?? {}
  const fetched = async (path: string, named: RegExp) => {
    const answer = await desk.app.request(`${base}/rePayManage/${path}/file`, { headers: { token: officer.token } })
    expect(answer.headers.get('content-disposition')).toMatch(named)
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  }
  await fetched(`receipt/${repaymentNo}`, /Payment receipt RP\w+\.pdf/)
  await fetched(`clearance/${orderNo}`, /Clearance letter LO\w+\.pdf/)
  const log = await desk.rows(
    sql`select action from audit_log where action in ('repay.receipt', 'repay.clearance') order by 1`,
  )
  expect(log).toEqual([{ action: 'repay.clearance' }, { action: 'repay.receipt' }])
})
