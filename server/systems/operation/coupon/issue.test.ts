import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { couponTemplates } from '../../../../core/contract/operation/coupon.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { configSuite } from '../../../testing/config-suite.ts'
import { customerOf, templateForm, templateOf } from './coupon.facts.ts'
import { couponModule } from './coupon.ts'

const { coupon } = contract

configSuite(couponTemplates, {
  modules: [couponModule()],
  fresh: () => templateForm(),
  changed: { validityDays: 7 },
  differs: 'validityDays',
})

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

const ask = (endpoint: Parameters<Fixture['ask']>[0], input: Parameters<Fixture['ask']>[1], as = fixture.boss) =>
  fixture.ask(endpoint, input, { as })
const saved = (change: object) => ask(coupon.save, templateForm(change))
const wrongAt = (answer: { data: unknown }) =>
  (answer.data as { fields?: { path: string }[] } | null)?.fields?.map(({ path }) => path)

it('a kind of coupon is worth whole shillings up to the cap of its type, and lowers nothing but debt', async () => {
  expect(wrongAt(await saved({ faceAmount: '60000.00' }))).toEqual(['faceAmount'])
  expect(wrongAt(await saved({ faceAmount: '0.00' }))).toEqual(['faceAmount'])
  expect(wrongAt(await saved({ faceAmount: '500.50' }))).toEqual(['faceAmount'])
  expect(wrongAt(await saved({ couponRepayType: undefined }))).toEqual(['couponRepayType'])
  const raises = { couponType: 'increase_loan_limit_coupon', couponRepayType: undefined }
  expect((await saved(raises)).code).toBe(0)
  expect(wrongAt(await saved({ merchantNos: ['M404'] }))).toEqual(['merchantNos'])
})

it('operation 9: an issue gives what the budget allows, names why others get nothing, and keeps what was given', async () => {
  const customers = [await customerOf(fixture), await customerOf(fixture), await customerOf(fixture)]
  const couponTemplateNo = await templateOf(fixture, { budgetAmount: '10000.00' })
  const issue = {
    couponTemplateNo,
    customers: [...customers, 'CU404'].join('\n'),
    startDate: '2026-03-02',
    reason: 'thanks',
  }
  const effect = await ask(coupon.effect, { couponTemplateNo, customers: issue.customers })
  expect(effect.data).toMatchObject({
    found: 3,
    totalAmount: '15000.00',
    budgetLeft: '10000.00',
    leftOut: [{ failReason: 'not_found', count: 1 }],
  })
  const { issueBatchNo, approvalNo } = fixture.must(await ask(coupon.issue, issue)) as Record<string, string>
  expect(await fixture.rows(sql`select 1 from coupon where source_no = ${issueBatchNo}`)).toEqual([])
  await fixture.agree(String(approvalNo))
  await fixture.worker.drain()
  const rows = await fixture.rows(sql<{ failReason: string | null }>`
    select fail_reason from coupon_batch_row where issue_batch_no = ${issueBatchNo} order by row_no`)
  expect(rows.map(row => row.failReason)).toEqual([null, null, 'budget', 'not_found'])
  expect(
    await fixture.one(
      sql`select issue_batch_status, issued_ok, issued_failed from coupon_issue_batch where issue_batch_no = ${issueBatchNo}`,
    ),
  ).toEqual({ issueBatchStatus: 'partial', issuedOk: 2, issuedFailed: 2 })
  expect(
    await fixture.one(
      sql`select issued_amount, issued_count from coupon_template where coupon_template_no = ${couponTemplateNo}`,
    ),
  ).toEqual({ issuedAmount: '10000.00', issuedCount: 2 })
  const { version } = await fixture.one(
    sql<{ version: number }>`select version from coupon_template where coupon_template_no = ${couponTemplateNo}`,
  )
  const { couponName } = fixture.must(await ask(coupon.detail, { couponTemplateNo })) as { couponName: string }
  const lower = await ask(coupon.save, {
    ...templateForm({ couponName, budgetAmount: '5000.00' }),
    couponTemplateNo,
    version,
  })
  expect(wrongAt(lower)).toEqual(['budgetAmount'])
  const dearer = { ...templateForm({ couponName, faceAmount: '6000.00' }), couponTemplateNo, version }
  expect(wrongAt(await ask(coupon.save, dearer))).toEqual(['faceAmount'])
  expect((await fixture.db.read(runInvariants)).filter(found => found.rule.includes('coupon'))).toEqual([])
})

it('a customer who is named by number and by phone has one coupon of an issue', async () => {
  const customerNo = await customerOf(fixture)
  const { phone } = await fixture.one(
    sql<{ phone: string }>`select phone from customer where customer_no = ${customerNo}`,
  )
  const input = { couponTemplateNo: await templateOf(fixture), startDate: '2026-03-02', reason: 'thanks' }
  const asked = await ask(coupon.issue, { ...input, customers: `${customerNo}\n${phone}` })
  const { issueBatchNo, approvalNo } = fixture.must(asked) as Record<string, string>
  await fixture.agree(String(approvalNo))
  await fixture.worker.drain()
  const rows = await fixture.rows(sql<{ failReason: string | null }>`
    select fail_reason from coupon_batch_row where issue_batch_no = ${issueBatchNo} order by row_no`)
  expect(rows.map(row => row.failReason)).toEqual([null, 'twice'])
})

it('a customer who is late gets nothing that raises a limit', async () => {
  const orderNo = (await fixture.disbursed()).orderNo
  await fixture.exec(sql`update loan_order set overdue = true where order_no = ${orderNo}`)
  const { customerNo } = await fixture.one(
    sql<{ customerNo: string }>`select customer_no from loan_order where order_no = ${orderNo}`,
  )
  const raises = { couponType: 'increase_loan_limit_coupon', couponRepayType: undefined }
  const couponTemplateNo = await templateOf(fixture, raises)
  const { data } = await ask(coupon.effect, { couponTemplateNo, customers: customerNo })
  expect(data).toMatchObject({ found: 0, leftOut: [{ failReason: 'overdue', count: 1 }] })
  const input = { couponTemplateNo, customers: customerNo, startDate: '2026-03-02', reason: 'thanks' }
  expect(wrongAt(await ask(coupon.issue, input))).toEqual(['customers'])
})
