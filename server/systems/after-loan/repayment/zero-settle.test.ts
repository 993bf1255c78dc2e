import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { text } from '../../../../core/i18n/server.ts'
import type { Desk } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { repay } = contract

const { desk, officer } = await deskForTests()

/** An order on which this much is left. */
const leftWith = async (residue: string, more: Parameters<Desk['order']>[0] = {}) => {
  const orderNo = await desk.order(more)
  const amount = (230_000 - Number(residue)).toFixed(2)
  await desk.pay(officer, { orderNo, repayType: 'partial', flows: [desk.typed(amount)] })
  return orderNo
}
const preview = async (...orderNos: string[]) =>
  (await desk.call(repay.zeroPreview, { orderNos }, { as: officer })).data
const settle = async (orderNos: string[], trialKeys: string[]) =>
  (await desk.call(repay.zeroSettle, { orderNos, trialKeys }, { as: officer })).data

describe('settling at zero', () => {
  it('finds the orders that may be settled, and those within reach only', async () => {
    const [small, theirs] = [await leftWith('90.00'), await leftWith('80.00', { merchantNo: 'M2' })]
    await leftWith('9000.00')
    const found = async (as = officer) =>
      (await desk.call(repay.zeroPreview, {}, { as })).data.list.map(row => [row.orderNo, row.allowed])
    expect(await found()).toEqual([
      [small, true],
      [theirs, true],
    ])
    expect(await found(await desk.officer({ limit: 'own_merchants', merchants: ['M2'] }))).toEqual([[theirs, true]])
    const { list } = (await desk.call(repay.zeroPreview, {}, { as: officer })).data
    expect(
      await settle(
        list.map(row => row.orderNo),
        list.map(row => row.trialKey),
      ),
    ).toMatchObject({ ok: 2, fail: 0 })
    expect(await found()).toEqual([])
  })

  it('after-loan 11: forgives a residue within the limits, of principal only as far as allowed', async () => {
    const [small, big, large] = [await leftWith('180.00'), await leftWith('201.00'), await leftWith('501.00')] as [
      string,
      string,
      string,
    ]
    const seen = await preview(small, big, large, 'LONONE')
    expect(seen).toMatchObject({ allowed: 1, refused: 3, principal: '180.00', interest: '0.00', penaltyAndFee: '0.00' })
    expect(seen.list.map(row => [row.allowed, row.outstanding, row.reason])).toEqual([
      [true, '180.00', null],
      [false, '201.00', text('en', 'errors.shortfallNotCovered')],
      [false, '501.00', text('en', 'errors.shortfallNotCovered')],
      [false, '0.00', text('en', 'errors.notFound')],
    ])
    const done = await settle([small, big], [seen.list[0]?.trialKey ?? '', seen.list[1]?.trialKey ?? ''])
    expect(done).toMatchObject({
      ok: 1,
      fail: 1,
      rows: [
        { id: small, code: 0 },
        { id: big, code: 40001, msg: text('en', 'errors.shortfallNotCovered') },
      ],
    })
    const { order, bills, records, journals } = await desk.detail(officer, small)
    expect(order).toMatchObject({ orderStatus: 'settled', settleAmount: '0.00', reductionAmount: '180.00' })
    expect(bills[1]).toMatchObject({ billStatus: 'paid', waived: { principal: '180.00' } })
    expect(records[0]).toMatchObject({ repayType: 'settle', amount: '0.00', reductionAmount: '180.00', flows: [] })
    expect(journals.filter(journal => journal.postingCode === 'P17').flatMap(journal => journal.lines)).toMatchObject([
      { accountCode: 'small_balance_expense', debit: '180.00' },
      { accountCode: `principal:${small}`, credit: '180.00' },
    ])
    expect(
      await desk.rows(sql`select event from state_transition where object_no = ${records[0]?.repaymentNo}`),
    ).toEqual([{ event: 'repay.zeroSettle' }])
    expect(
      await desk.rows(
        sql`select count(*)::int as n from audit_log where action = 'repay.zeroSettle' and object_no = ${small}`,
      ),
    ).toEqual([{ n: 1 }])
  })

  it('needs the numbers that were seen, and can be taken back', async () => {
    const orderNo = await leftWith('100.00')
    expect((await settle([orderNo], ['another'])).rows).toMatchObject([
      { code: 40002, msg: text('en', 'errors.amountsChanged') },
    ])
    const [row] = (await preview(orderNo)).list
    expect((await settle([orderNo], [row?.trialKey ?? ''])).ok).toBe(1)
    expect((await settle([orderNo], [row?.trialKey ?? ''])).rows).toMatchObject([{ code: 40901 }])
    expect((await preview(orderNo)).list[0]).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('Settled'),
    })
    const [record] = (await desk.detail(officer, orderNo)).records
    expect((await desk.rollback(officer, record?.repaymentNo ?? '')).data).toMatchObject({ approvalStatus: 'executed' })
    expect((await desk.detail(officer, orderNo)).order).toMatchObject({
      orderStatus: 'funds_disbursed',
      settleAmount: '100.00',
    })
  })

  it('forgives nothing where the merchant’s own row says so, or the month is used up', async () => {
    const orderNo = await leftWith('50.00')
    await desk.exec(
      sql`insert into auto_write_off_config (config_no, merchant_no, enabled) values ('W2', 'M1', 'disabled')`,
    )
    expect((await preview(orderNo)).list[0]).toMatchObject({ allowed: false })
    await desk.exec(sql`delete from auto_write_off_config where config_no = 'W2'`)
    await desk.exec(
      sql`insert into business_config (config_key, config_value) values ('repay.smallSettleMonthCap', '"49.99"')`,
    )
    expect((await preview(orderNo)).list[0]).toMatchObject({ allowed: false, reason: 'Limit exceeded' })
    await desk.exec(sql`delete from business_config`)
    expect((await preview(orderNo)).list[0]).toMatchObject({ allowed: true })
  })

  it('asks for its right, and sees own merchants only', async () => {
    const orderNo = await leftWith('50.00', { merchantNo: 'M2' })
    const reader = await desk.officer({ perms: ['repay:order:page'] })
    expect((await desk.call(repay.zeroPreview, { orderNos: [orderNo] }, { as: reader })).code).toBe(40301)
    expect((await desk.call(repay.zeroSettle, { orderNos: [orderNo], trialKeys: ['x'] }, { as: reader })).code).toBe(
      40301,
    )
    const kampala = await desk.officer({ limit: 'own_merchants', merchants: ['M1'] })
    expect((await desk.call(repay.zeroPreview, { orderNos: [orderNo] }, { as: kampala })).data.list[0]).toMatchObject({
      allowed: false,
      reason: text('en', 'errors.notFound'),
    })
    expect(
      (await desk.call(repay.zeroSettle, { orderNos: [orderNo], trialKeys: ['x'] }, { as: kampala })).data.rows,
    ).toMatchObject([{ code: 40401 }])
  })
})
