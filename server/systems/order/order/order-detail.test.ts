import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import type { Person } from '../../../testing/kit.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'

const { audit, order } = contract

let floor: Floor
let lead: Person
let reader: Person
let who: Person
beforeAll(async () => {
  floor = await openFloor()
  lead = await floor.supervisor({ name: 'Ruth Lead' })
  reader = await floor.person({ perms: ['order:detail:view'], sensitive: ['pii:unmask', 'pii:reveal:contacts'] })
  who = await floor.auditor({ name: 'Grace Auma', queueCap: 100 })
})
afterAll(() => floor.close())

const read = async <
  N extends 'summary' | 'basic' | 'payout' | 'repayment' | 'steps' | 'records' | 'follows' | 'history',
>(
  name: N,
  orderNo: string,
  as = reader,
) =>
  (await floor.call(order[name], { orderNo } as never, { as })) as Awaited<
    ReturnType<typeof floor.call<(typeof order)[N]>>
  >

const reviewed = async () => {
  const orderNo = await floor.order()
  await floor.allotTo(lead, who, [orderNo])
  return { orderNo, task: await floor.open(who, orderNo) }
}

describe('the head of an order', () => {
  it('says who has it, and whether it is mine', async () => {
    const orderNo = await floor.order({ amount: '150000.00', customerName: 'Moses Okello' })
    expect((await read('summary', orderNo)).data).toMatchObject({
      orderNo,
      customerName: 'Moses Okello',
      orderStatus: 'to_be_allocated',
      merchantName: 'Boda Cash',
      productName: 'Quick loan P1',
      requestedAmount: '150000.00',
      auditorNo: null,
      auditorName: null,
      auditTaskStatus: null,
      openTime: null,
      mine: false,
      outstanding: null,
      nextDueDate: null,
      dueAmount: null,
      pendingApproval: null,
      overdueDays: 0,
    })
    await floor.allotTo(lead, who, [orderNo])
    expect((await read('summary', orderNo)).data).toMatchObject({
      auditorName: 'Grace Auma',
      auditTaskStatus: 'assigned',
      openTime: null,
      mine: false,
    })
    await floor.open(who, orderNo)
    expect((await read('summary', orderNo, who)).data).toMatchObject({
      auditTaskStatus: 'opened',
      openTime: floor.clock.now().toISOString(),
      mine: true,
    })
  })

  it('names a pending approval', async () => {
    const orderNo = await floor.order()
    await floor.exec(sql`
      insert into approval (approval_no, approval_action, approval_status, object_type, object_no, order_no, perm, payload, payload_hash, target_version, summary, maker_no, maker_name, submit_time, expire_time)
      values (${`AP${orderNo}`}, 'x', 'pending', 'loanCode', 'LC1', ${orderNo}, 'x', '{}', 'x', 1, '[]', 'U1', 'One', ${floor.clock.now()}, ${floor.clock.now()})`)
    expect((await read('summary', orderNo)).data.pendingApproval).toBe(`AP${orderNo}`)
  })

  it('says what is owed once the money is out', async () => {
    const orderNo = await floor.order()
    await floor.forceStatus(orderNo, 'funds_disbursed')
    for (const [billNo, installmentNo, dueDate, status, paid] of [
      ['B1', 1, '2026-03-09', 'paid', '100000.00'],
      ['B2', 2, '2026-03-16', 'pending', '0.00'],
    ] as const)
      await floor.exec(sql`
        insert into repay_plan (bill_no, order_no, installment_no, due_date, bill_status, principal_due, interest_due, service_fee_due, management_fee_due, principal_paid)
        values (${`${billNo}${orderNo}`}, ${orderNo}, ${installmentNo}, ${dueDate}, ${status}, 100000, 0, 0, 0, ${paid})`)
    expect((await read('summary', orderNo)).data).toMatchObject({
      outstanding: '100000.00',
      nextDueDate: '2026-03-16',
      dueAmount: '100000.00',
    })
    const { data } = await read('repayment', orderNo)
    expect(data.bills.map(bill => bill.billStatus)).toEqual(['paid', 'pending'])
    expect(data).toMatchObject({ records: [], journals: [], overflowAmount: '0.00' })
  })
})

describe('basic info', () => {
  it('shows customer, loan, account and contacts in full to people who may see them', async () => {
    const { orderNo, task } = await reviewed()
    const contactNo = `CT${orderNo}`
    await floor.exec(
      sql`insert into order_contact (contact_no, order_no, relation, contact_name, contact_phone) values (${contactNo}, ${orderNo}, 'spouse', 'John Mukasa', '256701234567')`,
    )
    const coupon = {
      couponNo: `CP${orderNo}`,
      couponType: 'discount_coupon',
      faceAmount: '10000.00',
      couponStatus: 'frozen',
      expireTime: '2026-04-01T07:00:00.000Z',
    }
    await floor.exec(sql`
      insert into coupon (coupon_no, customer_no, coupon_type, face_amount, coupon_status, start_time, expire_time, bound_order_no, created_time)
      select ${coupon.couponNo}, customer_no, ${coupon.couponType}, ${coupon.faceAmount}, ${coupon.couponStatus}, apply_time, ${coupon.expireTime}, order_no, apply_time
      from loan_order where order_no = ${orderNo}`)
    const held = { orderNo, leaseToken: task.leaseToken, contactNo }
    await floor.call(audit.followSave, { ...held, followResult: 'no_answer' }, { as: who })
    floor.clock.advance(1000)
    await floor.call(audit.followSave, { ...held, followResult: 'confirmed' }, { as: who })
    const { data } = await read('basic', orderNo)
    expect(data.customer).toMatchObject({
      customerName: 'Sarah Nakato',
      gender: 'female',
      birthDate: '1992-05-06',
      age: 33,
      creditLimit: '2000000.00',
      creditStatus: 'granted',
      creditAdjustable: true,
    })
    expect(data.coupon).toEqual(coupon)
    expect(data.customer.phone).toMatch(/^25677\d{7}$/)
    expect(data.loan).toMatchObject({
      requestedAmount: '200000.00',
      modelLevel: 'B',
      modelScore: 640,
      refuseReason: null,
    })
    expect(data.payout).toMatchObject({
      payoutType: 'wallet',
      verifyResult: 'passed',
      holderName: 'Sarah Nakato',
      walletAccount: data.customer.phone,
    })
    expect(data.contacts).toEqual([
      {
        contactNo,
        relation: 'spouse',
        contactName: 'John Mukasa',
        contactPhone: '256701234567',
        lastFollowResult: 'confirmed',
      },
    ])
    expect(data.checks.find(check => check.checkKey === 'wallet_name')).toMatchObject({ checkResult: 'match' })
  })

  it('hides whom a customer named from people who may not know it, whatever else they see in full', async () => {
    const { orderNo } = await reviewed()
    await floor.exec(
      sql`insert into order_contact (contact_no, order_no, relation, contact_name, contact_phone) values (${`CT${orderNo}`}, ${orderNo}, 'spouse', 'John Mukasa', '256701234567')`,
    )
    const other = await floor.person({ perms: ['order:detail:view'], sensitive: ['pii:unmask', 'pii:reveal:phone'] })
    const { data } = await read('basic', orderNo, other)
    expect(data.contacts).toBeNull()
    expect(JSON.stringify(data)).not.toMatch(/John Mukasa|256701234567/)
    expect((await read('basic', orderNo)).data.contacts).toHaveLength(1)
  })

  it('hides numbers and names from desensitised people everywhere', async () => {
    const { orderNo } = await reviewed()
    await floor.exec(
      sql`insert into order_contact (contact_no, order_no, relation, contact_name, contact_phone) values (${`CT${orderNo}`}, ${orderNo}, 'spouse', 'John Mukasa', '256701234567')`,
    )
    await floor.exec(sql`
      update merchant_customer set email = 'sarah.nakato@example.com' where customer_no = (select customer_no from loan_order where order_no = ${orderNo})`)
    const blind = await floor.person({ perms: ['order:detail:view'], sensitive: ['pii:reveal:contacts'] })
    const text = JSON.stringify([
      (await read('basic', orderNo, blind)).data,
      (await read('summary', orderNo, blind)).data,
    ])
    for (const secret of ['Sarah Nakato', 'John Mukasa', '256701234567', 'sarah.nakato@example.com'])
      expect(text).not.toContain(secret)
    expect((await read('basic', orderNo, blind)).data.customer.phone).toMatch(/^25\*+\d\d$/)
    expect((await read('basic', orderNo, blind)).data.customer.email).toMatch(/^sa\*+om$/)
    expect((await read('basic', orderNo)).data.customer.email).toBe('sarah.nakato@example.com')
  })
})

describe('what happened', () => {
  it('is one line of time from application to payout', async () => {
    const { orderNo } = await reviewed()
    await floor.open(who, orderNo)
    floor.clock.advance(60_000)
    const task = await floor.open(who, orderNo)
    await floor.call(audit.draft, { orderNo, leaseToken: task.leaseToken, draft: {} }, { as: who })
    await floor.call(audit.submit, { ...floor.passing(task, '180000.00'), remark: 'ok' }, { as: who })
    const { data } = await read('steps', orderNo)
    expect(data.list.map(step => [step.kind, step.event, step.actorName])).toEqual([
      ['application', 'order.create', 'Boda Cash'],
      ['machine', 'machine.pass', 'system'],
      ['allot', 'allot', 'Ruth Lead'],
      ['open', 'task.open', 'Grace Auma'],
      ['submit', 'audit.pass', 'Grace Auma'],
    ])
    expect(data.list[1]).toMatchObject({ modelLevel: 'B', modelScore: 640 })
    expect(data.list[2]).toMatchObject({ result: 'Grace Auma', auditStep: 1 })
    expect(data.list[4]).toMatchObject({
      result: 'pass',
      amount: '180000.00',
      remark: 'ok',
      seconds: 60,
      auditStep: 1,
      modelLevel: null,
    })
  })

  it('shows takeovers, returns to the queue and the end', async () => {
    const { orderNo } = await reviewed()
    const chief = await floor.auditor({
      name: 'Chief Okello',
      limit: 'all',
      perms: ['audit:order:handle', 'audit:order:handleAny'],
    })
    await floor.call(audit.open, { orderNo, force: true }, { as: chief })
    await floor.exec(
      sql`update audit_task set lease_until = ${new Date(floor.clock.now().getTime() - 1)} where order_no = ${orderNo}`,
    )
    await floor.call(audit.unallot, { orderNos: [orderNo] }, { as: lead })
    const manager = await floor.person({ perms: ['audit:order:cancel'], name: 'Mary Manager' })
    const { version } = await floor.one(
      sql<{ version: number }>`select version from loan_order where order_no = ${orderNo}`,
    )
    await floor.call(audit.cancel, { orderNo, version, reason: 'duplicate', remark: 'twice' }, { as: manager })
    const { data } = await read('steps', orderNo)
    expect(data.list.slice(3).map(step => [step.kind, step.actorName, step.result, step.remark])).toEqual([
      ['open', 'Grace Auma', null, null],
      ['open', 'Chief Okello', null, null],
      ['release', 'Ruth Lead', 'unallot', null],
      ['cancel', 'Mary Manager', 'duplicate', 'twice'],
    ])
  })

  it('keeps what each reviewer answered', async () => {
    await floor.exec(
      sql`insert into audit_question (question_no, question_zh, question_local, question_type, required, sort) values ('Q1', '说明', 'Words', 'text', true, 1)`,
    )
    const { orderNo, task } = await reviewed()
    await floor.call(audit.submit, floor.passing(task), { as: who })
    await floor.exec(sql`delete from audit_question`)
    expect((await read('records', orderNo)).data.list).toMatchObject([
      {
        auditorName: 'Grace Auma',
        auditStep: 1,
        auditResult: 'pass',
        approvalAmount: '200000.00',
        faceConsistency: 'consistent',
        refuseCode: null,
        answers: [{ questionZh: '说明', questionLocal: 'Words', answer: 'Runs a stall', answerZh: 'Runs a stall' }],
      },
    ])
  })

  it('lists calls, newest first', async () => {
    const { orderNo, task } = await reviewed()
    const contactNo = `CT${orderNo}`
    await floor.exec(
      sql`insert into order_contact (contact_no, order_no, relation, contact_name, contact_phone) values (${contactNo}, ${orderNo}, 'friend', 'Peter Ssali', '256701234567')`,
    )
    await floor.call(audit.followSave, { orderNo, leaseToken: task.leaseToken, followResult: 'no_answer' }, { as: who })
    floor.clock.advance(1000)
    await floor.call(
      audit.followSave,
      { orderNo, leaseToken: task.leaseToken, contactNo, followResult: 'confirmed', followRemark: 'knows' },
      { as: who },
    )
    const { data } = await read('follows', orderNo)
    expect(data.list).toMatchObject([
      {
        contactNo,
        contactName: 'Peter Ssali',
        relation: 'friend',
        followResult: 'confirmed',
        followRemark: 'knows',
        createdByName: 'Grace Auma',
      },
      { contactNo: null, contactName: null, relation: null, followResult: 'no_answer' },
    ])
    expect(data.total).toBe(2)
    const blind = await floor.person({ perms: ['order:detail:view'], sensitive: [] })
    expect((await read('follows', orderNo, blind)).data.list[0]?.contactName).toBe('Pe*******li')
  })

  it('shows the loan code of an approved order', async () => {
    const { orderNo, task } = await reviewed()
    expect((await read('payout', orderNo)).data).toEqual({ codes: [], attempts: [] })
    await floor.call(audit.submit, floor.passing(task), { as: who })
    expect((await read('payout', orderNo)).data).toMatchObject({
      codes: [{ orderNo, loanCodeStatus: 'created', actualLoanAmount: '190000.00' }],
      attempts: [],
    })
  })

  it('shows the other orders of the customer, as far as the caller may see them', async () => {
    const shared = { customerNo: 'CUhistory' }
    const [a, b, c] = [
      await floor.order(shared),
      await floor.order(shared),
      await floor.order({ ...shared, merchantNo: 'M2' }),
    ]
    await floor.order()
    await floor.forceStatus(b, 'settled')
    expect((await read('history', a)).data.list.map(row => row.orderNo).sort()).toEqual([b, c])
    const narrow = await floor.person({ perms: ['order:detail:view'], limit: 'own_merchants', merchants: ['M1'] })
    expect((await read('history', a, narrow)).data.list).toMatchObject([
      { orderNo: b, orderStatus: 'settled', outstanding: '0.00', auditorName: null },
    ])
    expect((await floor.call(order.history, { orderNo: a, orderStatus: ['settled'] }, { as: reader })).data.total).toBe(
      1,
    )
  })
})

describe('every part', () => {
  it.each(['summary', 'basic', 'payout', 'repayment', 'steps', 'records', 'follows', 'history'] as const)(
    'order-audit 9: %s asks for its permission and finds nothing out of reach',
    async name => {
      const nobody = await floor.person({ perms: ['audit:self:page'] })
      const foreign = await floor.order({ merchantNo: 'M2' })
      expect(await read(name, foreign, nobody)).toMatchObject({ code: 40301 })
      const narrow = await floor.person({ perms: ['order:detail:view'], limit: 'own_merchants', merchants: ['M1'] })
      const known = await read(name, foreign, narrow)
      const unknown = await read(name, 'LO-unknown', narrow)
      expect(known).toEqual({ code: 40401, msg: 'Record not found', data: null })
      expect(unknown).toEqual(known)
      expect((await read(name, foreign)).code).toBe(0)
      const own = await floor.person({ perms: ['order:detail:view'], limit: 'own' })
      expect((await read(name, foreign, own)).code).toBe(40401)
    },
  )
})
