import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import { openFixture } from '../../../../tests/contract/fixture.ts'
import { done } from '../../../testing/acts.ts'
import { none, refused } from '../../after-loan/payout/payout-fixture.ts'
import { applied, asked, collectorOf, failed, ofBill, proves, sent, sentAgain } from './phone-bill-made.facts.ts'
import { airtimeUnknown } from './warning.ts'

const { phoneBill } = contract
const fixture = await openFixture()
afterAll(() => fixture.close())
const { boss, second } = fixture

beforeEach(() => {
  fixture.network.sends.length = 0
  fixture.network.sent.length = 0
})

const billOf = (no: string) => fixture.rowOf('phoneRecharge', no) as Promise<Record<string, unknown>>
const postings = async (no: string) =>
  (
    await fixture.rows(
      sql<{
        code: string
      }>`select posting_code as code from journal where cause = ${`phone_recharge:${no}`} order by journal_no`,
    )
  ).map(({ code }) => code)
const rowsOf = async (answer: Promise<{ data: unknown }>) =>
  ((await answer).data as { rows: { code: number; msg: string }[] }).rows
const submitting = async (more: object) =>
  fixture.ask(phoneBill.submit, await asked(fixture, { ...more }), { as: second })
const refusalText = (refusal: 'away' | 'no_phone' | 'no_cap' | 'over_cap' | 'open') =>
  text('en', `errors.phoneBillRefused.${refusal}`)

describe('what may be asked for', () => {
  it('is whole shillings within bounds, for about this month', async () => {
    for (const amount of ['499.00', '100001.00', '1000.50'])
      expect(await submitting({ amount })).toMatchObject({ code: 40001, msg: text('en', 'validation.airtimeAmount') })
    for (const purposeMonth of ['2025-12', '2026-06'])
      expect(await submitting({ purposeMonth })).toMatchObject({
        code: 40001,
        msg: text('en', 'validation.airtimeMonth'),
      })
  })

  it('leaves out and names who may not have it, and takes the others', async () => {
    const people = [await collectorOf(fixture), await collectorOf(fixture), await collectorOf(fixture)] as const
    const [good, phoneless, poor] = people
    await fixture.exec(sql`update app_user set phone = null where user_no = ${phoneless}`)
    await fixture.exec(
      sql`update role set post = null where role_no in (select role_no from user_role where user_no = ${poor})`,
    )
    const input = await asked(fixture, { userNos: [...people] })
    const leftOut = expect.arrayContaining([
      expect.objectContaining({ userNo: phoneless, refusal: 'no_phone' }),
      expect.objectContaining({ userNo: poor, refusal: 'no_cap' }),
    ])
    expect(await done(fixture, phoneBill.check, input)).toMatchObject({
      headcount: 1,
      totalAmount: '10000.00',
      leftOut,
    })
    expect(await done(fixture, phoneBill.submit, input)).toMatchObject({ headcount: 1, leftOut })
    expect((await done(fixture, phoneBill.page, { userNo: good })).total).toBe(1)
  })

  it('stays within the cap of the month, and is asked for once unless the remark says why', async () => {
    const userNos = [await collectorOf(fixture)]
    await applied(fixture, { userNos })
    expect(await submitting({ userNos })).toMatchObject({ code: 40901, msg: refusalText('open') })
    expect((await submitting({ userNos, remark: 'new district' })).code).toBe(0)
    expect(await submitting({ userNos, remark: 'once more', amount: '10001.00' })).toMatchObject({
      code: 40901,
      msg: refusalText('over_cap'),
    })
  })

  it('is nothing for who left or is frozen', async () => {
    const userNos = [await collectorOf(fixture)]
    const no = await applied(fixture, { userNos })
    await fixture.exec(
      sql`update app_user set user_status = case when set_config('app.transition', 'on', true) = 'on' then 'frozen' end where user_no = ${userNos[0]}`,
    )
    expect(await submitting({ userNos, remark: 'x' })).toMatchObject({ msg: refusalText('away') })
    expect(await rowsOf(fixture.ask(phoneBill.approve, { phoneBillNos: [no] }, { as: boss }))).toMatchObject([
      { code: 40901, msg: refusalText('away') },
    ])
    await fixture.exec(
      sql`update app_user set user_status = case when set_config('app.transition', 'on', true) = 'on' then 'normal' end where user_no = ${userNos[0]}`,
    )
  })
})

describe('airtime', () => {
  it('is paid when another person agrees, and becomes a cost when it arrives', async () => {
    const no = await applied(fixture)
    expect(await rowsOf(fixture.ask(phoneBill.approve, { phoneBillNos: [no] }, { as: second }))).toMatchObject([
      { code: 40301 },
    ])
    await done(fixture, phoneBill.approve, { phoneBillNos: [no] })
    await fixture.worker.drain()
    expect(await billOf(no)).toMatchObject({ status: 'paying', fundAccountNo: 'FAT', checkerNo: boss.userNo })
    await proves(fixture, no, 'paid')
    expect(await billOf(no)).toMatchObject({ status: 'success', serialNo: expect.stringMatching(/^AT/) })
    expect(await postings(no)).toEqual(['P14a', 'P14b'])
  })

  it('is not paid when the other person rejects it, with a reason', async () => {
    const no = await applied(fixture)
    await done(fixture, phoneBill.reject, { phoneBillNos: [no], reason: 'left the team' })
    expect(await billOf(no)).toMatchObject({ status: 'rejected', auditReason: 'left the team' })
    expect(await postings(no)).toEqual([])
  })

  it('comes back when the vendor refuses it, and is sent again under a new reference', async () => {
    const no = await failed(fixture)
    expect(await billOf(no)).toMatchObject({ status: 'failed', failType: 'other' })
    expect(await postings(no)).toEqual(['P14a', 'P14c'])
    await done(fixture, phoneBill.retry, { phoneBillNos: [no] })
    await fixture.worker.drain()
    expect(await billOf(no)).toMatchObject({ status: 'paying', attemptNo: 2, failType: null })
    expect(new Set(fixture.network.sent).size).toBe(2)
    expect(await postings(no)).toEqual(['P14a', 'P14c', 'P14a'])
  })

  it('operation 10: stays on its way while nobody knows, is not sent again by hand, and is shown to finance after half an hour', async () => {
    const no = await sent(fixture, none)
    expect(await billOf(no)).toMatchObject({ status: 'paying' })
    expect(await rowsOf(fixture.ask(phoneBill.retry, { phoneBillNos: [no] }, { as: boss }))).toMatchObject([
      { code: 40901 },
    ])
    const shown = async () => (await done(fixture, phoneBill.page, { phoneBillNo: no, forFinance: true })).total
    expect(await shown()).toBe(0)
    const confirming = await ofBill(fixture, no, { result: 'success', serialNo: 'S1', statementDate: '2026-03-02' })
    const third = await fixture.reviewer()
    const evidence = await fixture.uploaded(third)
    const early = await fixture.ask(phoneBill.confirm, { ...confirming, evidence }, { as: third })
    expect(early).toMatchObject({ code: 40901, msg: text('en', 'errors.tooEarlyToConfirm', { minutes: 30 }) })
    await fixture.exec(
      sql`update gateway_attempt set unknown_since = unknown_since - interval '1 hour', sent_time = sent_time - interval '1 hour' where parent_no = ${no}`,
    )
    expect(await shown()).toBe(1)
    expect(fixture.network.sent).toHaveLength(1)
    const warned = await fixture.db.withTx(tx => airtimeUnknown.find(tx, { payoutUnknownMinutes: 30 } as never))
    expect(warned[0]?.affected.map(one => one.objectNo)).toContain(no)
  })

  it('operation 10: is sent again only after the vendor’s statement proves that it failed, and arrives once', async () => {
    const no = await sent(fixture, none)
    const retry = () => rowsOf(fixture.ask(phoneBill.retry, { phoneBillNos: [no] }, { as: boss }))
    expect(await retry()).toMatchObject([{ code: 40901 }])
    await proves(fixture, no, 'refused')
    expect(await billOf(no)).toMatchObject({ status: 'failed' })
    expect(await retry()).toMatchObject([{ code: 0 }])
    await fixture.worker.drain()
    expect(await billOf(no)).toMatchObject({ status: 'paying', attemptNo: 2 })
    await proves(fixture, no, 'paid', 2)
    expect(await billOf(no)).toMatchObject({ status: 'success' })
    expect((await postings(no)).filter(code => code === 'P14b')).toHaveLength(1)
  })

  it('says beforehand that the cap of the month has sunk, or that no account pays', async () => {
    const no = await failed(fixture)
    const why = async () => {
      const { list } = await done(fixture, phoneBill.page, { phoneBillNo: no })
      return (list as { blockedBy: Record<string, { reason: string }> }[])[0]?.blockedBy['phoneBill.retry']?.reason
    }
    expect(await why()).toBeUndefined()
    await fixture.exec(sql`update fund_account set short_amount = 1 where channel = 'airtime'`)
    expect(await why()).toBe('errors.channelPaused')
    await fixture.exec(sql`update fund_account set short_amount = null where channel = 'airtime'`)
    const { value } = await done(fixture, contract.businessConfig.get, { configKey: 'PHONE_BILL_CAPS' })
    const caps = (to: object) =>
      fixture.exec(sql`
      insert into business_config (config_key, config_value) values ('PHONE_BILL_CAPS', ${JSON.stringify(to)}::jsonb)
      on conflict (config_key) do update set config_value = excluded.config_value`)
    await caps(Object.fromEntries(Object.keys(value as object).map(post => [post, '500.00'])))
    expect(await why()).toBe('errors.phoneBillRefused.over_cap')
    await caps(value as object)
  })

  it('that arrived after all counts once, and what nobody waited for is held apart', async () => {
    const late = await failed(fixture)
    await proves(fixture, late, 'paid')
    expect(await postings(late)).toEqual(['P14a', 'P14c', 'P14a', 'P14b'])
    const twice = await sentAgain(fixture, refused())
    await proves(fixture, twice, 'paid', 1)
    expect(await billOf(twice)).toMatchObject({ status: 'failed' })
    expect(await fixture.rows(sql`select 1 from journal where cause = ${`payout_attempt:${twice}-1`}`)).toHaveLength(1)
  })

  it('is shown with its sends, its journals and the months before', async () => {
    const no = await sent(fixture)
    await proves(fixture, no, 'paid')
    const detail = await done(fixture, phoneBill.detail, { phoneBillNo: no })
    expect(detail).toMatchObject({ attempts: [{ attemptStatus: 'succeeded' }], past: [] })
    expect((detail.journals as unknown[]).length).toBe(2)
    const month = fixture.clock.now().toISOString().slice(0, 7)
    const { sums, lines } = (await done(fixture, phoneBill.summary, { month })) as {
      sums: { post: string }[]
      lines: unknown[]
    }
    expect(sums[0]?.post).toBe('collector')
    expect(lines.length).toBeGreaterThan(0)
    const { userNos, amount } = await done(fixture, phoneBill.lastList, { purposeMonth: month })
    expect((userNos as string[]).length).toBeGreaterThan(0)
    expect(amount).toBe('10000.00')
  })
})
