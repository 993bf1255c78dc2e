import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { checkBooks } from '../systems/after-loan/payout/payout-books.ts'
import { openPayouts } from '../systems/after-loan/payout/payout-fixture.ts'
import { openDesk } from './repay-desk.ts'
import { type Floor, openFloor } from './review-floor.ts'

/** A desk with an officer for the tests of a file; when they are through, every invariant holds. */
export const deskForTests = async (o?: Parameters<typeof openDesk>[0]) => {
  const desk = await openDesk(o)
  afterAll(async () => {
    expect(await desk.broken()).toEqual([])
    await desk.close()
  })
  return { desk, officer: await desk.officer() }
}

/** A server that pays out, for the tests of a file. Each test starts from the state it was opened in and leaves balanced books. */
export const payoutsForTests = async (o?: Parameters<typeof openPayouts>[0]) => {
  const p = await openPayouts(o)
  beforeEach(() => p.reset())
  afterEach(() => checkBooks(p))
  afterAll(() => p.close())
  return p
}

const { audit } = contract
type Given = Parameters<Floor['order']>[0]

/** A review floor for the tests of a file, with a supervisor and an auditor who has room for many orders. */
export const floorForTests = async (auditor: Parameters<Floor['auditor']>[0] = {}) => {
  const floor = await openFloor()
  afterAll(() => floor.close())
  const [lead, who] = [await floor.supervisor(), await floor.auditor({ queueCap: 500, ...auditor })]
  /** An order in somebody's queue. */
  const allotted = async (o: Given = {}, to = who): Promise<string> => {
    const orderNo = await floor.order(o)
    expect((await floor.allotTo(lead, to, [orderNo])).data.ok).toBe(1)
    return orderNo
  }
  return {
    floor,
    lead,
    who,
    allotted,
    opened: async (o: Given = {}, as = who) => floor.open(as, await allotted(o, as)),
  }
}

/** The same with codes for refusals, and what the decisions of an auditor leave. */
export const decisionsForTests = async () => {
  const at = await floorForTests()
  const { floor, who } = at
  await floor.exec(sql`
    insert into refuse_code (refuse_code, level, parent_code, name_zh, name_en, name_sw, customer_text, need_remark) values
      ('A', 1, null, '收入', 'Income', 'Kipato', null, false), ('A1', 2, 'A', '收入不足', 'Income too low', 'Kipato kidogo', 'We cannot lend to you now', false), ('A2', 2, 'A', '其他', 'Other', 'Nyingine', null, true)`)
  return {
    ...at,
    submit: (input: object, as = who) => floor.call(audit.submit, input as never, { as }),
    orderOf: (orderNo: string) =>
      floor.one(sql<Record<string, unknown>>`select * from loan_order where order_no = ${orderNo}`),
    recordsOf: (orderNo: string) =>
      floor.rows(
        sql<
          Record<string, unknown>
        >`select * from audit_record where order_no = ${orderNo} order by submit_time, audit_step`,
      ),
    /** What a form sends, with what the decision adds. */
    decided: (task: Awaited<ReturnType<Floor['open']>>, more: object) => ({
      orderNo: task.orderNo,
      leaseToken: task.leaseToken,
      version: task.orderVersion,
      answers: [],
      ...more,
    }),
  }
}
