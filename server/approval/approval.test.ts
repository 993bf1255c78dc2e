import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract } from '../../core/contract/contract.ts'
import { command } from '../../core/contract/endpoint.ts'
import { stateConflict } from '../http/fault.ts'
import { serve } from '../http/serve.ts'
import { silentLog } from '../log.ts'
import type { ApprovalAction, Module } from '../module.ts'
import { system } from '../rights/actor.ts'
import { jobsOf } from '../run.ts'
import { transition } from '../states/transition.ts'
import { intakeModule } from '../systems/order/intake/intake.ts'
import { lockOrder } from '../systems/order/order/order-source.ts'
import { messageModule } from '../systems/portal/message/message.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { application, send } from '../testing/partner.ts'
import { approvalModule, requestApproval } from './approval.ts'

const { common } = contract
const perm = 'test:order:cancel'
const ask = command({
  path: '/test/ask',
  perm,
  audit: 'test.ask',
  input: z.strictObject({ orderNo: z.string(), reason: z.string() }),
  output: z.object({ approvalNo: z.string() }),
})

const cancel: ApprovalAction = {
  action: 'test.cancel',
  perm,
  money: false,
  async execute(tx, { objectNo, payload, maker, checker }) {
    const order = await lockOrder(tx, null, objectNo)
    await tx.exec(
      sql`update loan_order set cancel_reason = ${`${payload.reason} ${maker.no} ${checker.no}`} where order_no = ${objectNo}`,
    )
    tx.append('auditLog', {
      action: 'test.cancelled',
      objectType: 'order',
      objectNo,
      orderNo: objectNo,
      actor: maker.no,
      actorName: maker.name,
      at: tx.now,
      requestId: maker.requestId,
      ip: null,
      before: null,
      after: null,
    })
    if (order.orderStatus !== 'machine_reviewing') throw stateConflict(order.orderStatus, 'ORDER_STATUS')
    await transition(tx, 'order', order, { event: 'order.cancel' }, checker)
  },
}
const asking: Module = {
  served: [
    serve(ask, async call => {
      const order = await lockOrder(call.tx, call.session, call.input.orderNo)
      const approvalNo = await requestApproval(call, {
        action: cancel.action,
        perm,
        objectType: 'order',
        objectNo: order.orderNo,
        orderNo: order.orderNo,
        merchantNo: order.merchantNo,
        version: order.version,
        payload: { reason: call.input.reason, when: { at: 1, by: 'x' } },
        summary: [
          { label: 'fields.approvalState', before: order.orderStatus, after: 'cancelled' },
          { label: 'errors.dataExists', before: null, after: 'errors.ok' },
        ],
      })
      return { approvalNo }
    }),
  ],
}

let kit: Kit
let jobs: ReturnType<typeof jobsOf>
let maker: Person
let checker: Person
let orderNo: string
let seed = 20_000

beforeAll(async () => {
  const modules = [intakeModule(), messageModule(), asking, approvalModule([cancel])]
  kit = await openKit({ handmade: true, modules })
  jobs = jobsOf({ db: kit.db, log: silentLog, modules })
})
beforeEach(async () => {
  maker = await kit.person({ perms: [perm] })
  checker = await kit.person({ perms: [`${perm}:check`] })
  orderNo = (await send(kit, application(++seed))).data.orderNo
})
afterAll(() => kit.close())

const request = async (as = maker) => (await kit.call(ask, { orderNo, reason: 'duplicate' }, { as })).data.approvalNo
const approve = (approvalNo: string, as: Person, version = 0) =>
  kit.call(common.approve, { approvalNo, version }, { as })
const reject = (approvalNo: string, as: Person) =>
  kit.call(common.reject, { approvalNo, version: 0, reason: 'not convinced' }, { as })
const withdraw = (approvalNo: string, as: Person) => kit.call(common.withdraw, { approvalNo, version: 0 }, { as })
const list = async (as: Person, input: { box?: 'toCheck' | 'mine' | 'all' } = {}) =>
  (await kit.call(common.approvals, { ...input, orderNo }, { as })).data.list
const rows = <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query))
const statusOf = async (approvalNo: string) =>
  (
    await rows(sql<{ approvalStatus: string }>`select approval_status from approval where approval_no = ${approvalNo}`)
  )[0]?.approvalStatus
const order = async () =>
  (
    await rows(
      sql<{
        orderStatus: string
        cancelReason: string | null
      }>`select order_status, cancel_reason from loan_order where order_no = ${orderNo}`,
    )
  )[0]

describe('asking for a second person', () => {
  it('changes nothing yet, and shows the request to its maker and to who may check it', async () => {
    const approvalNo = await request()
    expect(approvalNo).toMatch(/^AP260302/)
    expect((await order())?.orderStatus).toBe('machine_reviewing')
    const [mine] = await list(maker, { box: 'mine' })
    expect(mine).toMatchObject({
      approvalNo,
      approvalStatus: 'pending',
      approvalAction: 'test.cancel',
      objectNo: orderNo,
      makerNo: maker.userNo,
      mine: true,
      checkable: false,
      submitTime: '2026-03-02T07:00:00.000Z',
      expireTime: '2026-03-05T07:00:00.000Z',
    })
    expect(await list(maker, { box: 'toCheck' })).toEqual([])
    expect(await list(checker, { box: 'toCheck' })).toMatchObject([{ approvalNo, mine: false, checkable: true }])
    expect(await list(await kit.person({ perms: ['audit:self:page'] }))).toEqual([])
  })

  it('says in the reader’s words what is asked', async () => {
    await request()
    const { data } = await kit.call(common.approvals, { orderNo }, { as: checker, language: 'zh' })
    expect(data.list[0]?.summary[1]).toEqual({ label: '数据已存在', before: null, after: '操作成功' })
  })

  it('is refused while one waits, and allowed again afterwards', async () => {
    const first = await request()
    expect(await kit.call(ask, { orderNo, reason: 'again' }, { as: maker })).toMatchObject({
      code: 40901,
      msg: 'This action is already waiting for approval',
    })
    await withdraw(first, maker)
    expect(await request()).toMatch(/^AP/)
  })
})

describe('approving', () => {
  it('does the action for both, at once, and all of it stands in the logs', async () => {
    const approvalNo = await request()
    const answer = await approve(approvalNo, checker)
    expect(answer).toMatchObject({
      code: 0,
      data: { approvalStatus: 'executed', checkable: false, reason: null, version: 2 },
    })
    expect(await order()).toEqual({
      orderStatus: 'cancelled',
      cancelReason: `duplicate ${maker.userNo} ${checker.userNo}`,
    })
    expect(
      (
        await rows(
          sql<{
            event: string
          }>`select event from state_transition where object_no = ${approvalNo} order by transition_no`,
        )
      ).map(row => row.event),
    ).toEqual(['approval.submit', 'approval.approve', 'approval.execute'])
    expect(
      await rows(
        sql<object>`select action, actor, after from audit_log where action = 'approval.approve' and order_no = ${orderNo}`,
      ),
    ).toEqual([
      {
        action: 'approval.approve',
        actor: checker.userNo,
        after: { approvalNo, approvalAction: 'test.cancel', approvalStatus: 'executed' },
      },
    ])
  })

  it('is never done by the maker, whatever the rights', async () => {
    const both = await kit.person({ perms: [perm, `${perm}:check`] })
    const approvalNo = await request(both)
    expect(await approve(approvalNo, both)).toMatchObject({ code: 40301, msg: 'You cannot decide your own request' })
    expect(await reject(approvalNo, both)).toMatchObject({ code: 40301 })
    expect(await list(both, { box: 'toCheck' })).toEqual([])
    expect(await statusOf(approvalNo)).toBe('pending')
    const stored = sql`update approval set checker_no = maker_no where approval_no = ${approvalNo}`
    await expect(kit.db.withTx(tx => tx.exec(stored))).rejects.toThrow(/check/)
  })

  it('takes the check code: the maker’s code is not enough', async () => {
    const approvalNo = await request()
    expect((await approve(approvalNo, await kit.person({ perms: [perm] }))).code).toBe(40301)
  })

  it('is not found by people without the code, or of another merchant', async () => {
    const approvalNo = await request()
    expect(await approve(approvalNo, await kit.person({ perms: ['other:check'] }))).toMatchObject({
      code: 40401,
      msg: 'Record not found',
    })
    const elsewhere = await kit.person({ perms: [`${perm}:check`], merchants: ['M2'], limit: 'own_merchants' })
    expect((await approve(approvalNo, elsewhere)).code).toBe(40401)
    expect(await list(elsewhere)).toEqual([])
    expect((await approve('AP000', checker)).code).toBe(40401)
  })

  it('fails with no effect at all when the guards do not hold any more, and both see why', async () => {
    const approvalNo = await request()
    await kit.db.withTx(async tx =>
      transition(tx, 'order', await lockOrder(tx, null, orderNo), { event: 'machine.pass' }, system('test')),
    )
    const answer = await approve(approvalNo, checker)
    expect(answer).toMatchObject({
      code: 0,
      data: { approvalStatus: 'failed', checkerName: `Person ${checker.userNo}` },
    })
    expect(await order()).toEqual({ orderStatus: 'to_be_allocated', cancelReason: null })
    expect(
      await rows(
        sql<object>`select 1 as found from audit_log where action = 'test.cancelled' and order_no = ${orderNo}`,
      ),
    ).toEqual([])
    expect((await list(maker))[0]?.reason).toMatch(/^The status is now/)
    const { data } = await kit.call(common.approvals, { orderNo }, { as: maker, language: 'zh' })
    expect(data.list[0]?.reason).toMatch(/^状态已变为/)
  })

  it('decides once', async () => {
    const approvalNo = await request()
    const other = await kit.person({ perms: [`${perm}:check`] })
    const answers = await Promise.all([approve(approvalNo, checker), approve(approvalNo, other)])
    expect(answers.map(answer => answer.code).sort()).toEqual([0, 40901])
    expect(answers.find(answer => answer.code !== 0)?.data).toEqual({ status: 'executed' })
  })

  it('asks for the version that was seen', async () => {
    expect(await approve(await request(), checker, 7)).toMatchObject({ code: 40902, data: { version: 0 } })
  })

  it('never does what was changed behind its back', async () => {
    const approvalNo = await request()
    await kit.db.withTx(tx =>
      tx.exec(sql`update approval set payload = '{"reason":"other"}' where approval_no = ${approvalNo}`),
    )
    expect((await approve(approvalNo, checker)).code).toBe(50001)
    expect(await statusOf(approvalNo)).toBe('pending')
    expect((await order())?.orderStatus).toBe('machine_reviewing')
  })
})

describe('the other ends', () => {
  it('rejected with a reason', async () => {
    const approvalNo = await request()
    expect(await reject(approvalNo, checker)).toMatchObject({
      code: 0,
      data: { approvalStatus: 'rejected', reason: 'not convinced' },
    })
    expect((await approve(approvalNo, checker, 1)).code).toBe(40901)
    expect((await order())?.orderStatus).toBe('machine_reviewing')
  })

  it('withdrawn by the maker and nobody else', async () => {
    const approvalNo = await request()
    expect((await withdraw(approvalNo, checker)).code).toBe(40301)
    expect(await withdraw(approvalNo, maker)).toMatchObject({ code: 0, data: { approvalStatus: 'withdrawn' } })
  })

  it('over after three days, before and after the job that says so', async () => {
    const late = await request()
    await kit.db.withTx(tx =>
      tx.exec(
        sql`update session set created_time = ${new Date('2026-03-05T07:00:00Z')}, last_seen_time = ${new Date('2026-03-05T07:00:00Z')}`,
      ),
    )
    kit.clock.set(new Date('2026-03-05T07:00:00Z'))
    expect(await approve(late, checker)).toMatchObject({ code: 40901, data: { status: 'expired' } })
    await jobs.scheduler.runDue()
    expect(await statusOf(late)).toBe('expired')
    expect(
      await rows(
        sql<object>`select event, actor from state_transition where object_no = ${late} order by transition_no desc limit 1`,
      ),
    ).toEqual([{ event: 'clock.expire', actor: 'system' }])
  })
})

describe('messages', () => {
  const inbox = async (as: Person) => {
    const { list } = (await kit.call(contract.message.page, {}, { as })).data
    return list.map(({ title, content, route, readTime }) => ({ title, content, route, read: readTime !== null }))
  }
  const route = () => `/AdminContent/OrderDetailAudit/OrderDetail?orderNo=${orderNo}`
  const message = (title: string, content: string, read = false) => ({
    title: `${title}: afterLoan.approval.test.cancel`,
    content,
    route: route(),
    read,
  })
  const asked = (read = false) =>
    message('Approval needed', `Person ${maker.userNo} requests “afterLoan.approval.test.cancel” on ${orderNo}`, read)

  it('tells those who may decide, and only them', async () => {
    const elsewhere = await kit.person({ perms: [`${perm}:check`], limit: 'own_merchants', merchants: ['M2'] })
    const both = await kit.person({ perms: [perm, `${perm}:check`] })
    await request(both)
    maker = both
    expect(await inbox(checker)).toEqual([
      message('Approval needed', `Person ${both.userNo} requests “afterLoan.approval.test.cancel” on ${orderNo}`),
    ])
    expect(await inbox(both)).toEqual([])
    expect(await inbox(elsewhere)).toEqual([])
  })

  it('tells the maker of the decision, and nobody is asked any longer', async () => {
    const second = await kit.person({ perms: [`${perm}:check`] })
    await approve(await request(), checker)
    const done = `Person ${checker.userNo} approved “afterLoan.approval.test.cancel” on ${orderNo}; it has been carried out`
    expect(await inbox(maker)).toEqual([message('Approved', done)])
    expect(await inbox(checker)).toEqual(expect.arrayContaining([message('Approved', done, true), asked(true)]))
    expect(await inbox(second)).toEqual([asked(true)])
  })

  it('tells the reason of a rejection, and that the record had moved on', async () => {
    await reject(await request(), checker)
    expect((await inbox(maker))[0]?.content).toMatch(/: not convinced$/)
    const late = await request()
    await kit.db.withTx(async tx => {
      const row = await lockOrder(tx, null, orderNo)
      await transition(tx, 'order', row, { event: 'order.cancel' }, system('test'))
    })
    await approve(late, checker)
    const failed = (await inbox(maker)).find(one => one.title.startsWith('Approved, but'))
    expect(failed?.content).toMatch(/but it could not be carried out: .*Cancelled/)
  })

  it('says nothing of what was refused, and tells the maker when nobody decided', async () => {
    const approvalNo = await request()
    await approve(approvalNo, checker, 7)
    expect(await inbox(maker)).toEqual([])
    kit.clock.advance(73 * 3_600_000)
    await kit.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}, created_time = ${tx.now}`))
    await jobs.scheduler.runDue()
    expect((await inbox(maker))[0]?.title).toMatch(/^Approval expired/)
  })
})
