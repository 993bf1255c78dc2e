import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { statesOf } from '../../../../core/rules/machines/machine.ts'
import { order as orderMachine } from '../../../../core/rules/machines/order/order.ts'
import { add, sum } from '../../../../core/rules/money.ts'
import { auditorPerms } from '../../../testing/review-floor.ts'
import { floorForTests } from '../../../testing/suites.ts'

const { audit } = contract

const { floor, lead, who, allotted, opened } = await floorForTests({ name: 'Grace Auma' })
const chief = () =>
  floor.auditor({ name: 'Chief Okello', limit: 'all', perms: [...auditorPerms, 'audit:order:handleAny'] })

describe('opening', () => {
  it('takes a lease of ten minutes and tells everything the panel needs', async () => {
    await floor.exec(sql`
      insert into audit_question (question_no, question_zh, question_local, question_type, options, required, loan_kind_scope, sort, enabled) values
        ('QX1', '用途？', 'What for?', 'single', '[{"optionNo": "a", "optionZh": "生意", "optionLocal": "Business"}]', true, 'both', 2, 'enabled'),
        ('QX2', '首贷？', 'First?', 'text', '[]', false, 'first', 1, 'enabled'), ('QX3', '复贷？', 'Again?', 'text', '[]', true, 'repeat', 3, 'enabled'), ('QX4', '停用', 'Off', 'text', '[]', true, 'both', 4, 'disabled')`)
    const orderNo = await allotted({ remainingLimit: '455000.00', amount: '300000.00', suggestedAmount: '250000.00' })
    const task = await floor.open(who, orderNo)
    expect(task).toMatchObject({
      orderNo,
      auditTaskStatus: 'opened',
      auditStep: 1,
      auditStepCount: 1,
      draft: null,
      openTime: floor.clock.now().toISOString(),
      leaseUntil: new Date(floor.clock.now().getTime() + 600_000).toISOString(),
      limits: {
        productMin: '50000.00',
        productMax: '1000000.00',
        amountStep: '10000.00',
        creditRemaining: '455000.00',
        approvalCap: '2000000.00',
        max: '450000.00',
        smallest: 'credit',
        requested: '300000.00',
        suggested: '250000.00',
      },
    })
    expect(task.questions.map(question => question.questionNo)).toEqual(['QX2', 'QX1'])
    expect(task.orderVersion).toBe(
      (await floor.one(sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`)).version,
    )
    await floor.exec(sql`delete from audit_question`)
    expect(await floor.one(sql`select action, actor from audit_log where object_no = ${task.auditTaskNo}`)).toEqual({
      action: 'task.open',
      actor: who.userNo,
    })
  })

  it('order-audit 3: moves to the second window: the first one is out, its draft goes on, and only one submit succeeds', async () => {
    const first = await opened()
    const draft = { approvalAmount: '180000', remark: 'called twice', answers: [] }
    expect(
      (await floor.call(audit.draft, { orderNo: first.orderNo, leaseToken: first.leaseToken, draft }, { as: who }))
        .code,
    ).toBe(0)
    const second = await floor.open(who, first.orderNo)
    expect(second.leaseToken).not.toBe(first.leaseToken)
    expect(second.draft).toEqual(draft)
    for (const call of [
      floor.call(audit.heartbeat, { orderNo: first.orderNo, leaseToken: first.leaseToken }, { as: who }),
      floor.call(audit.draft, { orderNo: first.orderNo, leaseToken: first.leaseToken, draft: {} }, { as: who }),
      floor.call(
        audit.followSave,
        { orderNo: first.orderNo, leaseToken: first.leaseToken, followResult: 'confirmed' },
        { as: who },
      ),
      floor.call(audit.submit, floor.passing(first), { as: who }),
    ])
      expect(await call).toMatchObject({
        code: 40901,
        msg: 'The order is open in another window',
        data: { status: 'opened', takenOverBy: null },
      })
    expect((await floor.call(audit.submit, floor.passing(second), { as: who })).code).toBe(0)
    expect(await floor.call(audit.submit, floor.passing(second), { as: who })).toMatchObject({
      code: 40901,
      data: { status: 'pending_disbursement' },
    })
    expect(await floor.rows(sql`select 1 as one from audit_record where order_no = ${first.orderNo}`)).toHaveLength(1)
  })

  it('keeps colleagues out, lets those who may handle any take over, and the auditor take back', async () => {
    const task = await opened()
    const boss = await chief()
    const colleague = await floor.auditor({ limit: 'all' })
    expect(await floor.call(audit.open, { orderNo: task.orderNo }, { as: colleague })).toMatchObject({
      code: 40301,
      msg: 'Grace Auma is reviewing this order',
    })
    expect(await floor.call(audit.open, { orderNo: task.orderNo }, { as: boss })).toMatchObject({
      code: 40901,
      msg: 'Grace Auma is working on this order',
      data: { status: 'opened' },
    })
    const taken = await floor.call(audit.open, { orderNo: task.orderNo, force: true }, { as: boss })
    expect(taken.code).toBe(0)
    expect(
      await floor.call(audit.heartbeat, { orderNo: task.orderNo, leaseToken: task.leaseToken }, { as: who }),
    ).toMatchObject({
      code: 40901,
      msg: 'Chief Okello is working on this order',
      data: { takenOverBy: 'Chief Okello' },
    })
    expect(
      await floor.call(audit.heartbeat, { orderNo: task.orderNo, leaseToken: taken.data.leaseToken }, { as: who }),
    ).toMatchObject({ code: 40901 })
    const back = await floor.open(who, task.orderNo)
    expect(
      await floor.call(audit.heartbeat, { orderNo: task.orderNo, leaseToken: back.leaseToken }, { as: who }),
    ).toMatchObject({ code: 0 })
  })

  it('is open to who may handle any once the lease has run out', async () => {
    const task = await opened()
    const boss = await chief()
    await floor.exec(
      sql`update audit_task set lease_until = ${new Date(floor.clock.now().getTime() - 1000)} where order_no = ${task.orderNo}`,
    )
    expect((await floor.call(audit.open, { orderNo: task.orderNo }, { as: boss })).code).toBe(0)
    expect(
      await floor.rows(
        sql`select from_state, to_state, payload ->> 'takenFrom' as taken from state_transition where object_no = ${task.auditTaskNo} and actor = ${boss.userNo}`,
      ),
    ).toEqual([{ fromState: 'opened', toState: 'opened', taken: who.userNo }])
  })

  it('order-audit 9: finds nothing of another merchant or another auditor, the same as for an unknown number', async () => {
    const foreign = await floor.auditor({ limit: 'all', merchants: ['M2'] })
    const theirs = await floor.order({ merchantNo: 'M2' })
    await floor.allotTo(lead, foreign, [theirs])
    const narrow = await floor.auditor({ merchants: ['M1'], limit: 'own_merchants' })
    for (const orderNo of [theirs, 'LO-unknown'])
      expect(await floor.call(audit.open, { orderNo }, { as: narrow })).toMatchObject({
        code: 40401,
        msg: 'Record not found',
      })
    const mine = await allotted()
    expect(await floor.call(audit.open, { orderNo: mine }, { as: await floor.auditor() })).toMatchObject({
      code: 40401,
    })
  })

  it.each(statesOf(orderMachine).filter(status => status !== 'pending_review'))(
    'refuses an order that is %s, with that status',
    async status => {
      const boss = await chief()
      const orderNo = await floor.order()
      await floor.forceStatus(orderNo, status)
      expect(await floor.call(audit.open, { orderNo }, { as: boss })).toMatchObject({ code: 40901, data: { status } })
    },
  )

  it('answers a released task with the present status, and the draft stays with the auditor', async () => {
    const task = await opened()
    await floor.exec(
      sql`update audit_task set lease_until = ${new Date(floor.clock.now().getTime() - 1000)} where order_no = ${task.orderNo}`,
    )
    expect((await floor.call(audit.unallot, { orderNos: [task.orderNo] }, { as: lead })).data.ok).toBe(1)
    const before = await floor.snapshot()
    expect(await floor.call(audit.submit, floor.passing(task), { as: who })).toMatchObject({
      code: 40901,
      msg: 'The status is now “To be allocated”; the action is not possible',
      data: { status: 'to_be_allocated' },
    })
    expect(
      await floor.call(audit.draft, { orderNo: task.orderNo, leaseToken: task.leaseToken, draft: {} }, { as: who }),
    ).toMatchObject({ code: 40901, data: { status: 'to_be_allocated' } })
    expect(await floor.snapshot()).toBe(before)
  })

  it('asks to open before anything else', async () => {
    const orderNo = await allotted()
    expect(await floor.call(audit.heartbeat, { orderNo, leaseToken: 'x' }, { as: who })).toMatchObject({
      code: 40901,
      data: { status: 'assigned' },
    })
  })
})

describe('a lease in use', () => {
  it('is prolonged by the heartbeat', async () => {
    const task = await opened()
    const later = new Date(floor.clock.now().getTime() + 300_000)
    floor.clock.set(later)
    const { data } = await floor.call(
      audit.heartbeat,
      { orderNo: task.orderNo, leaseToken: task.leaseToken },
      { as: who },
    )
    expect(data.leaseUntil).toBe(new Date(later.getTime() + 600_000).toISOString())
  })

  it('order-audit 11: keeps every kind of draft over a lost session', async () => {
    const task = await opened()
    const draft = {
      approvalAmount: '12',
      auditResult: 'pass' as const,
      remark: 'x',
      faceConsistency: 'unsure' as const,
      answers: [{ questionNo: 'Q1', optionNos: ['a'], text: 'hm' }],
      refuseLevel1: 'A',
      refuseCode: 'A1',
      sendBackReason: 'other' as const,
      seenChecks: ['gender'],
      approvalTime: '2026-03-02',
    }
    expect(
      (await floor.call(audit.draft, { orderNo: task.orderNo, leaseToken: task.leaseToken, draft }, { as: who })).code,
    ).toBe(0)
    await floor.exec(sql`update session set ended_time = ${floor.clock.now()} where user_no = ${who.userNo}`)
    expect((await floor.call(audit.open, { orderNo: task.orderNo }, { as: who })).code).toBe(-10)
    await floor.exec(sql`update session set ended_time = null where user_no = ${who.userNo}`)
    expect((await floor.open(who, task.orderNo)).draft).toEqual(draft)
  })

  it('notes calls to the customer and to declared contacts', async () => {
    const task = await opened()
    const contactNo = `CT${task.orderNo}`
    await floor.exec(
      sql`insert into order_contact (contact_no, order_no, relation, contact_name, contact_phone) values (${contactNo}, ${task.orderNo}, 'spouse', 'John Mukasa', '256701234567')`,
    )
    const held = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    expect(
      (
        await floor.call(
          audit.followSave,
          { ...held, contactNo, followResult: 'confirmed', followRemark: 'knows the loan' },
          { as: who },
        )
      ).code,
    ).toBe(0)
    expect((await floor.call(audit.followSave, { ...held, followResult: 'no_answer' }, { as: who })).code).toBe(0)
    expect(
      await floor.call(audit.followSave, { ...held, contactNo: 'CT-other', followResult: 'no_answer' }, { as: who }),
    ).toMatchObject({ code: 40001, data: { fields: [{ path: 'contactNo' }] } })
    expect(
      await floor.call(
        audit.followSave,
        { ...held, followResult: 'no_answer', followRemark: 'x'.repeat(31) },
        { as: who },
      ),
    ).toMatchObject({ code: 40001, msg: 'Remark is at most 30 characters' })
    expect(
      await floor.rows(
        sql`select contact_no, follow_result, created_by from follow_record where order_no = ${task.orderNo} order by contact_no`,
      ),
    ).toEqual([
      { contactNo, followResult: 'confirmed', createdBy: who.userNo },
      { contactNo: null, followResult: 'no_answer', createdBy: who.userNo },
    ])
  })

  it('shows the plan an amount would make from today', async () => {
    const orderNo = await allotted()
    const { data } = await floor.call(audit.trial, { orderNo, approvalAmount: '200000' }, { as: who })
    expect(data).toMatchObject({
      loanAmount: '200000.00',
      upfrontFee: '10000.00',
      actualLoanAmount: '190000.00',
      interest: '28000.00',
      fees: '2000.00',
      total: '230000.00',
    })
    expect(data.bills.map(bill => bill.dueDate)).toEqual(['2026-03-09', '2026-03-16'])
    expect(sum(data.bills.map(bill => bill.billAmount))).toBe(data.total)
    expect(sum(data.bills.map(bill => bill.principal))).toBe(data.loanAmount)
    expect(add(data.actualLoanAmount, data.upfrontFee)).toBe(data.loanAmount)
    for (const [approvalAmount, msg] of [
      ['205000.00', 'Enter a multiple of UGX 10,000'],
      ['40000.00', 'The amount is outside the product’s limits'],
      ['1.234', 'Enter an amount of 0 or more with at most 2 decimals'],
    ] as const)
      expect(await floor.call(audit.trial, { orderNo, approvalAmount }, { as: who })).toMatchObject({
        code: 40001,
        msg,
      })
  })
})

describe('refuse codes', () => {
  it('come in two levels in the language of the caller', async () => {
    await floor.exec(sql`
      insert into refuse_code (refuse_code, level, parent_code, name_zh, name_en, name_sw, customer_text, need_remark, cooling_days, enabled) values
        ('R9', 1, null, '身份', 'Identity', 'Utambulisho', null, false, 0, true), ('R901', 2, 'R9', '证件不符', 'ID differs', 'Kitambulisho hakilingani', 'We could not confirm your identity', true, 60, true),
        ('R902', 2, 'R9', '停用', 'Off', 'Imezimwa', null, false, 0, false)`)
    expect(
      (await floor.call(audit.refuseCodes, { level: 1 }, { as: who, language: 'zh' })).data.list.map(code => code.name),
    ).toEqual(['身份'])
    expect((await floor.call(audit.refuseCodes, { level: 2, parent: 'R9' }, { as: who })).data.list).toEqual([
      {
        refuseCode: 'R901',
        name: 'ID differs',
        customerText: 'We could not confirm your identity',
        needRemark: true,
        coolingDays: 60,
      },
    ])
    expect((await floor.call(audit.refuseCodes, { level: 2, parent: 'none' }, { as: who })).data.list).toEqual([])
  })
})

describe('permissions', () => {
  const held = { orderNo: 'x', leaseToken: 'x' }
  it.each([
    ['open', { orderNo: 'x' }],
    ['heartbeat', held],
    ['draft', { ...held, draft: {} }],
    ['trial', { orderNo: 'x', approvalAmount: '1' }],
    ['followSave', { ...held, followResult: 'confirmed' }],
    ['submit', { ...held, version: 1, auditResult: 'sent_back', sendBackReason: 'other' }],
    ['refuseCodes', { level: 1 }],
    ['verifyPayout', held],
    ['markPayoutChecked', { ...held, version: 1, evidence: 'x' }],
    [
      'changePayout',
      { ...held, payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '256772000099', cardholderName: 'x' },
    ],
  ] as const)('%s asks for its own, and does not find foreign orders', async (name, input) => {
    const nobody = await floor.person({ perms: ['audit:allot:page'] })
    expect(await floor.call(audit[name], input as never, { as: nobody })).toMatchObject({ code: 40301 })
    if (name === 'refuseCodes') return
    const foreign = await floor.order({ merchantNo: 'M2' })
    const narrow = await floor.person({ perms: auditorPerms, limit: 'own_merchants', merchants: ['M1'] })
    const amount = name === 'trial' ? { approvalAmount: '100000.00' } : {}
    for (const orderNo of [foreign, 'LO-none'])
      expect(await floor.call(audit[name], { ...input, ...amount, orderNo } as never, { as: narrow })).toMatchObject({
        code: 40401,
      })
  })
})
