import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { base } from '../../../../core/contract/endpoint.ts'
import { text } from '../../../../core/i18n/server.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import type { Input } from '../../../testing/facts.ts'
import { none, refused } from '../../after-loan/payout/payout-fixture.ts'
import {
  type Asked,
  approved,
  asked,
  atBank,
  failed,
  form,
  ofNobody,
  ofRefund,
  overpaid,
  proves,
  rejected,
  sent,
  verified,
} from './refund-made.facts.ts'

const { refund, repay } = contract
const fixture = await openFixture()
afterAll(() => fixture.close())
const { boss, second } = fixture

const heldFor = (customerNo: string) =>
  fixture.one(sql<{ free: string; reserved: string; status: string }>`
    select (credited - refunded - reapplied - reserved)::numeric(18,2)::text as free, reserved::text, overpayment_status as status
    from overpayment where customer_no = ${customerNo}`)
const refundOf = async (refundNo: string) => fixture.rowOf('refund', refundNo) as Promise<Record<string, unknown>>
const postings = async (refundNo: string) =>
  (
    await fixture.rows(
      sql<{
        postingCode: string
      }>`select posting_code from journal where cause = ${`refund:${refundNo}`} order by journal_no`,
    )
  ).map(row => row.postingCode)
const ask = (call: Parameters<typeof fixture.ask>[0], input: Input, as = boss) => fixture.ask(call, input, { as })
const approving = (refundNo: string, more: Input = {}) => ({ refundNos: [refundNo], ...more })
const lineOf = ({ data }: { data: unknown }) => (data as { rows: { code: number; msg: string }[] }).rows[0]

describe('what may be asked for', () => {
  it('charge 1: is whole shillings from 20 up to what is held, and each other amount has words of its own', async () => {
    const of = await overpaid(fixture)
    const whole = Number(of.free.replace(/\..*/, ''))
    const tried = async (refundAmount: string) =>
      ask(refund.submit, await form(fixture, of, boss, { refundAmount, attachNos: [await fixture.uploaded()] }))
    const small = text('en', 'errors.refundTooSmall', { least: '20' })
    for (const amount of ['0.00', '19.00', '19.99'])
      expect(await tried(amount)).toMatchObject({ code: 40001, msg: small })
    expect(await tried('20.50')).toMatchObject({
      code: 40001,
      msg: text('en', 'errors.refundWholeOnly', { rest: '0.50' }),
    })
    expect((await tried(`${whole + 1}.00`)).msg).toContain('Limit exceeded')
    expect((await tried('20.00')).code).toBe(0)
    expect(await heldFor(of.customerNo)).toMatchObject({ reserved: '20.00', status: 'locked' })
    expect(await tried('20.00')).toMatchObject({ code: 40901 })
  })

  it('is proposed in whole shillings, with the receipts that made it', async () => {
    const of = await overpaid(fixture)
    await fixture.exec(sql`update overpayment set credited = credited + 0.50 where customer_no = ${of.customerNo}`)
    const { data } = await fixture.call(refund.check, { orderNo: of.orderNo }, { as: boss })
    expect(data).toMatchObject({ customerNo: of.customerNo, proposedAmount: of.free.replace(/\..*/, '.00') })
    expect(data.sources).toHaveLength(1)
    await fixture.exec(sql`update overpayment set credited = credited - 0.50 where customer_no = ${of.customerNo}`)
  })

  it('goes to an account that the money did not come from only with a file that shows whose it is', async () => {
    const of = await overpaid(fixture)
    const { attachNos: _, ...bare } = await form(fixture, of, boss)
    expect(await ask(refund.submit, bare)).toMatchObject({ code: 40001, msg: text('en', 'errors.otherPayeeEvidence') })
  })
})

describe('who decides', () => {
  it('charge 2: is never who asked: neither approves nor pays, and the list says so', async () => {
    const { refundNo } = await verified(fixture, {}, boss)
    expect(lineOf(await ask(refund.approve, approving(refundNo)))).toMatchObject({
      code: 40301,
      msg: text('en', 'errors.refundOwn'),
    })
    const { list } = (await fixture.call(refund.auditPage, { refundNo }, { as: boss })).data
    expect(list[0]?.blockedBy).toMatchObject({ 'refund.approve': { reason: 'errors.refundOwn' } })
    expect((await ask(refund.approve, approving(refundNo), second)).code).toBe(0)
    expect(lineOf(await ask(refund.payout, { refundNos: [refundNo], fundAccountNo: 'FA1' }))).toMatchObject({
      code: 40301,
    })
    expect(lineOf(await ask(refund.payout, { refundNos: [refundNo], fundAccountNo: 'FA1' }, second))?.code).toBe(0)
  })

  it('charge 3: needs a verified account, or two checkers: one who accepts it with a reason, and another', async () => {
    const of = await asked(fixture)
    fixture.network.holders.set(of.wallet, 'Somebody Else')
    await done(fixture, refund.verify, await ofRefund(fixture, of.refundNo))
    expect(await refundOf(of.refundNo)).toMatchObject({ verifyStatus: 'failed' })
    expect(lineOf(await ask(refund.approve, approving(of.refundNo)))?.msg).toBe(text('en', 'errors.receiptNotVerified'))
    const why = { reason: 'married name', seen: ['id_picture'] }
    await done(fixture, refund.ignore, await ofRefund(fixture, of.refundNo, why))
    expect(lineOf(await ask(refund.approve, approving(of.refundNo)))).toMatchObject({
      code: 40301,
      msg: text('en', 'errors.ignoredAlone'),
    })
    const third = await fixture.reviewer()
    expect(lineOf(await ask(refund.approve, approving(of.refundNo), third))?.code).toBe(0)
    const { data } = await fixture.call(refund.detail, { refundNo: of.refundNo }, { as: boss })
    expect(data).toMatchObject({ ignoreReason: 'married name', ignoreSeen: ['id_picture'] })
  })

  it('charge 9: is warned of an account that two customers share, and the log keeps that the warning was seen', async () => {
    const first = await verified(fixture)
    const other = await asked(fixture, { payeeAccount: first.wallet, payeeName: first.holder })
    fixture.network.holders.set(first.wallet, other.holder)
    await done(fixture, refund.verify, await ofRefund(fixture, other.refundNo))
    expect(lineOf(await ask(refund.approve, approving(other.refundNo)))).toMatchObject({ code: 40002 })
    expect(lineOf(await ask(refund.approve, approving(other.refundNo, { sharedAccountSeen: true })))?.code).toBe(0)
    const { after } = await fixture.one(sql<{ after: Record<string, unknown> }>`
      select after from audit_log where object_no = ${other.refundNo} and action = 'refund.approve' order by audit_no desc limit 1`)
    expect(after).toMatchObject({ sharedAccountSeen: 1 })
  })
})

describe('the money', () => {
  it('charge 4: leaves once however often it is sent, and an answer that is lost is unknown until the network says it', async () => {
    const made = await approved(fixture)
    const before = fixture.network.sent.length
    fixture.network.sends.push(none)
    const pay = { refundNos: [made.refundNo], fundAccountNo: 'FA1' }
    const both = await Promise.all([ask(refund.payout, pay), ask(refund.payout, pay)])
    expect(both.map(lineOf).filter(line => line?.code === 0)).toHaveLength(1)
    await fixture.worker.drain()
    expect(fixture.network.sent.length - before).toBe(1)
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'in_progress' })
    expect(lineOf(await ask(refund.payout, pay))?.code).toBe(40901)
    expect((await ask(refund.again, await ofRefund(fixture, made.refundNo, { fundAccountNo: 'FA1' }))).code).toBe(40901)
    await proves(fixture, made, 'paid')
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'success' })
    expect(await postings(made.refundNo)).toEqual(['P7a', 'P7b', 'P7c'])
  })

  it('charge 5: is sent again under a new reference only after a certain failure; another payee starts from the review', async () => {
    const made = await failed(fixture)
    expect(await postings(made.refundNo)).toEqual(['P7a', 'P7b', 'P7d'])
    const attachNos = [await fixture.uploaded(second)]
    const payee = { channel: 'mtn_momo', payeeName: made.holder, payeeAccount: '256772121212', attachNos }
    await done(fixture, refund.editPayee, await ofRefund(fixture, made.refundNo, payee), second)
    expect(await refundOf(made.refundNo)).toMatchObject({
      refundStatus: 'created',
      auditStatus: 'pending',
      verifyStatus: 'not_verified',
      auditorNo: null,
    })
    const other = await failed(fixture)
    await done(fixture, refund.again, await ofRefund(fixture, other.refundNo, { fundAccountNo: 'FA1' }))
    const refs = await fixture.rows(
      sql<{ ref: string }>`select gateway_ref as ref from gateway_attempt where parent_no = ${other.refundNo}`,
    )
    expect(new Set(refs.map(({ ref }) => ref)).size).toBe(2)
  })

  it('that came late on a reference nothing waited for stands apart as a difference', async () => {
    const made = await failed(fixture)
    await done(fixture, refund.close, await ofRefund(fixture, made.refundNo, { reason: 'customer withdrew' }))
    await proves(fixture, made, 'paid')
    const item = await fixture.one(sql<Record<string, unknown>>`
      select recon_kind, difference, object_type, object_no from recon_item where reference = ${`${made.refundNo}-1`}`)
    expect(item).toEqual({
      reconKind: 'paid_not_expected',
      difference: '1000.00',
      objectType: 'refund',
      objectNo: made.refundNo,
    })
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'closed' })
  })

  it('that a bank pays by hand is marked with its serial, once, and two others confirm it', async () => {
    const made = await atBank(fixture)
    expect(lineOf(await ask(refund.payout, { refundNos: [made.refundNo], fundAccountNo: 'FA9' }))?.msg).toBe(
      text('en', 'errors.paidByHand'),
    )
    const hand = { fundAccountNo: 'FA9', serialNo: 'STANBIC1' }
    const marked = await ofRefund(fixture, made.refundNo, { ...hand, evidence: await fixture.uploaded() })
    expect((await ask(refund.sent, marked)).code).toBe(0)
    const other = await atBank(fixture)
    const again = await ofRefund(fixture, other.refundNo, { ...hand, evidence: await fixture.uploaded() })
    expect(await ask(refund.sent, again)).toMatchObject({ code: 40001 })
    const third = await fixture.reviewer()
    for (const person of [boss, third]) {
      const said = {
        result: 'success',
        serialNo: 'STANBIC1',
        statementDate: fixture.clock.now().toISOString().slice(0, 10),
      }
      const input = await ofRefund(fixture, made.refundNo, { ...said, evidence: await fixture.uploaded(person) })
      expect((await ask(refund.confirm, input, person)).code).toBe(0)
    }
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'success', serialNo: 'STANBIC1' })
  })

  it('is not sent from an account that does not hold it, or may not send more today', async () => {
    const made = await approved(fixture)
    const { balance } = await fixture.one(
      sql<{ balance: string }>`select balance from ledger_balance where account_code = 'bank:FA1'`,
    )
    await fixture.exec(sql`update ledger_balance set balance = 999 where account_code = 'bank:FA1'`)
    const line = lineOf(await ask(refund.payout, { refundNos: [made.refundNo], fundAccountNo: 'FA1' }))
    expect(line?.msg).toBe(text('en', 'errors.balanceShort', { available: '999' }))
    await fixture.exec(sql`update ledger_balance set balance = ${balance} where account_code = 'bank:FA1'`)
    await fixture.exec(sql`update fund_account set daily_cap = 0.01 where fund_account_no = 'FA1'`)
    const capped = lineOf(await ask(refund.payout, { refundNos: [made.refundNo], fundAccountNo: 'FA1' }))
    expect(capped?.msg).toBe(text('en', 'errors.dailyCapReached', { available: '0' }))
    await fixture.exec(sql`update fund_account set daily_cap = 0 where fund_account_no = 'FA1'`)
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'created' })
  })
})

it('a failed send for want of balance pauses the account, and the next one is refused with the reason', async () => {
  const other = await approved(fixture)
  const made = await sent(fixture, refused('our_balance'))
  expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'failure', failType: 'our_balance' })
  expect(lineOf(await ask(refund.payout, { refundNos: [other.refundNo], fundAccountNo: 'FA1' }))?.msg).toBe(
    text('en', 'errors.channelPaused'),
  )
  await fixture.exec(sql`update fund_account set short_amount = null`)
})

describe('the overpayment behind it', () => {
  const rollback = async ({ orderNo }: Asked) => {
    const { repaymentNo } = await fixture.one(
      sql<{ repaymentNo: string }>`select repayment_no from repay_record where order_no = ${orderNo}`,
    )
    return ask(repay.rollback, { repaymentNo, version: 0, reason: 'wrong customer' })
  }

  it('charge 7: is not rolled back while it is promised, and the refusal names the refund; once closed it is', async () => {
    const made = await asked(fixture)
    expect(await rollback(made)).toMatchObject({
      code: 40901,
      msg: text('en', 'errors.overflowPromisedTo', { refundNo: made.refundNo }),
    })
    await done(fixture, refund.close, await ofRefund(fixture, made.refundNo, { reason: 'customer withdrew' }))
    expect((await rollback(made)).code).toBe(0)
  })

  it('charge 8: grows while a refund is open, whose amount stays as it is', async () => {
    const made = await asked(fixture)
    const before = await heldFor(made.customerNo)
    const typed = fixture.typed(made.orderNo, '5000.00', 'overpayment')
    await done(fixture, repay.commit, await fixture.tried(typed))
    const after = await heldFor(made.customerNo)
    expect(Number(after.free) - Number(before.free)).toBe(5000)
    expect(after).toMatchObject({ reserved: '1000.00', status: 'locked' })
  })

  it('charge 6: is free again a week after a rejection, and what was closed is not resubmitted', async () => {
    const made = await rejected(fixture)
    await fixture.pass(6 * 1440)
    await fixture.tick('refund.autoClose')
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'created' })
    await fixture.pass(2 * 1440)
    await fixture.tick('refund.autoClose')
    expect(await refundOf(made.refundNo)).toMatchObject({ refundStatus: 'closed' })
    expect(await heldFor(made.customerNo)).toMatchObject({ reserved: '0.00', status: 'open' })
    const { customerNo: _, ...input } = await form(fixture, made, boss)
    expect((await ask(refund.resubmit, await ofRefund(fixture, made.refundNo, input))).code).toBe(40901)
  })

  it('of nobody known goes back to where it came from, and nowhere else', async () => {
    const flowNo = await ofNobody(fixture)
    const { customerNo, amount } = await done(fixture, refund.fromFlow, { flowNo, reason: 'nobody asks for it' })
    const of = {
      orderNo: '',
      customerNo: String(customerNo),
      wallet: '256772999111',
      holder: 'Opio',
      free: String(amount),
    }
    const elsewhere = await form(fixture, of, boss, { payeeAccount: '256772000031' })
    expect(await ask(refund.submit, elsewhere)).toMatchObject({
      code: 40001,
      msg: text('en', 'errors.onlySourceAccount'),
    })
    expect((await ask(refund.submit, await form(fixture, of, boss))).code).toBe(0)
  })
})

it('charge 13: a file for somebody who sees nothing in full masks payees as the list does, and holds its rows and its total', async () => {
  const made = [await asked(fixture), await asked(fixture), await verified(fixture)]
  const clerk = await fixture.person({ perms: ['refund:page', 'refund:export'], sensitive: [], limit: 'all' })
  const filters = { refundNo: made.map(({ refundNo }) => refundNo).join(',') }
  const { data: shown } = await fixture.call(refund.page, filters, { as: clerk, language: 'en' })
  const columns = ['refundNo', 'payeeName', 'payeeAccount', 'refundAmount'] as const
  const command = refund.page.exporting as NonNullable<typeof refund.page.exporting>
  const input = { filters, columns: [...columns], exportFormat: 'csv', reason: 'audit' } as never
  const { exportNo } = fixture.must(await fixture.call(command, input, { as: clerk, language: 'en' }))
  await fixture.worker.drain()
  const file = await fixture.app.request(`${base}/common/export/${exportNo}/file`, {
    headers: { token: clerk.token, language: 'en' },
  })
  const [, ...lines] = (await file.text()).trim().split('\r\n')
  const total = lines.pop()
  const plain = (line: string) => line.replace(/"([^"]*)"/g, (_, cell: string) => cell.replaceAll(',', '')).split(',')
  expect(lines.map(plain)).toEqual(
    shown.list.map(row => [row.refundNo, row.payeeName, row.payeeAccount, String(Number(row.refundAmount))]),
  )
  expect(lines.length).toBe(made.length)
  for (const { payeeName, payeeAccount } of shown.list) {
    expect(payeeName).toContain('*')
    expect(payeeAccount).toContain('*')
  }
  const sum = shown.list.reduce((so, row) => so + Number(row.refundAmount), 0)
  expect(plain(String(total)).at(-1)).toBe(String(sum))
})
