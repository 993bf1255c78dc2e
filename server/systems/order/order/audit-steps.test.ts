import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { sum } from '../../../../core/rules/money.ts'
import type { Person } from '../../../testing/kit.ts'
import { decisionsForTests } from '../../../testing/suites.ts'

const { audit } = contract

const { floor, lead, who, opened, submit, orderOf, recordsOf, decided } = await decisionsForTests()

describe('two steps', () => {
  beforeEach(() => floor.exec(sql`delete from audit_question`))
  const two = { terms: { auditStepCount: 2 } }

  it('order-audit 5: the first pass returns to the queue, another auditor takes the second, then one loan code exists as the trial said', async () => {
    const [first, second] = [await floor.auditor(), await floor.auditor()]
    const task = await opened(two, first)
    expect((await submit(floor.passing(task, '220000.00'), first)).data).toEqual({
      orderNo: task.orderNo,
      orderStatus: 'to_be_allocated',
      auditStep: 1,
      auditStepCount: 2,
    })
    expect(await orderOf(task.orderNo)).toMatchObject({
      orderStatus: 'to_be_allocated',
      auditStep: 2,
      approvalAmount: '220000.00',
      loanAmount: '200000.00',
      auditorNo: null,
    })
    expect(await floor.rows(sql`select 1 as one from loan_code where order_no = ${task.orderNo}`)).toEqual([])

    const again = await floor.call(audit.allot, { orderNos: [task.orderNo], auditorNos: [first.userNo] }, { as: lead })
    expect(again.data.rows[0]).toMatchObject({
      code: 40301,
      msg: 'This person has reviewed the order before; one person cannot take two steps of the same order',
    })
    const both = await floor.call(
      audit.allot,
      { orderNos: [task.orderNo], auditorNos: [first.userNo, second.userNo] },
      { as: lead },
    )
    expect(both.data.ok).toBe(1)
    const trial = await floor.call(audit.trial, { orderNo: task.orderNo, approvalAmount: '210000.00' }, { as: second })
    const last = await floor.open(second, task.orderNo)
    expect(last).toMatchObject({ auditStep: 2, auditStepCount: 2 })
    expect((await submit(floor.passing(last, '210000.00'), second)).data).toMatchObject({
      orderStatus: 'pending_disbursement',
      auditStep: 2,
    })
    expect(await floor.rows(sql`select actual_loan_amount from loan_code where order_no = ${task.orderNo}`)).toEqual([
      { actualLoanAmount: trial.data.actualLoanAmount },
    ])
    expect(await orderOf(task.orderNo)).toMatchObject({
      loanAmount: trial.data.loanAmount,
      actualLoanAmount: trial.data.actualLoanAmount,
    })
    expect(sum(trial.data.bills.map(bill => bill.principal))).toBe('210000.00')
    expect((await recordsOf(task.orderNo)).map(record => [record.auditStep, record.auditorNo])).toEqual([
      [1, first.userNo],
      [2, second.userNo],
    ])
  })

  it('a person who may handle any order cannot take the second step of one they have passed', async () => {
    const boss = await floor.auditor({
      limit: 'all',
      perms: ['audit:order:handle', 'audit:order:handleAny', 'order:detail:view'],
    })
    const second = await floor.auditor()
    const task = await opened(two, boss)
    expect((await submit(floor.passing(task), boss)).code).toBe(0)
    await floor.allotTo(lead, second, [task.orderNo])
    expect(await floor.call(audit.open, { orderNo: task.orderNo }, { as: boss })).toMatchObject({ code: 40301 })
  })

  it('a send-back goes one step down, never below the first', async () => {
    const [first, second] = [await floor.auditor(), await floor.auditor()]
    const task = await opened(two, first)
    await submit(floor.passing(task), first)
    await floor.allotTo(lead, second, [task.orderNo])
    const last = await floor.open(second, task.orderNo)
    const back = decided(last, { auditResult: 'sent_back', sendBackReason: 'materials' }) as Record<string, unknown>
    delete back.answers
    expect((await submit(back, second)).data).toMatchObject({ orderStatus: 'to_be_allocated' })
    expect(await orderOf(task.orderNo)).toMatchObject({
      auditStep: 1,
      lastSendBackReason: 'materials',
      auditorNo: null,
    })
    const rows = async (auditor: Person) => (await floor.allotTo(lead, auditor, [task.orderNo])).data.rows[0]?.code
    expect(await rows(second)).toBe(40301)
    expect(await rows(first)).toBe(0)
  })
})

describe('Refuse and Send back', () => {
  beforeEach(() => floor.exec(sql`delete from audit_question`))

  it('refuses with a code of level 2', async () => {
    const task = await opened()
    expect(
      (
        await submit(
          decided(task, { auditResult: 'refuse', refuseCode: 'A1', faceConsistency: 'inconsistent', remark: '' }),
        )
      ).data,
    ).toMatchObject({ orderStatus: 'approval_rejected' })
    expect(await orderOf(task.orderNo)).toMatchObject({
      orderStatus: 'approval_rejected',
      refuseCode: 'A1',
      refuseRemark: null,
      refusedBy: who.userNo,
      auditorNo: who.userNo,
      approvalAmount: null,
    })
    expect(await recordsOf(task.orderNo)).toMatchObject([
      { auditResult: 'refuse', refuseCode: 'A1', faceConsistency: 'inconsistent', approvalAmount: null },
    ])
    expect(await floor.rows(sql`select 1 as one from loan_code where order_no = ${task.orderNo}`)).toEqual([])
  })

  it.each([
    ['a code of level 1', { refuseCode: 'A' }, 'Please enter a correct value'],
    ['an unknown code', { refuseCode: 'Z9' }, 'Please enter a correct value'],
    ['no remark where the code asks for one', { refuseCode: 'A2' }, 'Enter a remark'],
    ['a long remark', { refuseCode: 'A1', remark: 'x'.repeat(31) }, 'Remark is at most 30 characters'],
  ])('does not refuse with %s', async (_, more, msg) => {
    const task = await opened()
    const before = await floor.snapshot()
    expect(await submit(decided(task, { auditResult: 'refuse', ...more }))).toMatchObject({ code: 40001, msg })
    expect(await floor.snapshot()).toBe(before)
  })

  it('asks for the review record before a refusal too', async () => {
    await floor.exec(
      sql`insert into audit_question (question_no, question_zh, question_local, question_type, required, sort) values ('Q9', '问', 'Ask', 'text', true, 1)`,
    )
    const task = await opened()
    expect(await submit(decided(task, { auditResult: 'refuse', refuseCode: 'A1' }))).toMatchObject({
      code: 40001,
      msg: 'The personal review record was not submitted completely',
    })
  })

  it('sends back with a reason, and with a remark for another one', async () => {
    const task = await opened()
    const back = (more: object) => ({
      orderNo: task.orderNo,
      leaseToken: task.leaseToken,
      version: task.orderVersion,
      auditResult: 'sent_back',
      ...more,
    })
    expect(await submit(back({ sendBackReason: 'other' }))).toMatchObject({ code: 40001, msg: 'Enter a remark' })
    expect(await submit(back({ sendBackReason: 'nonsense' }))).toMatchObject({ code: 40001 })
    expect((await submit(back({ sendBackReason: 'other', remark: 'ask his employer' }))).data).toMatchObject({
      orderStatus: 'to_be_allocated',
      auditStep: 1,
    })
    expect(await recordsOf(task.orderNo)).toMatchObject([
      { auditResult: 'sent_back', sendBackReason: 'other', remark: 'ask his employer', answers: [] },
    ])
    const { data } = await floor.call(audit.allotList, { orderNo: task.orderNo }, { as: lead })
    expect(data.list).toMatchObject([{ lastSendBackReason: 'other', auditorName: null, auditTaskStatus: null }])
  })
})
