import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { hasPostgres, newPostgresDatabase } from '../../../../tests/postgres.ts'
import { attachUpload } from '../../../files/uploads/stored.ts'
import { law } from '../../../testing/law.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { type Floor, openFloor } from '../../../testing/review-floor.ts'
import { decisionsForTests } from '../../../testing/suites.ts'

const { audit } = contract

const { floor, who, opened, submit, orderOf, recordsOf } = await decisionsForTests()
type Task = Awaited<ReturnType<typeof opened>>
type Given = Parameters<typeof opened>[0]

describe('the files of an order', () => {
  it('stay as they are once the order was decided', async () => {
    const task = await opened()
    const { orderNo } = task
    const uploadNo = await readyFile(floor.db, who.userNo)
    const actor = { no: who.userNo, name: 'Auditor', requestId: 'fixture', ip: null }
    await floor.db.withTx(tx => attachUpload(tx, uploadNo, 'order', orderNo, actor, 'income'))
    const restsOn = () => floor.one(sql`select rests_on from attachment where object_no = ${orderNo}`)
    expect(await restsOn()).toEqual({ restsOn: null })
    expect((await submit(floor.passing(task, '100000'))).code).toBe(0)
    expect(await restsOn()).toEqual({ restsOn: 'audit.submit' })
  })
})

describe('Pass', () => {
  it('fixes the terms of the loan, takes the credit, and makes one loan code', async () => {
    const task = await opened({ amount: '300000.00', remainingLimit: '400000.00' })
    floor.clock.advance(95_000)
    const input = { ...floor.passing(task, '250000'), remark: 'fine' }
    const { data } = await submit(input)
    expect(data).toEqual({
      orderNo: task.orderNo,
      orderStatus: 'pending_disbursement',
      auditStep: 1,
      auditStepCount: 1,
    })
    const now = floor.clock.now().toISOString()
    expect(await orderOf(task.orderNo)).toMatchObject({
      orderStatus: 'pending_disbursement',
      requestedAmount: '300000.00',
      approvalAmount: '250000.00',
      loanAmount: '250000.00',
      actualLoanAmount: '237500.00',
      auditorNo: who.userNo,
      auditTime: now,
      approvalTime: now,
      statusTime: now,
    })
    expect(
      await floor.rows(
        sql`select l.loan_code_status, l.actual_loan_amount, l.wallet_account = o.wallet_account as same from loan_code l join loan_order o using (order_no) where order_no = ${task.orderNo}`,
      ),
    ).toEqual([{ loanCodeStatus: 'created', actualLoanAmount: '237500.00', same: true }])
    expect(
      await floor.one(sql`select remaining_limit from customer where customer_no = ${`CU${task.orderNo}`}`),
    ).toEqual({ remainingLimit: '150000.00' })
    expect(await recordsOf(task.orderNo)).toMatchObject([
      {
        auditorNo: who.userNo,
        auditStep: 1,
        auditResult: 'pass',
        approvalAmount: '250000.00',
        faceConsistency: 'consistent',
        remark: 'fine',
        seconds: 95,
        answers: [],
        auditTaskNo: task.auditTaskNo,
      },
    ])
    expect(
      await floor.one(
        sql`select audit_task_status, audit_result, handle_seconds, lease_token, draft from audit_task where order_no = ${task.orderNo}`,
      ),
    ).toEqual({
      auditTaskStatus: 'submitted',
      auditResult: 'pass',
      handleSeconds: 95,
      leaseToken: null,
      draft: null,
    })
    expect(
      await floor.rows(
        sql`select machine, event, from_state, to_state from state_transition where actor = ${who.userNo} and payload ->> 'auditTaskNo' = ${task.auditTaskNo} order by transition_no`,
      ),
    ).toEqual([
      { machine: 'M10', event: 'audit.pass', fromState: 'pending_review', toState: 'pending_disbursement' },
      { machine: 'M11', event: 'task.submit', fromState: 'opened', toState: 'submitted' },
    ])
    const lines = await floor.rows(
      sql<{
        objectType: string
        before: object
        after: object
      }>`select object_type, before, after from audit_log where action = 'task.submit' and order_no = ${task.orderNo} order by object_type`,
    )
    expect(lines).toEqual([
      { objectType: 'customer', before: { remainingLimit: '400000.00' }, after: { remainingLimit: '150000.00' } },
      {
        objectType: 'order',
        before: {
          orderStatus: 'pending_review',
          loanAmount: '300000.00',
          actualLoanAmount: '300000.00',
          approvalAmount: null,
          approvalTime: null,
        },
        after: {
          orderStatus: 'pending_disbursement',
          loanAmount: '250000.00',
          actualLoanAmount: '237500.00',
          approvalAmount: '250000.00',
          approvalTime: now,
        },
      },
    ])
  })

  it('is refused above a cap of the law, and nothing happens', async () => {
    const task = await opened()
    await floor.exec(law({ capKey: 'interest_month', capValue: '2.8' }))
    expect(await submit(floor.passing(task))).toMatchObject({
      code: 40001,
      msg: 'The price is above the legal cap: Interest per month is 30%, the law allows at most 2.8%',
    })
    await floor.exec(law())
    expect((await orderOf(task.orderNo)).orderStatus).toBe('pending_review')
    expect((await submit(floor.passing(task))).code).toBe(0)
  })

  it('is refused with its reason when the credit of the customer is over, from the first day after', async () => {
    const task = await opened()
    const of = { creditNo: `CR${task.orderNo}`, customerNo: `CU${task.orderNo}`, creditStatus: 'granted' }
    const until = (day: string) =>
      floor.exec(sql`
      insert into credit (credit_no, customer_no, credit_status, credit_expiry, created_time)
      values (${of.creditNo}, ${of.customerNo}, ${of.creditStatus}, ${day}, now()) on conflict (credit_no) do update set credit_expiry = excluded.credit_expiry`)
    const today = eatDate(floor.clock.now().toISOString())
    await until(addDays(today, -1))
    expect(await submit(floor.passing(task))).toMatchObject({
      code: 40001,
      msg: text('en', 'errors.creditExpired'),
      data: { fields: [{ path: 'approvalAmount' }] },
    })
    expect((await orderOf(task.orderNo)).orderStatus).toBe('pending_review')
    await until(today)
    expect((await submit(floor.passing(task))).code).toBe(0)
  })

  it('answers the same key with the same words and makes no second loan code', async () => {
    const task = await opened()
    const key = `pass-${task.orderNo}-once-only`
    const first = await floor.call(audit.submit, floor.passing(task), { as: who, key })
    expect(first.code).toBe(0)
    expect(await floor.call(audit.submit, floor.passing(task), { as: who, key })).toEqual(first)
    expect(await floor.rows(sql`select 1 as one from loan_code where order_no = ${task.orderNo}`)).toHaveLength(1)
  })
})

const bothAtOnce = async (own: Floor) => {
  const [boss, auditor] = [await own.supervisor(), await own.auditor()]
  const orderNo = await own.order()
  await own.allotTo(boss, auditor, [orderNo])
  const task = await own.open(auditor, orderNo)
  const codes = (await Promise.all([1, 2].map(() => own.call(audit.submit, own.passing(task), { as: auditor })))).map(
    answer => answer.code,
  )
  expect(codes.sort()).toEqual([0, 40901])
  expect(await own.rows(sql`select loan_code from loan_code`)).toHaveLength(1)
  expect(await own.rows(sql`select audit_record_no from audit_record`)).toHaveLength(1)
  await own.close()
}

describe('two submits at once', () => {
  it('only one succeeds', async () => bothAtOnce(await openFloor()))
  it.skipIf(!hasPostgres)(
    'also on PostgreSQL',
    async () => bothAtOnce(await openFloor((await newPostgresDatabase()) ?? '')),
    60_000,
  )
})

describe('what stops a Pass, with its words, changing nothing', () => {
  beforeEach(async () => {
    await floor.exec(sql`delete from audit_question`)
    await floor.exec(sql`
      insert into audit_question (question_no, question_zh, question_local, question_type, options, required, sort) values
        ('Q1', '用途', 'Purpose', 'single', '[{"optionNo": "a", "optionZh": "生意", "optionLocal": "Business"}, {"optionNo": "b", "optionZh": "学费", "optionLocal": "School"}]', true, 1),
        ('Q2', '见过', 'Seen', 'multiple', '[{"optionNo": "x", "optionZh": "甲", "optionLocal": "X"}, {"optionNo": "y", "optionZh": "乙", "optionLocal": "Y"}]', false, 2),
        ('Q3', '说明', 'Words', 'text', '[]', true, 3)`)
  })

  const pass = (task: Task) => floor.passing(task)
  const answers = (task: Task, questionNo: string, more: object | null) =>
    pass(task).answers.flatMap(answer =>
      answer.questionNo !== questionNo ? [answer] : more ? [{ ...answer, ...more }] : [],
    )

  it.each<[string, Given, (task: Task) => object, string]>([
    [
      'a required choice is missing',
      {},
      task => ({ answers: answers(task, 'Q1', null) }),
      'The personal review record was not submitted completely',
    ],
    [
      'a required choice is empty',
      {},
      task => ({ answers: answers(task, 'Q1', { optionNos: [] }) }),
      'The personal review record was not submitted completely',
    ],
    [
      'a required text is missing',
      {},
      task => ({ answers: answers(task, 'Q3', null) }),
      'The personal review record was not submitted completely',
    ],
    [
      'a text answer is blank',
      {},
      task => ({ answers: answers(task, 'Q3', { text: '  ' }) }),
      'The content cannot be empty',
    ],
    [
      'a choice does not exist',
      {},
      task => ({ answers: answers(task, 'Q1', { optionNos: ['z'] }) }),
      'Please enter a correct value',
    ],
    [
      'a single choice has two',
      {},
      task => ({ answers: answers(task, 'Q1', { optionNos: ['a', 'b'] }) }),
      'Please enter a correct value',
    ],
    ['the face is not judged', {}, () => ({ faceConsistency: undefined }), 'Please provide complete information'],
    [
      'the face is inconsistent',
      {},
      () => ({ faceConsistency: 'inconsistent' }),
      'The face is inconsistent, the order cannot pass',
    ],
    [
      'the face is unsure and nothing is remarked',
      {},
      () => ({ faceConsistency: 'unsure' }),
      'Enter a remark when the face cannot be judged',
    ],
    ['the approval time is empty', {}, () => ({ approvalTime: '' }), 'Approval time cannot be empty'],
    [
      'the approval time is before the application',
      {},
      () => ({ approvalTime: '2026-03-01T00:00:00Z' }),
      'The approval time must lie between the application and now',
    ],
    [
      'the approval time is to come',
      {},
      () => ({ approvalTime: '2026-09-01T00:00:00Z' }),
      'The approval time must lie between the application and now',
    ],
    ['the remark has 31 characters', {}, () => ({ remark: 'x'.repeat(31) }), 'Remark is at most 30 characters'],
    [
      'the amount is above the product',
      { remainingLimit: '1500000.00' },
      () => ({ approvalAmount: '1010000.00' }),
      'Limit exceeded: the product allows at most UGX 1,000,000',
    ],
    [
      'the amount is above the credit',
      { remainingLimit: '345000.00' },
      () => ({ approvalAmount: '350000.00' }),
      'Limit exceeded: the customer’s remaining credit allows at most UGX 340,000',
    ],
    [
      'the amount is below the product',
      {},
      () => ({ approvalAmount: '40000.00' }),
      'The amount is outside the product’s limits',
    ],
    ['the amount is off the step', {}, () => ({ approvalAmount: '205000.00' }), 'Enter a multiple of UGX 10,000'],
    ['the amount has cents', {}, () => ({ approvalAmount: '200000.50' }), 'Enter whole shillings, more than 0'],
    ['the amount is zero', {}, () => ({ approvalAmount: '0' }), 'The amount is outside the product’s limits'],
    [
      'the account is not verified',
      { payoutVerify: 'not_verified' },
      () => ({}),
      'The payout account has not passed verification',
    ],
    [
      "the account is somebody else's",
      { payoutVerify: 'failed' },
      () => ({}),
      'The payout account has not passed verification',
    ],
  ])('order-audit 4: %s', async (_, order, spoil, msg) => {
    const task = await opened(order)
    const before = await floor.snapshot()
    expect(await submit({ ...pass(task), ...spoil(task) })).toMatchObject({ code: 40001, msg })
    expect(await floor.snapshot()).toBe(before)
    if (!order?.payoutVerify) expect((await submit(pass(task))).code).toBe(0)
  })

  it('order-audit 4: the amount is above the cap of the auditor, or they have none', async () => {
    for (const [cap, most] of [
      ['120000.00', '120,000'],
      ['0.00', '0'],
    ] as const) {
      const junior = await floor.auditor({ approvalCap: cap })
      const task = await opened({}, junior)
      expect(task.limits).toMatchObject({ smallest: 'cap', approvalCap: cap })
      expect(await submit(floor.passing(task), junior)).toMatchObject({
        code: 40001,
        msg: `Limit exceeded: you may approve at most UGX ${most}`,
        data: { fields: [{ path: 'approvalAmount' }] },
      })
    }
  })

  it('the order was changed meanwhile', async () => {
    const task = await opened()
    expect(await submit({ ...pass(task), version: task.orderVersion - 1 })).toMatchObject({
      code: 40902,
      data: { version: task.orderVersion },
    })
  })

  it('the credit went to another order of the customer', async () => {
    const shared = { customerNo: 'CUshared', remainingLimit: '250000.00' }
    const [first, second] = [await opened(shared), await opened({ ...shared, merchantNo: 'M2' })]
    expect((await submit(pass(first))).code).toBe(0)
    expect(await submit(pass(second))).toMatchObject({
      code: 40001,
      msg: 'Limit exceeded: the customer’s remaining credit allows at most UGX 50,000',
    })
  })

  it('a remark makes an unsure face pass, and the answers are kept in words', async () => {
    const task = await opened()
    const given = [
      { questionNo: 'Q1', optionNos: ['b'] },
      { questionNo: 'Q2', optionNos: ['x', 'y'] },
      { questionNo: 'Q3', optionNos: [], text: ' Teacher ' },
      { questionNo: 'gone', optionNos: ['q'] },
    ]
    expect((await submit({ ...pass(task), faceConsistency: 'unsure', remark: 'glasses', answers: given })).code).toBe(0)
    expect((await recordsOf(task.orderNo))[0]?.answers).toMatchObject([
      { questionNo: 'Q1', questionZh: '用途', questionLocal: 'Purpose', answer: 'School', answerZh: '学费' },
      { questionNo: 'Q2', questionZh: '见过', questionLocal: 'Seen', answer: 'X, Y', answerZh: '甲、乙' },
      { questionNo: 'Q3', questionZh: '说明', questionLocal: 'Words', answer: 'Teacher', answerZh: 'Teacher' },
    ])
  })

  it('a clock that runs a little ahead is forgiven', async () => {
    const task = await opened()
    expect(
      (await submit({ ...pass(task), approvalTime: new Date(floor.clock.now().getTime() + 30_000).toISOString() }))
        .code,
    ).toBe(0)
    expect((await orderOf(task.orderNo)).approvalTime).toBe(floor.clock.now().toISOString())
  })
})
