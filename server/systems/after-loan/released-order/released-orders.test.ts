import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { loan } from '../../../../core/contract/after-loan/loan.ts'
import { common } from '../../../../core/contract/common/common.ts'
import { imports } from '../../../../core/contract/common/imports.ts'
import { message } from '../../../../core/contract/portal/message.ts'
import { text } from '../../../../core/i18n/server.ts'
import { header, importKit, makerPerms } from '../../../files/imports/import-fixture.ts'
import { switched } from '../../../testing/proven.ts'
import { readyFile } from '../../../testing/ready-file.ts'
import { paid } from '../payout/payout-fixture.ts'

const at = await importKit()
const { p, previewed, ran, unclear, rows, detail } = at

type Row = Partial<Record<'result' | 'serialNo' | 'payoutTime' | 'amount' | 'failReason' | 'orderNo', string>>
const lineOf = ({ loanCode, orderNo }: { loanCode: string; orderNo: string }, row: Row = {}) => {
  const {
    result = 'success',
    serialNo = result === 'success' ? `SN-${loanCode}` : '',
    amount = '',
    failReason = '',
  } = row
  const payoutTime = row.payoutTime ?? (result === 'success' ? '2026-03-02 12:00' : '')
  return [loanCode, row.orderNo ?? orderNo, result, serialNo, payoutTime, amount, failReason].join(',')
}
const fileOf = (...lines: string[]) => [header, ...lines].join('\n')
/** What a preview says of its one row. */
const saidOf = async (line: string) => {
  const { messages, job } = await previewed(fileOf(line))
  expect(job.validCount).toBe(0)
  return messages.map(({ rowStatus, messages }) => [
    rowStatus,
    ...messages.map(({ column, words }) => [column, words]),
  ])[0]
}
const approvalOf = async (importNo: string, as = at.who().checker) => {
  const { data } = await p.call(common.approvals, { box: 'all', objectNo: importNo }, { as, language: 'en' })
  return data.list[0]!
}
const decided = async (
  how: 'approve' | 'reject' | 'withdraw',
  importNo: string,
  as = how === 'withdraw' ? at.who().maker : at.who().checker,
) => {
  const { approvalNo, version } = await approvalOf(importNo, as)
  const answer =
    how === 'reject'
      ? await p.call(common.reject, { approvalNo, version, reason: 'not our statement' }, { as })
      : await p.call(common[how], { approvalNo, version }, { as })
  expect(answer, answer.msg).toMatchObject({ code: 0 })
  await at.worker.drain()
  return answer.data
}

describe('a row is refused, with words at its column', () => {
  it('for another order, another amount, or a day before the review', async () => {
    const [made] = await unclear(1)
    expect(await saidOf(lineOf(made!, { orderNo: 'LO9' }))).toEqual([
      'wrong',
      ['orderNo', `This is not the order of loan code ${made!.loanCode}`],
    ])
    expect(await saidOf(lineOf(made!, { amount: '"189,999"' }))).toEqual([
      'wrong',
      ['amount', 'The amount must be UGX 190,000'],
    ])
    expect(await saidOf(lineOf(made!, { payoutTime: '2026-03-02 09:59' }))).toEqual([
      'wrong',
      ['payoutTime', 'The loan date cannot be earlier than the audit date'],
    ])
    await p.db.withTx(tx => tx.exec(sql`update loan_order set audit_time = null`))
    expect(await saidOf(lineOf(made!))).toEqual(['wrong', ['payoutTime', 'Approval time cannot be empty']])
  })

  it('for a code that was not sent, was sent just now, or is decided', async () => {
    const waiting = await p.approved()
    await p.db.withTx(tx => tx.exec(sql`update loan_order set audit_time = ${tx.now}`))
    await p.db.withTx(tx => tx.exec(sql`update channel set pause_status = ${switched('paused')}`))
    expect(await saidOf(lineOf(waiting))).toEqual(['wrong', [null, 'Not sent yet: download the bank file first']])
    await p.db.withTx(tx => tx.exec(sql`update channel set pause_status = ${switched('open')}`))
    await p.tick('payout.dispatch')
    await p.run()
    expect(await saidOf(lineOf(waiting))).toEqual([
      'wrong',
      [null, 'Sent less than 30 minutes ago; too early to confirm'],
    ])
    const done = await p.succeeded()
    await p.db.withTx(tx => tx.exec(sql`update loan_order set audit_time = ${tx.now}`))
    expect((await saidOf(lineOf(done)))?.[1]).toEqual([null, expect.stringContaining('Release success')])
  })

  it('without what its result needs', async () => {
    const [made] = await unclear(1)
    expect(await saidOf(lineOf(made!, { payoutTime: ' ' }))).toEqual([
      'wrong',
      ['payoutTime', 'Enter the payout time of a successful payout'],
    ])
    expect((await saidOf(lineOf(made!, { serialNo: ' ' })))?.[1]).toEqual(['serialNo', expect.any(String)])
    expect((await saidOf(lineOf(made!, { payoutTime: '2026-03-04 12:00' })))?.[1]).toEqual([
      'payoutTime',
      expect.stringContaining('between'),
    ])
    expect((await saidOf(lineOf(made!, { result: 'failed', payoutTime: '2026-03-03 08:00' })))?.[1]).toEqual([
      'payoutTime',
      expect.stringContaining('not closed'),
    ])
  })

  it('for a payout whose payee the person who brings the file has changed', async () => {
    const [made] = await unclear(1)
    await p.db.withTx(tx =>
      tx.exec(sql`
        insert into order_payout_history (order_no, changed_time, changed_by, payout_type, payout_subtype, cardholder_name)
        values (${made!.orderNo}, ${tx.now}, ${at.who().maker.userNo}, 'wallet', 'mtn', 'Grace Nakato')`),
    )
    const said = JSON.stringify(await saidOf(lineOf(made!)))
    expect(said).toContain(text('en', 'errors.payeeChanger'))
  })

  it('for a serial number that another payout has, confirmed or only first confirmed', async () => {
    const done = await p.succeeded()
    const [one, two, three] = await unclear(3)
    expect(await saidOf(lineOf(one!, { serialNo: `MP${done.orderNo}` }))).toEqual([
      'wrong',
      ['serialNo', `The serial number is already used by ${done.loanCode}`],
    ])
    const { job } = await previewed(fileOf(lineOf(one!, { serialNo: 'S1' }), lineOf(two!, { serialNo: 'S1' })))
    const { job: ended, messages } = await ran(job.importNo)
    expect(ended).toMatchObject({ importStatus: 'partial', okCount: 1, failCount: 1 })
    expect(messages[0]?.messages).toEqual([
      { column: 'serialNo', words: `The serial number is already used by ${one!.loanCode}` },
    ])
    expect((await saidOf(lineOf(three!, { serialNo: 'S1' })))?.[0]).toBe('wrong')
  })

  it('outside of the data rule, as if it were not there', async () => {
    const [made] = await unclear(1)
    const clerk = await p.person({
      perms: ['fund:payout:page', 'fund:payout:import'],
      limit: 'own_merchants',
      merchants: ['M2'],
    })
    const { messages } = await previewed(fileOf(lineOf(made!)), { as: clerk })
    expect(messages).toMatchObject([{ rowStatus: 'wrong', messages: [{ words: 'Record not found' }] }])
  })

  it('as a duplicate where it was first confirmed already', async () => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    await ran(job.importNo)
    expect(await saidOf(lineOf(made!))).toEqual([
      'duplicate',
      [null, 'Finance One has given the first confirmation; the second is pending'],
    ])
    expect((await saidOf(lineOf(made!, { serialNo: 'S9' })))?.[1]).toEqual([
      null,
      'Finance One gave a different outcome in the first confirmation',
    ])
  })
})

describe('a file of released orders', () => {
  it('moves no money until a second person agrees, then each payout once', async () => {
    const [one, two, three] = await unclear(3)
    const rowsOfFile = [
      lineOf(one!, { serialNo: 'S1', amount: '"190,000"' }),
      lineOf(two!, { serialNo: 'S2' }),
      lineOf(three!, { result: 'failed', failReason: 'account closed' }),
    ]
    const { job, sums } = await previewed(fileOf(...rowsOfFile))
    expect(sums).toEqual([{ column: 'amount', amount: '190000.00' }])
    await ran(job.importNo)
    for (const made of [one!, two!, three!]) expect(await p.postings(made.loanCode)).toEqual(['P1a'])
    expect(await approvalOf(job.importNo)).toMatchObject({
      approvalAction: 'payout.confirmFile',
      approvalStatus: 'pending',
      makerName: 'Finance One',
      checkable: true,
      summary: [
        { label: 'File name', after: 'released.csv' },
        { label: 'Arrived', after: '2 · UGX 380,000' },
        { label: 'Did not arrive', after: '1 · UGX 190,000' },
      ],
    })
    expect(await decided('approve', job.importNo)).toMatchObject({ approvalStatus: 'executed' })
    expect(await p.stateOf(one!)).toEqual(['success', 'funds_disbursed'])
    expect(await p.stateOf(two!)).toEqual(['success', 'funds_disbursed'])
    expect(await p.stateOf(three!)).toEqual(['failed', 'loan_failed'])
    expect(await p.code(one!.loanCode)).toMatchObject({ serialNo: 'S1' })
    expect(await p.code(three!.loanCode)).toMatchObject({ failReason: 'account closed' })
    expect(await p.order(one!.orderNo)).toMatchObject({ payoutDate: '2026-03-02' })
    for (const made of [one!, two!]) expect(await p.postings(made.loanCode)).toEqual(['P1a', 'P1b'])
    expect(await p.postings(three!.loanCode)).toEqual(['P1a', 'P1c'])
    expect(await rows(sql`select distinct first_name, second_name, confirm_status from loan_code_confirm`)).toEqual([
      { firstName: 'Finance One', secondName: 'Finance Two', confirmStatus: 'confirmed' },
    ])
    expect(await at.broken()).toEqual([])
  })

  it('shows the approver each row of the file before they decide, and nobody else', async () => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!), lineOf({ ...made!, loanCode: 'LC-none' })))
    const { checker } = at.who()
    expect((await p.call(imports.detail, { importNo: job.importNo }, { as: checker })).code).toBe(40401)
    await ran(job.importNo)
    const stranger = await p.person({ perms: makerPerms })
    expect((await p.call(imports.detail, { importNo: job.importNo }, { as: stranger })).code).toBe(40401)
    expect(await at.refusal(job.importNo, stranger)).toMatchObject({ code: 40401 })
    const seen = await at.detail(job.importNo, checker)
    expect(seen.job).toMatchObject({ fileName: 'released.csv', okCount: 1, failCount: 1 })
    expect(seen.messages.map(row => [row.rowKey, row.rowStatus])).toEqual([['LC-none', 'wrong']])
    const lines = (await (await at.fetched(job.importNo, checker)).text()).split('\r\n')
    expect(lines[1]).toContain(made!.loanCode)
    expect(lines[2]).toContain('LC-none')
    const { version } = seen.job
    const cancel = await p.call(imports.cancel, { importNo: job.importNo, version }, { as: checker })
    expect(cancel.code).toBe(40401)
    expect((await decided('approve', job.importNo)).approvalStatus).toBe('executed')
    expect((await p.call(imports.detail, { importNo: job.importNo }, { as: checker })).code).toBe(40401)
  })

  it('is not approved by the person who brought it', async () => {
    const both = await p.person({ perms: ['fund:payout:page', 'fund:payout:import', 'fund:payout:import:check'] })
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)), { as: both })
    await ran(job.importNo, both)
    const { approvalNo, version } = await approvalOf(job.importNo, both)
    expect(await p.call(common.approve, { approvalNo, version }, { as: both })).toMatchObject({ code: 40301 })
    expect(await p.stateOf(made!)).toEqual(['remitting', 'remitting'])
  })

  it.each([
    ['reject', 'unconfirmed'],
    ['withdraw', 'withdrawn'],
  ] as const)('takes its word back when somebody decides to %s it, and can be brought again', async (how, status) => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    await ran(job.importNo)
    await decided(how, job.importNo)
    expect(await rows(sql`select confirm_status, import_no from loan_code_confirm`)).toEqual([
      { confirmStatus: status, importNo: status === 'unconfirmed' ? null : job.importNo },
    ])
    expect(await p.postings(made!.loanCode)).toEqual(['P1a'])
    const again = await previewed(fileOf(lineOf(made!)))
    expect(again.job).toMatchObject({ validCount: 1 })
    await ran(again.job.importNo)
    await decided('approve', again.job.importNo)
    expect(await p.stateOf(made!)).toEqual(['success', 'funds_disbursed'])
  })

  it('lets go of what nobody decided within three days', async () => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    await ran(job.importNo)
    await at.pass(72 * 60)
    await p.expireApprovals()
    await at.worker.drain()
    expect(await approvalOf(job.importNo)).toMatchObject({ approvalStatus: 'expired' })
    expect(await rows(sql`select confirm_status from loan_code_confirm`)).toEqual([{ confirmStatus: 'withdrawn' }])
  })

  it('can be looked into for as long as somebody may agree to it, and a day longer', async () => {
    const { checker } = at.who()
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    const { importNo, expireTime } = (await ran(job.importNo)).job
    const { expireTime: waitsUntil } = await approvalOf(importNo)
    expect(Date.parse(waitsUntil) - p.clock.now().getTime()).toBe(72 * 3_600_000)
    expect(Date.parse(String(expireTime)) - Date.parse(waitsUntil)).toBe(24 * 3_600_000)
    const fetched = async (as = checker) => (await (await at.fetched(importNo, as)).text()).includes(made!.loanCode)
    await at.pass(72 * 60 - 1)
    await at.tidied()
    expect(await fetched()).toBe(true)
    await at.pass(1)
    await p.expireApprovals()
    await at.worker.drain()
    await at.pass(24 * 60 - 1)
    await at.tidied()
    expect(await fetched(at.who().maker)).toBe(true)
    await at.pass(1)
    await at.tidied()
    expect(await at.refusal(importNo)).toMatchObject({ code: 40401 })
    expect((await detail(importNo)).job).toMatchObject({ fileSize: null, expireTime: null })
    expect(await rows(sql`select 1 from import_row where import_no = ${importNo} and cells is not null`)).toEqual([])
  })

  it('leaves alone what the network, or two people, decided in between', async () => {
    const [byNetwork, byHand, left] = await unclear(3)
    const { job } = await previewed(fileOf(lineOf(byNetwork!), lineOf(byHand!), lineOf(left!)))
    await ran(job.importNo)
    p.queries.push(paid({ serialNo: 'NET1' }))
    await p.db.withTx(tx =>
      tx.exec(sql`update gateway_attempt set next_query_time = null where parent_no <> ${byNetwork!.loanCode}`),
    )
    await p.tick('attempt.query')
    await p.run()
    const finance = await p.person({ perms: ['fund:payout:page', 'fund:payout:confirm'] })
    const version = await p.versionOf(byHand!.loanCode)
    const evidence = await readyFile(p.db, finance.userNo)
    const said = {
      result: 'success',
      serialNo: `SN-${byHand!.loanCode}`,
      statementDate: '2026-03-02',
      evidence,
    } as const
    expect(await p.call(loan.confirm, { loanCode: byHand!.loanCode, version, ...said }, { as: finance })).toMatchObject(
      {
        code: 0,
        data: { confirmStatus: 'confirmed' },
      },
    )
    await decided('approve', job.importNo)
    for (const made of [byNetwork!, byHand!, left!]) {
      expect(await p.stateOf(made)).toEqual(['success', 'funds_disbursed'])
      expect(await p.postings(made.loanCode)).toEqual(['P1a', 'P1b'])
    }
    expect(await p.code(byNetwork!.loanCode)).toMatchObject({ serialNo: 'NET1' })
  })

  it('confirms each payout once, also when a worker is killed in between', async () => {
    const made = await unclear(4)
    const { job } = await previewed(fileOf(...made.map(one => lineOf(one))))
    await ran(job.importNo)
    const { approvalNo, version } = await approvalOf(job.importNo)
    await p.call(common.approve, { approvalNo, version }, { as: at.who().checker })
    const [queued] = await rows(
      sql<{ payload: Record<string, unknown> }>`select payload from job where queue = 'payout.confirmFile'`,
    )
    const queue = p.modules[0]!.queues!.find(one => one.queue === 'payout.confirmFile') as {
      handle: (tx: unknown, job: unknown) => Promise<void>
    }
    const work = (kill: boolean) =>
      p.db.withTx(async tx => {
        await queue.handle(tx, queued)
        await tx.flush()
        if (kill) throw new Error('killed')
      })
    await expect(work(true)).rejects.toThrow('killed')
    await Promise.all([work(false), work(false)])
    await at.worker.drain()
    for (const one of made) expect(await p.postings(one.loanCode)).toEqual(['P1a', 'P1b'])
    expect(await rows(sql`select 1 from journal where posting_code = 'P1b'`)).toHaveLength(4)
    expect(await at.broken()).toEqual([])
  })

  it('is not agreed to when nothing of it is left', async () => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    await ran(job.importNo)
    p.queries.push(paid({ serialNo: 'NET1' }))
    await p.tick('attempt.query')
    await p.run()
    expect(await decided('approve', job.importNo)).toMatchObject({ approvalStatus: 'failed' })
    expect((await detail(job.importNo)).job).toMatchObject({ importStatus: 'success' })
  })

  it('tells the checker that it waits, and both what became of it', async () => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    await ran(job.importNo)
    const titles = async (as: ReturnType<typeof at.who>['maker']) =>
      (await p.call(message.page, {}, { as, language: 'en' })).data.list.map(row => row.title)
    expect(await titles(at.who().checker)).toEqual(['Approval needed: Confirm released-orders file'])
    await decided('approve', job.importNo)
    expect(await titles(at.who().maker)).toEqual(
      expect.arrayContaining(['Import finished: released.csv', 'Approved: Confirm released-orders file']),
    )
  })

  it('is withdrawn from nobody by cancelling: what was first confirmed needs its decision', async () => {
    const [made] = await unclear(1)
    const { job } = await previewed(fileOf(lineOf(made!)))
    const { job: ended } = await ran(job.importNo)
    const { importNo, version } = ended
    expect(await p.call(imports.cancel, { importNo, version }, { as: at.who().maker })).toMatchObject({ code: 40901 })
  })
})
