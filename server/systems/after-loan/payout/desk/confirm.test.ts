import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { text } from '../../../../../core/i18n/server.ts'
import type { StatementLine } from '../../../../gateways/gateway.ts'
import { account } from '../../../../money/ledger.ts'
import type { Person } from '../../../../testing/kit.ts'
import { readyFile } from '../../../../testing/ready-file.ts'
import { payoutsForTests } from '../../../../testing/suites.ts'
import { takeStatement } from '../../reconciliation/statement-store.ts'
import { otherPayee, paid, paidOut, payoutPerms } from '../payout-fixture.ts'

const day = 24 * 3600

let people: Person[]
const p = await payoutsForTests()

/** A payout that nobody has known the end of for three days, and two people who may say what it was. */
const unclear = async () => {
  const made = await p.approved()
  await p.run()
  await p.pass(60)
  p.clock.advance(3 * day * 1000)
  people = [
    await p.person({ perms: ['fund:payout:confirm', 'fund:payout:page'], name: 'Finance One' }),
    await p.person({ perms: ['fund:payout:confirm', 'fund:payout:page'], name: 'Finance Two' }),
  ]
  return made
}
type Say = {
  result?: 'success' | 'failure'
  serialNo?: string
  statementDate?: string
  version?: number
  evidence?: string
}
const say = async (who: number, loanCode: string, o: Say = {}) => {
  const { result = 'failure', statementDate = '2026-03-04', serialNo = result === 'success' ? 'STM77' : undefined } = o
  const version = o.version ?? (await p.versionOf(loanCode))
  const as = people[who]!
  const evidence = o.evidence ?? (await readyFile(p.db, as.userNo))
  return p.call(
    loan.confirm,
    { loanCode, version, result, statementDate, evidence, ...(serialNo ? { serialNo } : {}) },
    { as },
  )
}

const line = (reference: string): StatementLine => ({
  serialNo: 'STM1',
  direction: 'out',
  lineKind: 'payment',
  amount: paidOut,
  reference,
  relatesTo: null,
  payerAccount: null,
  narrative: null,
  time: '2026-03-03T09:00:00.000Z',
})

describe('who says what became of a payout', () => {
  it('is never the person who changed its payee, nor another account of theirs', async () => {
    const perms = [...payoutPerms, 'fund:payout:confirm']
    const changer = await p.person({ perms })
    const made = await p.failed('payee_invalid')
    await p.corrected(made.loanCode, { walletAccount: otherPayee }, changer)
    const version = await p.versionOf(made.loanCode)
    const { loanCode } = (await p.call(loan.recreate, { loanCode: made.loanCode, version }, { as: changer })).data
    await p.run()
    p.clock.advance(3600 * 1000)
    await p.db.withTx(tx => tx.exec(sql`update session set last_seen_time = ${tx.now}`))
    const refusedAs = async (as: Person) => {
      people = [as]
      const answer = await say(0, loanCode, { result: 'success', statementDate: '2026-03-02' })
      expect(answer.code).toBe(40301)
      return answer.msg
    }
    expect(await refusedAs(changer)).toBe(text('en', 'errors.payeeChanger'))
    const alias = await p.person({ perms })
    await p.db.withTx(tx =>
      tx.exec(sql`update app_user set email = 'One@Lender.ug ' where user_no = ${changer.userNo}`),
    )
    await p.db.withTx(tx => tx.exec(sql`update app_user set email = 'one@lender.ug' where user_no = ${alias.userNo}`))
    expect(await refusedAs(alias)).toBe(text('en', 'errors.samePerson.email'))
    const logged = await p.db.read(tx =>
      tx.rows(sql<{ actor: string; refused: string }>`
        select actor, after ->> 'refused' as refused from audit_log where action = 'payout.confirm' and object_no = ${loanCode} order by audit_no`),
    )
    expect(logged).toEqual([
      { actor: changer.userNo, refused: 'errors.payeeChanger' },
      { actor: alias.userNo, refused: 'errors.samePerson.email' },
    ])
  })

  it('is not a second account of the person who said it first', async () => {
    const { loanCode } = await unclear()
    const phones = ['0772 345 678', '256772345678']
    for (const [n, person] of people.entries())
      await p.db.withTx(tx => tx.exec(sql`update app_user set phone = ${phones[n]} where user_no = ${person.userNo}`))
    expect((await say(0, loanCode)).code).toBe(0)
    expect(await say(1, loanCode)).toMatchObject({ code: 40301, msg: text('en', 'errors.samePerson.phone') })
    people = [await p.person({ perms: ['fund:payout:confirm', 'fund:payout:page'] })]
    expect((await say(0, loanCode)).data).toMatchObject({ confirmStatus: 'confirmed' })
  })
})

describe('two people decide an unclear payout', () => {
  it('after-loan 4: as failed: the money is ours again and a retry is possible', async () => {
    const made = await unclear()
    expect(await say(0, made.loanCode)).toMatchObject({
      code: 0,
      data: { confirmStatus: 'first_confirmed', loanCodeStatus: 'unknown' },
    })
    expect(await p.postings(made.loanCode)).toEqual(['P1a'])
    expect(await say(1, made.loanCode)).toMatchObject({
      code: 0,
      data: { confirmStatus: 'confirmed', loanCodeStatus: 'failed' },
    })
    expect(await p.stateOf(made)).toEqual(['failed', 'loan_failed'])
    expect(await p.postings(made.loanCode)).toEqual(['P1a', 'P1c'])
    expect(await p.attempt(made.loanCode)).toMatchObject({
      attemptStatus: 'failed',
      answerCode: 'MANUAL',
      nextQueryTime: null,
    })
  })

  it('not as failed where a statement of ours shows it: by our reference, or by the number of the network', async () => {
    const made = await unclear()
    const { gatewayRef } = await p.attempt(made.loanCode)
    await p.db.withTx(async tx => {
      const statement = { opening: '0.00', closing: '0.00', lines: [line(gatewayRef)] }
      await takeStatement(
        tx,
        { fundAccountNo: 'FA1', channel: 'mtn_momo', date: '2026-03-03', statement, source: 'channel' },
        p.actor,
      )
    })
    const refused = await say(0, made.loanCode)
    expect(refused).toMatchObject({ code: 40001, msg: text('en', 'validation.shownPaid', { serialNo: 'STM1' }) })
    expect(await say(0, made.loanCode, { result: 'success', serialNo: 'STM1' })).toMatchObject({ code: 0 })
  })

  it('with a document of each: one of their own, sent for this, once', async () => {
    const { loanCode } = await unclear()
    const theirs = await readyFile(p.db, people[1]!.userNo)
    expect(await say(0, loanCode, { evidence: theirs })).toMatchObject({ code: 40401 })
    expect(await say(0, loanCode, { evidence: '' })).toMatchObject({ code: 40001 })
    const own = await readyFile(p.db, people[0]!.userNo)
    expect(await say(0, loanCode, { evidence: own })).toMatchObject({ code: 0 })
    expect(await say(1, loanCode, { evidence: own })).toMatchObject({ code: 40401 })
    expect(await say(1, loanCode, { evidence: theirs })).toMatchObject({ code: 0 })
    const kept = await p.db.read(tx =>
      tx.rows(
        sql`select upload_no, object_type, uploaded_by from attachment where object_no = ${loanCode} order by length(uploaded_by), uploaded_by`,
      ),
    )
    expect(kept).toEqual([
      { uploadNo: own, objectType: 'loanCode', uploadedBy: people[0]!.userNo },
      { uploadNo: theirs, objectType: 'loanCode', uploadedBy: people[1]!.userNo },
    ])
  })

  it('as paid: the loan starts on the day of the statement, with its serial number', async () => {
    const made = await unclear()
    await say(0, made.loanCode, { result: 'success', statementDate: '2026-03-02' })
    expect(await say(1, made.loanCode, { result: 'success', statementDate: '2026-03-02' })).toMatchObject({
      data: { confirmStatus: 'confirmed', loanCodeStatus: 'success' },
    })
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect(await p.code(made.loanCode)).toMatchObject({ serialNo: 'STM77' })
    expect(await p.order(made.orderNo)).toMatchObject({ payoutDate: '2026-03-02' })
    expect(await p.one(sql`select value_date, business_date from journal where posting_code = 'P1b'`)).toEqual({
      valueDate: '2026-03-02',
      businessDate: '2026-03-05',
    })
    const { data } = await p.call(loan.detail, { loanCode: made.loanCode }, { as: people[0]! })
    expect(data.confirms).toMatchObject([
      { confirmStatus: 'confirmed', firstName: 'Finance One', secondName: 'Finance Two', result: 'success' },
    ])
    expect(data.code).toMatchObject({ confirmStatus: 'confirmed', confirmerName: 'Finance Two' })
  })

  it('after-loan 4: is not decided by one person', async () => {
    const made = await unclear()
    await say(0, made.loanCode)
    expect(await say(0, made.loanCode)).toMatchObject({ code: 40301 })
    expect(await say(0, made.loanCode, { result: 'success' })).toMatchObject({ code: 40301 })
    expect(await p.stateOf(made)).toEqual(['unknown', 'remitting'])
  })

  it('after-loan 4: starts again when they disagree, also about the serial number', async () => {
    const made = await unclear()
    await say(0, made.loanCode)
    expect(await say(1, made.loanCode, { result: 'success' })).toMatchObject({
      code: 0,
      data: { confirmStatus: 'unconfirmed', loanCodeStatus: 'unknown' },
    })
    await say(1, made.loanCode, { result: 'success', serialNo: 'A1' })
    expect(await say(0, made.loanCode, { result: 'success', serialNo: 'B2' })).toMatchObject({
      data: { confirmStatus: 'unconfirmed' },
    })
    expect(await p.stateOf(made)).toEqual(['unknown', 'remitting'])
    await say(1, made.loanCode, { result: 'success', serialNo: 'A1' })
    expect(await say(0, made.loanCode, { result: 'success', serialNo: 'A1' })).toMatchObject({
      data: { confirmStatus: 'confirmed' },
    })
  })

  it('takes no second word from somebody who has not seen the first', async () => {
    const made = await unclear()
    const { version } = await p.code(made.loanCode)
    const answers = await Promise.all([say(0, made.loanCode, { version }), say(1, made.loanCode, { version })])
    expect(answers.map(answer => answer.code).sort()).toEqual([0, 40902])
    expect(await p.stateOf(made)).toEqual(['unknown', 'remitting'])
  })

  it('is over when the network answers in between', async () => {
    const made = await unclear()
    await say(0, made.loanCode)
    p.queries.push(paid())
    await p.tick('attempt.query')
    await p.run()
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect(await p.one(sql`select confirm_status from loan_code_confirm`)).toEqual({ confirmStatus: 'withdrawn' })
    expect(await say(1, made.loanCode)).toMatchObject({ code: 40901, data: { status: 'success' } })
  })

  it('a payment that shows after "did not arrive" is booked as the late success it is', async () => {
    const made = await unclear()
    await say(0, made.loanCode)
    await say(1, made.loanCode)
    const { askNow } = await import('../payout-send.ts')
    p.queries.push(paid())
    await p.db.withTx(tx => askNow(tx, `${made.loanCode}-1`, 'later'))
    await p.run()
    expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
    expect(await p.balance(account.principal(made.orderNo))).toBe('200000.00')
  })
})

describe('the evidence', () => {
  it.each([
    [{ result: 'success' as const, serialNo: ' ' }, 40001],
    [{ result: 'success' as const, serialNo: 'two words' }, 40001],
    [{ result: 'success' as const, serialNo: 'LO1' }, 40001],
    [{ result: 'success' as const, statementDate: '2026-03-01' }, 40001],
    [{ result: 'success' as const, statementDate: '2026-03-06' }, 40001],
    [{ result: 'failure' as const, statementDate: '2026-03-05' }, 40001],
    [{ result: 'failure' as const, version: 99 }, 40902],
  ])('%j is refused', async (o, code) => {
    const made = await unclear()
    expect(await say(0, made.loanCode, o)).toMatchObject({ code })
    expect(await p.db.read(tx => tx.rows(sql`select 1 from loan_code_confirm`))).toEqual([])
  })

  it('needs a serial number that no other payout has', async () => {
    const before = await p.approved()
    p.sends.push({ kind: 'success', serialNo: 'STM77' })
    await p.run()
    const made = await unclear()
    expect(await say(0, made.loanCode, { result: 'success' })).toMatchObject({
      code: 40001,
      msg: `The serial number is already used by ${before.loanCode}`,
    })
  })

  it('waits until the network has had half an hour', async () => {
    const made = await p.approved()
    await p.run()
    people = [await p.person({ perms: ['fund:payout:confirm'] })]
    p.clock.advance(29 * 60_000)
    expect(await say(0, made.loanCode, { result: 'success', statementDate: '2026-03-02' })).toMatchObject({
      code: 40901,
      msg: 'Sent less than 30 minutes ago; too early to confirm',
    })
    p.clock.advance(60_000)
    people = [await p.person({ perms: ['fund:payout:confirm'] })]
    expect(await say(0, made.loanCode, { result: 'success', statementDate: '2026-03-02' })).toMatchObject({
      code: 0,
      data: { loanCodeStatus: 'remitting' },
    })
  })

  it('is only for payouts under way', async () => {
    const made = await unclear()
    await say(0, made.loanCode)
    await say(1, made.loanCode)
    expect(await say(0, made.loanCode)).toMatchObject({ code: 40901, data: { status: 'failed' } })
    expect(paidOut).toMatch(/\.00$/)
  })
})
