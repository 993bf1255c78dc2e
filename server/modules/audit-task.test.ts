import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { contract } from '../../core/contract/contract.ts'
import { dictionaries } from '../../core/contract/dictionaries.ts'
import { add, sum } from '../../core/rules/money.ts'
import type { Person } from '../testing/kit.ts'
import { auditorPerms, type Floor, openFloor } from '../testing/review-floor.ts'

const { audit } = contract

let floor: Floor
let lead: Person
let who: Person
beforeAll(async () => {
  floor = await openFloor()
  lead = await floor.supervisor()
  who = await floor.auditor({ name: 'Grace Auma', queueCap: 500 })
})
afterAll(() => floor.close())

const allotted = async (o: Parameters<typeof floor.order>[0] = {}, to = who): Promise<string> => {
  const orderNo = await floor.order(o)
  const { data } = await floor.allotTo(lead, to, [orderNo])
  expect(data.ok).toBe(1)
  return orderNo
}

const opened = async (o: Parameters<typeof floor.order>[0] = {}) => floor.open(who, await allotted(o))
const chief = () =>
  floor.auditor({ name: 'Chief Okello', limit: 'all', perms: [...auditorPerms, 'audit:order:handleAny'] })

describe('opening', () => {
  it('takes a lease of ten minutes and tells everything the panel needs', async () => {
    await floor.exec(sql`
      insert into audit_question (question_no, question_zh, question_local, question_type, options, required, loan_kind_scope, sort, enabled) values
        ('QX1', '用途？', 'What for?', 'single', '[{"optionNo": "a", "optionZh": "生意", "optionLocal": "Business"}]', true, 'both', 2, true),
        ('QX2', '首贷？', 'First?', 'text', '[]', false, 'first', 1, true), ('QX3', '复贷？', 'Again?', 'text', '[]', true, 'repeat', 3, true), ('QX4', '停用', 'Off', 'text', '[]', true, 'both', 4, false)`)
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

  it('moves to the second window: the first one is out, its draft goes on, and only one submit succeeds', async () => {
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
        msg: 'Opened in another window',
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
      msg: 'This order is reviewed by Grace Auma',
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

  it('finds nothing of another merchant or another auditor, the same as for an unknown number', async () => {
    const foreign = await floor.auditor({ limit: 'all', merchants: ['M2'] })
    const theirs = await floor.order({ merchantNo: 'M2' })
    await floor.allotTo(lead, foreign, [theirs])
    const narrow = await floor.auditor({ merchants: ['M1'], limit: 'own_merchants' })
    for (const orderNo of [theirs, 'LO-unknown'])
      expect(await floor.call(audit.open, { orderNo }, { as: narrow })).toMatchObject({ code: 40401, msg: 'Not found' })
    const mine = await allotted()
    expect(await floor.call(audit.open, { orderNo: mine }, { as: await floor.auditor() })).toMatchObject({
      code: 40401,
    })
  })

  it.each(dictionaries.ORDER_STATUS.filter(status => status !== 'pending_review'))(
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
      msg: 'The state is now “To be allocated”; the action is not possible',
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

  it('keeps every kind of draft over a lost session', async () => {
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
      ['205000.00', "The amount must be a multiple of the product's step"],
      ['40000.00', "The amount is outside the product's range"],
      ['1.234', 'Enter an amount of 0 or more with at most 2 decimals'],
    ] as const)
      expect(await floor.call(audit.trial, { orderNo, approvalAmount }, { as: who })).toMatchObject({
        code: 40001,
        msg,
      })
  })
})

describe('the payout account', () => {
  const accountOf = (orderNo: string) =>
    floor.one(
      sql<{
        walletAccount: string
        payoutVerify: string
        payoutHolderName: string | null
        version: number
      }>`select wallet_account, payout_verify, payout_holder_name, version from loan_order where order_no = ${orderNo}`,
    )

  it('is verified by asking the network for its holder', async () => {
    const task = await opened({ payoutVerify: 'not_verified', phone: '256772000031' })
    const held = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    const verify = () => floor.call(audit.verifyPayout, held, { as: who })
    floor.holders.set('256772000031', 'NAKATO Sarah')
    expect((await verify()).data).toEqual({ verifyResult: 'passed', holderName: 'NAKATO Sarah', matchScore: 1 })
    expect(await accountOf(task.orderNo)).toMatchObject({
      payoutVerify: 'passed',
      payoutHolderName: 'NAKATO Sarah',
      version: task.orderVersion,
    })
    floor.holders.set('256772000031', 'Sarah Achieng')
    expect((await verify()).data).toEqual({ verifyResult: 'failed', holderName: 'Sarah Achieng', matchScore: 0.5 })
    floor.holders.delete('256772000031')
    expect((await verify()).data).toEqual({ verifyResult: 'failed', holderName: null, matchScore: 0 })
    floor.holders.set('256772000031', 'silent')
    expect((await verify()).data).toEqual({ verifyResult: 'unavailable', holderName: null, matchScore: 0 })
    expect(await floor.call(audit.submit, { ...floor.passing(task) }, { as: who })).toMatchObject({
      code: 40001,
      msg: 'The payout account is not verified',
    })
  })

  it('is unavailable when the network takes longer than five seconds', async () => {
    const task = await opened({ phone: '256772000032' })
    const { verifyHolder } = await import('./holder.ts')
    vi.useFakeTimers()
    try {
      const never = { verifyHolder: () => new Promise<never>(() => undefined) } as unknown as Parameters<
        typeof verifyHolder
      >[0]['mtn_momo']
      const asked = verifyHolder(
        { mtn_momo: never },
        { payoutSubtype: 'mtn', walletAccount: '256772000032', cardholderName: 'Sarah Nakato' },
      )
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await asked).toMatchObject({ verifyResult: 'unavailable' })
    } finally {
      vi.useRealTimers()
    }
    expect(task.orderNo).toBeTruthy()
  })

  it('is changed with the old one kept, verified anew, and without clear values in the log', async () => {
    const task = await opened({ phone: '256772000041' })
    const held = { orderNo: task.orderNo, leaseToken: task.leaseToken }
    const account = {
      payoutType: 'wallet' as const,
      payoutSubtype: 'mtn' as const,
      walletAccount: '256772000042',
      cardholderName: 'Sarah Nakato',
    }
    floor.holders.set('256772000042', 'Sarah Nakato')
    expect((await floor.call(audit.changePayout, { ...held, ...account }, { as: who })).data).toEqual({
      verifyResult: 'passed',
      holderName: 'Sarah Nakato',
    })
    expect(await accountOf(task.orderNo)).toEqual({
      walletAccount: '256772000042',
      payoutVerify: 'passed',
      payoutHolderName: 'Sarah Nakato',
      version: task.orderVersion + 1,
    })
    expect(
      await floor.rows(
        sql`select wallet_account, changed_by from order_payout_history where order_no = ${task.orderNo}`,
      ),
    ).toEqual([{ walletAccount: '256772000041', changedBy: who.userNo }])
    const line = await floor.one(
      sql<{
        text: string
      }>`select before::text || after::text as text from audit_log where action = 'payout.change' and order_no = ${task.orderNo}`,
    )
    expect(line.text).toContain('25********42')
    for (const secret of ['256772000041', '256772000042', 'Sarah']) expect(line.text).not.toContain(secret)
    expect(await floor.call(audit.changePayout, { ...held, ...account }, { as: who })).toMatchObject({
      code: 40001,
      msg: 'Data already exists',
    })
    expect(await floor.call(audit.submit, floor.passing(task), { as: who })).toMatchObject({ code: 40902 })
    expect(
      await floor.call(audit.submit, { ...floor.passing(task), version: task.orderVersion + 1 }, { as: who }),
    ).toMatchObject({ code: 0 })
  })

  it('stops Pass while the new account is not verified', async () => {
    const task = await opened({ phone: '256772000051' })
    const account = {
      payoutType: 'wallet' as const,
      payoutSubtype: 'airtel' as const,
      walletAccount: '256702000052',
      cardholderName: 'Sarah Nakato',
    }
    expect(
      (
        await floor.call(
          audit.changePayout,
          { orderNo: task.orderNo, leaseToken: task.leaseToken, ...account },
          { as: who },
        )
      ).data,
    ).toEqual({ verifyResult: 'unavailable', holderName: null })
    const before = await floor.snapshot()
    expect(
      await floor.call(audit.submit, { ...floor.passing(task), version: task.orderVersion + 1 }, { as: who }),
    ).toMatchObject({ code: 40001, msg: 'The payout account is not verified' })
    expect(await floor.snapshot()).toBe(before)
  })

  it('is complete and of one kind', async () => {
    const task = await opened()
    const change = (account: object) =>
      floor.call(audit.changePayout, { orderNo: task.orderNo, leaseToken: task.leaseToken, ...account } as never, {
        as: who,
      })
    expect(await change({ payoutType: 'wallet', payoutSubtype: 'mtn', cardholderName: 'S N' })).toMatchObject({
      code: 40001,
      msg: 'Please provide complete information',
    })
    expect(
      await change({ payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '0772000042', cardholderName: 'S N' }),
    ).toMatchObject({ code: 40001, msg: 'Phone format incorrect, e.g. 256123456789' })
    expect(
      await change({
        payoutType: 'wallet',
        payoutSubtype: 'bank_transfer',
        walletAccount: '256772000042',
        cardholderName: 'S N',
      }),
    ).toMatchObject({ code: 40001, data: { fields: [{ path: 'payoutSubtype' }] } })
    expect(
      await change({
        payoutType: 'bank',
        payoutSubtype: 'bank_transfer',
        bankName: 'Stanbic',
        bankCardNo: '12',
        cardholderName: 'S N',
      }),
    ).toMatchObject({ code: 40001, msg: 'The card number has 6 to 20 digits' })
    expect(
      await change({
        payoutType: 'bank',
        payoutSubtype: 'bank_transfer',
        bankName: 'Stanbic',
        bankCardNo: '9030001234567',
        cardholderName: 'S N',
      }),
    ).toMatchObject({ code: 0, data: { verifyResult: 'unavailable' } })
  })

  it('hides the holder from desensitised auditors', async () => {
    const blind = await floor.auditor({ sensitive: [] })
    const orderNo = await allotted({ phone: '256772000061' }, blind)
    const task = await floor.open(blind, orderNo)
    floor.holders.set('256772000061', 'Sarah Nakato')
    expect(
      (await floor.call(audit.verifyPayout, { orderNo, leaseToken: task.leaseToken }, { as: blind })).data,
    ).toMatchObject({ verifyResult: 'passed', holderName: 'Sa********to' })
  })

  it('needs the lease', async () => {
    const task = await opened()
    const stale = { orderNo: task.orderNo, leaseToken: `${who.userNo}.old` }
    expect(await floor.call(audit.verifyPayout, stale, { as: who })).toMatchObject({ code: 40901 })
    expect(
      await floor.call(
        audit.changePayout,
        { ...stale, payoutType: 'wallet', payoutSubtype: 'mtn', walletAccount: '256772000099', cardholderName: 'S N' },
        { as: who },
      ),
    ).toMatchObject({ code: 40901 })
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
