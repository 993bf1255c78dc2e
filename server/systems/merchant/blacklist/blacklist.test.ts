import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import type { Input } from '../../../testing/facts.ts'
import { application, send } from '../../../testing/partner.ts'
import { readyFile } from '../../../testing/ready-file.ts'

const { blacklist, loan } = contract
let fixture: Fixture
const ask = (endpoint: unknown, input: Input, as = fixture.boss) => fixture.ask(endpoint as never, input, { as })
const bar = async (values: string, change: Input = {}) =>
  ask(blacklist.add, {
    ...{ dimension: 'phone', values, reasonCode: 'fraud', merchantNo: 'M1' },
    evidenceFile: await readyFile(fixture.db, fixture.boss.userNo),
    ...change,
  })
const dataOf = (heard: unknown) => (heard as { data: Record<string, unknown> }).data
const entryOf = async (listValue: string) =>
  (dataOf(await ask(blacklist.page, { listValue })) as { list: Record<string, unknown>[] }).list[0]
const pendingOf = async (objectNo: unknown) =>
  (
    await fixture.one(
      sql<{
        no: string
      }>`select approval_no as no from approval where object_no = ${objectNo} and approval_status = 'pending'`,
    )
  ).no

beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture.close())

describe('whom we will not lend to', () => {
  it('is barred at a merchant at once, and with all of them by two people', async () => {
    expect(dataOf(await bar('256760000001\n0760'))).toMatchObject({
      results: [{ outcome: 'added' }, { outcome: 'format' }],
      approvalNo: null,
    })
    expect(await entryOf('256760000001')).toMatchObject({
      displayValue: '25********01',
      merchantNo: 'M1',
      nameListName: 'MANUAL_PHONE_M1',
      hasEvidence: true,
    })
    const asked = dataOf(await bar('256760000002', { merchantNo: undefined }))
    expect(asked).toMatchObject({ results: [{ outcome: 'waits' }] })
    expect(await entryOf('256760000002')).toBeUndefined()
    await fixture.agree(String(asked.approvalNo))
    expect(await entryOf('256760000002')).toMatchObject({ merchantNo: null, itemStatus: 'active' })
  })

  it('rests on evidence, and on the personnel number where it is about staff', async () => {
    expect(await bar('256760000011', { evidenceFile: undefined })).toMatchObject({ code: 40001 })
    expect(await bar('256760000011', { reasonCode: 'staff_related' })).toMatchObject({ code: 40001 })
    expect(await bar('256760000011', { reasonCode: 'staff_related', remark: fixture.boss.userNo })).toMatchObject({
      code: 0,
    })
    expect(await bar('256760000012', { reasonCode: 'trusted' })).toMatchObject({ code: 40001 })
  })

  it('may apply again only when a second person has agreed', async () => {
    await bar('256760000021')
    const entry = await entryOf('256760000021')
    await ask(blacklist.remove, { itemNos: [entry?.itemNo], reason: 'another person' })
    expect(await entryOf('256760000021')).toMatchObject({ itemStatus: 'active', pendingApproval: expect.anything() })
    await fixture.agree(await pendingOf(entry?.itemNo))
    expect(await entryOf('256760000021')).toMatchObject({ itemStatus: 'removed' })
  })

  it('is not taken as an applicant where they are barred, and is at another merchant', async () => {
    const theirs = application(90_001)
    await bar(theirs.customer.phone)
    const before = await fixture.one(sql<{ n: number }>`select count(*)::int as n from loan_order`)
    expect(await send(fixture, theirs)).toMatchObject({ code: 41001 })
    const other = application(90_002)
    await bar(other.customer.idNumber, { dimension: 'idNumber', merchantNo: 'M2' })
    expect(await send(fixture, other)).toMatchObject({ code: 0 })
    expect(await fixture.one(sql<{ n: number }>`select count(*)::int as n from loan_order`)).toEqual({
      n: before.n + 1,
    })
  })

  it('merchant 13: shows people of another merchant nothing of it, and changes nothing for them', async () => {
    await bar('256760000031')
    const entry = await entryOf('256760000031')
    const perms = ['page', 'lookup', 'remove', 'import', 'export'].map(action => `loans:blacklist:${action}`)
    const limit = { limit: 'own_merchants' as const, merchants: ['M2'] }
    const other = await fixture.person({ perms: [...perms, 'loans:blacklist'], ...limit })
    for (const filters of [{ merchantNo: ['M1'] }, { listValue: '256760000031' }])
      expect(dataOf(await ask(blacklist.page, filters, other))).toMatchObject({ total: 0, list: [] })
    const seen = dataOf(await ask(blacklist.page, {}, other)) as { list: { merchantNo: string | null }[] }
    expect(seen.list.filter(row => row.merchantNo === 'M1')).toEqual([])
    expect(await ask(blacklist.detail, { itemNo: entry?.itemNo as string }, other)).toMatchObject({ code: 40401 })
    const gone = await ask(blacklist.remove, { itemNos: [entry?.itemNo], reason: 'not theirs' }, other)
    expect(JSON.stringify(gone)).not.toContain('approvalNo":"')
    expect(await entryOf('256760000031')).toMatchObject({ itemStatus: 'active', pendingApproval: null })
    const evidenceFile = await readyFile(fixture.db, other.userNo)
    const theirs = { dimension: 'phone', values: '256760000032', reasonCode: 'fraud', merchantNo: 'M1', evidenceFile }
    expect(await ask(blacklist.add, theirs, other)).toMatchObject({ code: 40001 })
    const found = await ask(blacklist.lookup, { dimension: 'phone', listValue: '256760000031' }, other)
    expect(JSON.stringify(found)).not.toContain('M1')
    const filters = { merchantNo: ['M1'] }
    const file = await ask(blacklist.page.exporting, { filters, columns: ['itemNo'], exportFormat: 'csv' }, other)
    expect(dataOf(file)).toMatchObject({ rowCount: 0 })
  })

  it('merchant 8: holds an approved loan until somebody has looked; nothing is cancelled by itself', async () => {
    const { loanCode, orderNo } = await fixture.approved()
    const order = await fixture.one(
      sql<{
        customerNo: string
        phone: string
      }>`select o.customer_no, c.phone from loan_order o join order_customer c using (customer_no, merchant_no) where o.order_no = ${orderNo}`,
    )
    const barred = dataOf(
      await ask(blacklist.addPerson, {
        ...{ customerNo: order.customerNo, dimensions: ['phone'], reasonCode: 'fraud', merchantNo: 'M1' },
        evidenceFile: await readyFile(fixture.db, fixture.boss.userNo),
      }),
    )
    expect(barred).toMatchObject({ results: [{ value: 'phone', outcome: 'added' }] })
    await fixture.worker.drain()
    const codeNow = () => fixture.rowOf('loanCode', loanCode)
    await fixture.tick('payout.dispatch')
    await fixture.worker.drain()
    expect(await codeNow()).toMatchObject({ loanCodeStatus: 'created', waitReason: 'blacklist_check' })
    expect((await fixture.rowOf('order', orderNo)) as object).toMatchObject({ orderStatus: 'pending_disbursement' })

    const version = await fixture.versionOf('loanCode', loanCode)
    await fixture.pass(1)
    expect(await ask(loan.release, { loanCode, version, reason: 'the fraud was of another person' })).toMatchObject({
      code: 0,
    })
    await fixture.worker.drain()
    expect(await codeNow()).not.toMatchObject({ loanCodeStatus: 'created' })
  })
})
