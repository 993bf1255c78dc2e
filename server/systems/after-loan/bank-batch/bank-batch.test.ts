import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bankBatch } from '../../../../core/contract/after-loan/bank-batch.ts'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { sweep } from '../../../invariants/sweep.ts'
import { account } from '../../../money/ledger.ts'
import type { Person } from '../../../testing/kit.ts'
import { switched } from '../../../testing/proven.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { checkBooks } from '../payout/payout-books.ts'
import { paidOut, payoutPerms } from '../payout/payout-fixture.ts'
import { type Bank, bankAccountNo, bankPerms, deskOf, openBank, opening } from './bank-fixture.ts'

let p: Bank
let officer: Person
beforeAll(async () => {
  p = await openBank()
  officer = await p.person({ perms: bankPerms })
})
beforeEach(async () => {
  await p.reset()
  await p.fund(opening, bankAccountNo)
  await p.db.withTx(tx =>
    tx.exec(sql`update fund_account set batch_times = '{}' where fund_account_no = ${bankAccountNo}`),
  )
})
afterEach(() => checkBooks(p))
afterAll(() => p.close())

const { made, handedOver, states, row } = deskOf(() => ({ p, officer }))
const times = (count: number, amount = paidOut) => (Number(amount) * count).toFixed(2)

describe('codes to a bank', () => {
  it('wait for the file of their account and are never sent by themselves', async () => {
    const [one] = await p.waiting(1)
    await p.tick('payout.dispatch')
    await p.run()
    expect(await p.code(one!.loanCode)).toMatchObject({
      loanCodeStatus: 'created',
      waitReason: 'window_closed',
      channel: 'bank_file',
      fundAccountNo: bankAccountNo,
    })
    expect(p.sent).toEqual([])
  })

  it('are shown before the file is made, with what the account holds', async () => {
    await p.waiting(2)
    expect(await p.preview(officer)).toEqual({
      fundAccountNo: bankAccountNo,
      paymentCount: 2,
      amount: times(2),
      accountName: 'Bank payout',
      balance: opening,
    })
  })
})

describe('making a file', () => {
  it('reserves every payment at once and writes what the file says', async () => {
    const { orders, batchNo, refs } = await made(2)
    expect(await states(orders)).toEqual(Array(2).fill(['remitting', 'remitting']))
    expect(await p.balance(account.bank(bankAccountNo))).toBe((Number(opening) - 2 * Number(paidOut)).toFixed(2))
    for (const { loanCode } of orders) expect(await p.postings(loanCode)).toEqual(['P1a'])
    const { fileText, sentTime } = await p.batch(batchNo)
    for (const ref of refs) expect(fileText).toContain(`<EndToEndId>${ref}</EndToEndId>`)
    expect(fileText).toContain(`<MsgId>${batchNo}</MsgId>`)
    expect(fileText).toContain('<NbOfTxs>2</NbOfTxs>')
    expect(fileText).toContain('<Nm>Grace Nakato</Nm>')
    expect(fileText).toMatch(/<Ustrd>BodaCash loan: repay UGX [\d,]+ by 2026-03-\d\d with pay code 7\d{9}<\/Ustrd>/)
    expect(sentTime).toBeNull()
    expect(await row(batchNo)).toMatchObject({
      batchStatus: 'prepared',
      paymentCount: 2,
      undecidedCount: 2,
      sendWay: 'hand',
    })
    expect((await p.attempt(orders[0]!.loanCode)).attemptStatus).toBe('prepared')
  })

  it('leaves a line in the audit log for every code', async () => {
    const { orders, batchNo } = await made(2)
    const lines = await p.db.read(tx =>
      tx.rows(sql<{ objectNo: string; after: { batchNo: string } }>`
        select object_no, after from audit_log where action = 'payout.bankFile' order by object_no`),
    )
    expect(lines.map(({ objectNo }) => objectNo)).toEqual(orders.map(({ loanCode }) => loanCode).sort())
    expect(lines.every(({ after }) => after.batchNo === batchNo)).toBe(true)
  })

  it('wants the numbers that the person saw, and answers the present ones', async () => {
    await p.waiting(2)
    const input = { fundAccountNo: bankAccountNo, executionDate: '2026-03-02', paymentCount: 1, amount: paidOut }
    const answer = await p.call(bankBatch.create, input, { as: officer })
    expect(answer).toMatchObject({ code: 40002, data: { paymentCount: 2, amount: times(2) } })
    expect(await p.call(bankBatch.create, { ...input, paymentCount: 2 }, { as: officer })).toMatchObject({
      code: 40002,
    })
    expect(await p.one(sql`select count(*)::int as n from gateway_attempt`)).toEqual({ n: 0 })
  })

  it('takes no more than the account holds; the rest waits', async () => {
    const orders = await p.waiting(7)
    expect((await p.make(officer)).code).toBe(0)
    const statuses = (await states(orders)).map(([status]) => status)
    expect(statuses.sort()).toEqual(['created', 'created', ...Array(5).fill('remitting')])
    expect(await p.make(officer)).toMatchObject({ code: 40901 })
  })

  it('has nothing to do where nothing waits', async () => {
    expect(await p.make(officer)).toMatchObject({
      code: 40901,
      msg: 'No payout of this account can go into a bank file now',
    })
  })

  it.each(['2026-03-01', '2026-03-10'])('refuses the execution date %s', async executionDate => {
    await p.waiting(1)
    expect(await p.make(officer, { executionDate })).toMatchObject({
      code: 40001,
      data: { fields: [{ path: 'executionDate' }] },
    })
  })

  it('the same command twice makes one file', async () => {
    await p.waiting(1)
    const seen = { paymentCount: 1, amount: paidOut }
    const input = { fundAccountNo: bankAccountNo, executionDate: '2026-03-02', ...seen }
    const key = randomUUID()
    const first = await p.call(bankBatch.create, input, { as: officer, key })
    expect(first.code).toBe(0)
    expect(await p.call(bankBatch.create, input, { as: officer, key })).toEqual(first)
    expect(await p.one(sql`select count(*)::int as n from bank_batch`)).toEqual({ n: 1 })
  })

  it('leaves out what is paused, blocked or no longer to be paid', async () => {
    const [, blocked, cancelled] = await p.waiting(3)
    const payout = await p.person({ perms: payoutPerms })
    await p.db.withTx(tx =>
      tx.exec(sql`update loan_code set wait_reason = 'blocked' where loan_code = ${blocked!.loanCode}`),
    )
    await p.call(loan.cancel, { loanCodes: [cancelled!.loanCode], reason: 'duplicate' }, { as: payout })
    expect((await p.preview(officer))?.paymentCount).toBe(1)
    await p.db.withTx(tx =>
      tx.exec(sql`update channel set pause_status = ${switched('paused')} where channel = 'bank_file'`),
    )
    expect((await p.preview(officer))?.paymentCount).toBe(0)
  })

  it('is not for an account of another channel, nor for one that is closed', async () => {
    await p.waiting(1)
    const input = { fundAccountNo: bankAccountNo, executionDate: '2026-03-02', paymentCount: 1, amount: paidOut }
    expect(await p.call(bankBatch.create, { ...input, fundAccountNo: 'FA1' }, { as: officer })).toMatchObject({
      code: 40001,
    })
    await p.db.withTx(tx =>
      tx.exec(sql`update fund_account set enabled = ${switched('disabled')} where fund_account_no = ${bankAccountNo}`),
    )
    expect(await p.preview(officer)).toBeUndefined()
    expect(await p.call(bankBatch.create, input, { as: officer })).toMatchObject({ code: 40001 })
  })

  it('takes only payments within the reach of its maker, and nobody else gets it', async () => {
    const [mine] = await p.waiting(1)
    const [other] = await p.waiting(1, { merchant: 'M2' })
    const limited = await p.person({ perms: bankPerms, limit: 'own_merchants', merchants: ['M1'] })
    const stranger = await p.person({ perms: bankPerms, limit: 'own_merchants', merchants: ['M2'] })
    const { batchNo } = (await p.make(limited)).data
    expect(await states([mine!, other!])).toEqual([
      ['remitting', 'remitting'],
      ['created', 'pending_disbursement'],
    ])
    expect((await p.download(stranger, batchNo)).text).toContain('"code":40401')
    const seen = await p.call(bankBatch.page, { pageNum: 1, pageSize: 10, sort: '-createdTime' }, { as: stranger })
    expect(seen.data.total).toBe(0)
    expect((await p.attempt(mine!.loanCode)).attemptStatus).toBe('prepared')
  })
})

describe('handing a file over', () => {
  it('counts as sending it, before anybody has it', async () => {
    const { orders, batchNo } = await made(2)
    const { type, text } = await p.download(officer, batchNo)
    expect(type).toContain('application/xml')
    expect(text).toBe((await p.batch(batchNo)).fileText)
    for (const { loanCode } of orders)
      expect(await p.attempt(loanCode)).toMatchObject({ attemptStatus: 'sent', sentTime: expect.any(String) })
    expect(await row(batchNo)).toMatchObject({ batchStatus: 'sent' })
    expect(await p.one(sql`select user_no, access_kind, field from access_log where object_no = ${batchNo}`)).toEqual({
      userNo: officer.userNo,
      accessKind: 'download',
      field: 'bankCardNo',
    })
  })

  it('may be done again: the same bytes, and nothing is sent twice', async () => {
    const { orders, batchNo } = await handedOver()
    const first = await p.batch(batchNo)
    const before = await p.attempt(orders[0]!.loanCode)
    p.clock.advance(3_600_000)
    await p.db.withTx(tx => tx.exec(sql`update session set created_time = ${tx.now}, last_seen_time = ${tx.now}`))
    expect((await p.download(officer, batchNo)).text).toBe(first.fileText)
    expect((await p.batch(batchNo)).sentTime).toBe(first.sentTime)
    expect(await p.attempt(orders[0]!.loanCode)).toEqual(before)
  })

  it('is impossible for a rewritten file: the database keeps the content', async () => {
    const { batchNo } = await made()
    await expect(
      p.db.withTx(tx => tx.exec(sql`update bank_batch set file_text = 'x' where batch_no = ${batchNo}`)),
    ).rejects.toThrow('never changed')
  })
})

describe('silence', () => {
  it('makes a payment unknown after half an hour, and two people decide by the statement', async () => {
    const { orders } = await handedOver()
    const { loanCode } = orders[0]!
    p.clock.advance(29 * 60_000)
    await p.clockwork('bank.silence')
    expect((await p.code(loanCode)).loanCodeStatus).toBe('remitting')
    p.clock.advance(60_000)
    await p.clockwork('bank.silence')
    expect((await p.code(loanCode)).loanCodeStatus).toBe('unknown')
    expect(await p.attempt(loanCode)).toMatchObject({ attemptStatus: 'unknown', answerCode: 'NO_ANSWER' })
    for (let person = 0; person < 2; person++) {
      const as = await p.person({ perms: ['fund:payout:confirm', 'fund:payout:page'] })
      const evidence = await readyFile(p.db, as.userNo)
      const said = { result: 'success' as const, serialNo: 'FT900', statementDate: '2026-03-02', evidence }
      const answer = await p.call(loan.confirm, { loanCode, version: await p.versionOf(loanCode), ...said }, { as })
      expect(answer).toMatchObject({ code: 0 })
    }
    expect(await p.postings(loanCode)).toEqual(['P1a', 'P1b'])
  })

  it('is none before the day of execution', async () => {
    const orders = await p.waiting(1)
    const { batchNo } = (await p.make(officer, { executionDate: '2026-03-04' })).data
    await p.download(officer, batchNo)
    p.clock.advance(86_400_000)
    await p.clockwork('bank.silence')
    expect((await states(orders))[0]![0]).toBe('remitting')
    p.clock.advance(86_400_000)
    await p.clockwork('bank.silence')
    expect((await states(orders))[0]![0]).toBe('unknown')
  })

  it('of a file that nobody fetched says nothing, and nobody may decide by hand', async () => {
    const { orders } = await made()
    p.clock.advance(5 * 86_400_000)
    await p.clockwork('bank.silence')
    const { loanCode } = orders[0]!
    expect((await p.attempt(loanCode)).attemptStatus).toBe('prepared')
    const as = await p.person({ perms: ['fund:payout:confirm', 'fund:payout:page'] })
    const evidence = await readyFile(p.db, as.userNo)
    const said = { result: 'failure' as const, statementDate: '2026-03-02', evidence }
    const answer = await p.call(loan.confirm, { loanCode, version: await p.versionOf(loanCode), ...said }, { as })
    expect(answer).toMatchObject({ code: 40901, msg: 'Not sent yet: download the bank file first' })
    expect(await sweep(p.db)).toEqual([])
  })

  it('is not broken by asking: a bank answers by file', async () => {
    const { orders } = await handedOver()
    p.clock.advance(120_000)
    const { loanCode } = orders[0]!
    const as = await p.person({ perms: bankPerms })
    expect(await p.call(loan.query, { loanCode }, { as })).toMatchObject({
      code: 40901,
      msg: 'Cannot query a bank; import its result file',
    })
    expect((await p.attempt(loanCode)).attemptStatus).toBe('sent')
  })
})

describe('times of an account', () => {
  const timed = (...times: string[]) =>
    p.db.withTx(tx =>
      tx.exec(sql`update fund_account set batch_times = ${times} where fund_account_no = ${bankAccountNo}`),
    )
  const files = () => p.one<{ n: number }>(sql`select count(*)::int as n from bank_batch`)

  it('make its file once, when they come', async () => {
    await p.waiting(2)
    await timed('10:30')
    await p.clockwork('bank.batch')
    expect(await files()).toEqual({ n: 0 })
    p.clock.advance(30 * 60_000)
    await p.clockwork('bank.batch')
    expect(await p.one(sql`select payment_count, created_by_name, execution_date from bank_batch`)).toMatchObject({
      paymentCount: 2,
      executionDate: '2026-03-02',
    })
    await p.waiting(1)
    p.clock.advance(10 * 60_000)
    await p.clockwork('bank.batch')
    expect(await files()).toEqual({ n: 1 })
  })

  it('that were missed for long are left out: those of the bank may be over', async () => {
    await p.waiting(1)
    await timed('10:30')
    p.clock.advance(61 * 60_000)
    await p.clockwork('bank.batch')
    expect(await files()).toEqual({ n: 0 })
  })

  it('make no file where nothing waits', async () => {
    await timed('10:00')
    await p.clockwork('bank.batch')
    expect(await files()).toEqual({ n: 0 })
  })
})

describe('a file that nobody has fetched', () => {
  const discard = (batchNo: string) => p.call(bankBatch.discard, { batchNo, reason: 'wrong day' }, { as: officer })

  it('is given up: its payments have failed, their money is free, and they go into another file', async () => {
    const { orders, batchNo } = await made(2)
    expect(await discard(batchNo)).toMatchObject({ code: 0, data: { failedCount: 2 } })
    expect(await states(orders)).toEqual(Array(2).fill(['failed', 'loan_failed']))
    expect(await p.balance(account.bank(bankAccountNo))).toBe(opening)
    for (const { loanCode } of orders) expect(await p.postings(loanCode)).toEqual(['P1a', 'P1c'])
    expect(await row(batchNo)).toMatchObject({ batchStatus: 'discarded', failedCount: 2, discardReason: 'wrong day' })
    expect(await discard(batchNo)).toMatchObject({ code: 40901 })
    const { status } = await p.app.request(`/api/hc/web/payManage/bankBatch/${batchNo}/file`, {
      headers: { token: officer.token },
    })
    expect(status === 200 && (await p.batch(batchNo)).sentTime).not.toEqual(expect.any(String))
  })

  it('is not given up once somebody has fetched it', async () => {
    const { orders, batchNo } = await handedOver(1)
    expect(await discard(batchNo)).toMatchObject({ code: 40901 })
    expect(await states(orders)).toEqual([['remitting', 'remitting']])
  })

  it('is out of reach for people who may not see its payments', async () => {
    const { batchNo } = await made(1)
    const stranger = await p.person({ perms: bankPerms, limit: 'own_merchants', merchants: ['M2'] })
    const given = { batchNo, reason: 'wrong day' }
    expect(await p.call(bankBatch.discard, given, { as: stranger })).toMatchObject({ code: 40401 })
  })
})
