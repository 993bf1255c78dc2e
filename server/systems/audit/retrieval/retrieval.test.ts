import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'
import { runBatches } from './batch.ts'

const { audit, common, retrieval } = contract

let floor: Floor
let risk: Person
let lead: Person
let auditor: Person
let checker: Person
const perms = ['page', 'import', 'submit'].map(end => `order:salvage:${end}`)
beforeAll(async () => {
  floor = await openFloor()
  risk = await floor.person({ perms })
  checker = await floor.person({ perms: [...perms, 'order:salvage:submit:check'] })
  lead = await floor.supervisor()
  auditor = await floor.auditor()
  await floor.exec(
    sql`insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values ('R1', 2, '收入不足', 'Income too low', 'Kipato kidogo')`,
  )
})
afterAll(() => floor.close())

const refused = async (of: Parameters<Floor['order']>[0] = {}): Promise<string> => {
  const orderNo = await floor.order(of)
  await floor.allotTo(lead, auditor, [orderNo])
  const { approvalAmount: _, approvalTime: __, ...rest } = floor.passing(await floor.open(auditor, orderNo))
  const answer = await floor.call(audit.submit, { ...rest, auditResult: 'refuse', refuseCode: 'R1' } as never, {
    as: auditor,
  })
  if (answer.code !== 0) throw new Error(answer.msg)
  return orderNo
}
const preview = (numbers: string, as = risk) => floor.call(retrieval.preview, { numbers }, { as, language: 'en' })
const run = async (jobKey: string, as = risk) => {
  const job = { jobKey, payload: { userNo: as.userNo } }
  while (await floor.db.withTx(tx => runBatches.step(tx, job)));
}
const retrieve = async (orderNos: readonly string[], as = risk): Promise<string> => {
  const { data } = await preview(orderNos.join(','), as)
  const { retrievalBatchNo, version } = data
  await floor.call(retrieval.confirm, { retrievalBatchNo, version }, { as })
  await run(retrievalBatchNo, as)
  return retrievalBatchNo
}
const batchOf = async (no: string) =>
  (await floor.call(retrieval.batches, { retrievalBatchNo: no }, { as: risk })).data.list[0]
const itemOf = async (orderNo: string) => (await floor.call(retrieval.items, { orderNo }, { as: risk })).data.list[0]
const revert = async (orderNo: string, as = risk) =>
  floor.call(retrieval.revert, { retrievalNos: [(await itemOf(orderNo))?.retrievalNo ?? ''] }, { as, language: 'en' })
const orderOf = (orderNo: string) =>
  floor.one(
    sql<
      Record<string, unknown>
    >`select order_status, refuse_code, refused_by, audit_step, auditor_no, loan_amount from loan_order where order_no = ${orderNo}`,
  )

describe('a pasted list', () => {
  it('order-audit 7: explains each number, however they are separated, and says what it would move', async () => {
    const [good, other, waiting, foreign] = [
      await refused(),
      await refused(),
      await floor.order(),
      await refused({ merchantNo: 'M2' }),
    ]
    const old = await refused()
    await floor.exec(sql`update loan_order set status_time = status_time - interval '31 days' where order_no = ${old}`)
    const local = await floor.person({ perms, limit: 'own_merchants', merchants: ['M1'] })
    const { data } = await preview(` ${good}，${other};\n\n${good}, LO-NOBODY\t${waiting} ${foreign},, ${old} `, local)
    expect(data.list.map(one => [one.enteredNo, one.failReason])).toEqual([
      [good, null],
      [other, null],
      [good, 'duplicate'],
      ['LO-NOBODY', 'not_found'],
      [waiting, 'wrong_status'],
      [foreign, 'not_found'],
      [old, 'too_old'],
    ])
    expect(data).toMatchObject({ ok: 2, fail: 5, amount: '400000.00' })
    expect(data.list[5]).toMatchObject({ customerName: null, merchantName: null, orderStatus: null })
    expect(await floor.statusOf(good)).toBe('approval_rejected')
  })

  it.each([
    ['nothing', ' ,，\n ', 40001, 'cannot be empty'],
    ['more than 1,000 numbers', Array.from({ length: 1_001 }, (_, n) => `LO${n}`).join(','), 41001, 'at most 1000'],
  ])('of %s is refused', async (_, orderNos, code, words) => {
    expect(await preview(orderNos)).toMatchObject({ code, msg: expect.stringContaining(words) })
  })
})

describe('a confirmed batch', () => {
  it('retrieves what can be, records the rest with the reason, and leaves out what was removed', async () => {
    const [a, b, c] = [await refused(), await refused(), await refused()]
    const { data } = await preview(`${a},${b},${c},LO-NOBODY,${a}`)
    const { retrievalBatchNo, version } = data
    await floor.call(retrieval.confirm, { retrievalBatchNo, version, removed: [c] }, { as: risk })
    await run(retrievalBatchNo)
    expect(await batchOf(retrievalBatchNo)).toMatchObject({
      batchStatus: 'done',
      total: 4,
      retrievedCount: 2,
      notRetrievedCount: 2,
    })
    expect([await floor.statusOf(a), await floor.statusOf(b), await floor.statusOf(c)]).toEqual([
      'to_be_allocated',
      'to_be_allocated',
      'approval_rejected',
    ])
    const lines = (await floor.call(retrieval.items, { retrievalBatchNo, pageSize: 100 }, { as: risk })).data.list
    expect(
      lines
        .filter(one => one.failReason)
        .map(one => one.failReason)
        .sort(),
    ).toEqual(['duplicate', 'not_found'])
  })

  it('is looked at again when it is confirmed, and only by who entered it, within half an hour', async () => {
    const [orderNo, other] = [await refused(), await refused()]
    const { retrievalBatchNo, version } = (await preview(orderNo)).data
    const confirm = (as: Person) => floor.call(retrieval.confirm, { retrievalBatchNo, version }, { as, language: 'en' })
    expect((await confirm(checker)).code).toBe(40401)
    await retrieve([orderNo], checker)
    await confirm(risk)
    await run(retrievalBatchNo)
    expect(await batchOf(retrievalBatchNo)).toMatchObject({ retrievedCount: 0, notRetrievedCount: 1 })
    const late = (await preview(other)).data
    await floor.exec(sql`
      update retrieval_batch set created_time = created_time - interval '31 minutes' where retrieval_batch_no = ${late.retrievalBatchNo}`)
    const input = { retrievalBatchNo: late.retrievalBatchNo, version: late.version }
    expect((await floor.call(retrieval.confirm, input, { as: risk })).code).toBe(40901)
    await floor.run('audit.discardPreviews')
    expect((await batchOf(late.retrievalBatchNo))?.batchStatus).toBe('discarded')
  })

  it('goes on where it was after a crash, and retrieves nothing twice', async () => {
    const orders = []
    for (let n = 0; n < 3; n++) orders.push(await refused())
    const { retrievalBatchNo, version } = (await preview(orders.join(','))).data
    await floor.call(retrieval.confirm, { retrievalBatchNo, version }, { as: risk })
    await floor.exec(
      sql`update retrieval_batch set row_cursor = 1, ok_count = 1 where retrieval_batch_no = ${retrievalBatchNo}`,
    )
    await run(retrievalBatchNo)
    await run(retrievalBatchNo)
    expect(await batchOf(retrievalBatchNo)).toMatchObject({ retrievedCount: 3, batchStatus: 'done' })
    expect(
      await floor.rows(sql`select 1 from order_retrieval where retrieval_batch_no = ${retrievalBatchNo}`),
    ).toHaveLength(2)
  })
})

describe('returning an order', () => {
  it.each(['to_be_allocated', 'machine_refused', 'approval_rejected'])(
    'order-audit 7: from %s restores it as it was',
    async status => {
      const orderNo = await refused()
      const before = await orderOf(orderNo)
      await retrieve([orderNo])
      await floor.forceStatus(orderNo, status)
      expect((await revert(orderNo)).data).toMatchObject({ ok: 1 })
      expect(await orderOf(orderNo)).toEqual(before)
      expect((await itemOf(orderNo))?.retrievalStatus).toBe('reverted')
    },
  )

  it('order-audit 7: from a review takes it out of the hands of its auditor', async () => {
    const orderNo = await refused()
    const before = await orderOf(orderNo)
    await retrieve([orderNo])
    const other = await floor.auditor()
    await floor.allotTo(lead, other, [orderNo])
    await revert(orderNo)
    expect(await orderOf(orderNo)).toEqual(before)
    expect(
      await floor.rows(
        sql`select 1 from audit_task where order_no = ${orderNo} and audit_task_status in ('assigned', 'opened')`,
      ),
    ).toEqual([])
  })

  it('order-audit 7: from its approval voids the loan code and gives the credit back', async () => {
    const orderNo = await refused()
    const before = await orderOf(orderNo)
    await retrieve([orderNo])
    const other = await floor.auditor()
    await floor.allotTo(lead, other, [orderNo])
    const limit = () =>
      floor.one(
        sql<{ left: string }>`select remaining_limit as left from customer where customer_no = ${`CU${orderNo}`}`,
      )
    const free = await limit()
    await floor.call(audit.submit, floor.passing(await floor.open(other, orderNo)), { as: other })
    expect(await floor.statusOf(orderNo)).toBe('pending_disbursement')
    expect((await revert(orderNo)).data).toMatchObject({ ok: 1 })
    expect(await orderOf(orderNo)).toEqual(before)
    expect(await limit()).toEqual(free)
    expect(await floor.rows(sql`select loan_code_status from loan_code where order_no = ${orderNo}`)).toEqual([
      { loanCodeStatus: 'cancelled' },
    ])
  })

  it('order-audit 7: that was paid out waits for a second person, and for the money', async () => {
    const orderNo = await refused()
    await retrieve([orderNo])
    const other = await floor.auditor()
    await floor.allotTo(lead, other, [orderNo])
    await floor.call(audit.submit, floor.passing(await floor.open(other, orderNo)), { as: other })
    await floor.forceStatus(orderNo, 'funds_disbursed')
    await floor.exec(sql`
      update loan_code set loan_code_status = case when set_config('app.transition', 'on', true) = 'on' then 'success' end where order_no = ${orderNo}`)
    expect((await revert(orderNo)).data).toMatchObject({ ok: 1 })
    expect(await floor.statusOf(orderNo)).toBe('funds_disbursed')
    const item = await itemOf(orderNo)
    expect(item?.pendingApproval).toBeTruthy()
    const approve = (as: Person) =>
      floor.call(common.approve, { approvalNo: item?.pendingApproval ?? '', version: 0 }, { as })
    expect((await approve(risk)).code).toBe(40301)
    expect((await approve(checker)).code).toBe(0)
    expect(
      await floor.rows(sql`select loan_code_status, revert_to from loan_code where order_no = ${orderNo}`),
    ).toEqual([{ loanCodeStatus: 'reversing', revertTo: 'approval_rejected' }])
    expect(await floor.statusOf(orderNo)).toBe('funds_disbursed')
    expect((await revert(orderNo)).data.rows[0]?.code).toBe(40901)
  })

  it.each(['remitting', 'loan_failed', 'settled', 'cancelled'])('is refused from %s', async status => {
    const orderNo = await refused()
    await retrieve([orderNo])
    await floor.forceStatus(orderNo, status)
    expect((await revert(orderNo)).data.rows[0]?.code).toBe(40901)
    expect((await itemOf(orderNo))?.blockedBy).toHaveProperty(['retrieval.revert'])
  })

  it('is refused to who has another merchant', async () => {
    const orderNo = await refused()
    await retrieve([orderNo])
    const stranger = await floor.person({ perms, limit: 'own_merchants', merchants: ['M2'] })
    expect((await revert(orderNo, stranger)).data.rows[0]?.code).toBe(40401)
    expect((await floor.call(retrieval.items, { orderNo }, { as: stranger })).data.list).toEqual([])
  })
})
