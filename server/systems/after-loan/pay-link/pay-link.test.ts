import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { runInvariants } from '../../../invariants/invariants.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'
import { payLinkModule } from './pay-link.ts'

const { payLink } = contract
const perms = officerPerms
const phone = '256770000031'

const { desk } = await deskForTests()
const officer = await desk.officer({ perms })
const [clock] = payLinkModule(desk.deps).scheduled ?? []
const tick = () => desk.db.withTx(tx => clock?.run(tx, { date: tx.today }) as Promise<unknown>)

let orderNo: string
beforeEach(async () => {
  await desk.at('2026-03-02')
  orderNo = await desk.order()
})

const create = (amount: string, as = officer) => desk.call(payLink.create, { orderNo, amount }, { as })
const made = async (amount = '60000.00') => {
  const { data } = await create(amount)
  return { ...data, linkCode: data.payLink.split('/').at(-1) ?? '' }
}
const rowOf = async (linkNo: string) =>
  (await desk.call(payLink.page, { linkNo }, { as: officer })).data.list[0] as unknown as Record<string, unknown>
const asks = (linkNo: string) =>
  desk.rows<{ payRef: string; outcome: string | null }>(
    sql`select pay_ref, outcome from pay_link_ask where link_no = ${linkNo} order by asked_time`,
  )
const paid = (externalId: string, amount: string, serialNo: string) =>
  ({ kind: 'success', serialNo, amount, payer: phone, externalId, time: desk.clock.now().toISOString() }) as const
const later = async (seconds: number) => {
  desk.clock.advance(seconds * 1000)
  await desk.worker.drain()
}
const receipts = async (serialNo: string) =>
  (await desk.rows<{ n: number }>(sql`select count(*)::int as n from repay_flow where serial_no = ${serialNo}`))[0]?.n

describe('a payment link', () => {
  it('is of whole shillings within the limits, never above the settle amount, and three of an order live at once', async () => {
    for (const amount of ['999.00', '5000001.00', '1000.50', '231000.00'])
      expect(await create(amount)).toMatchObject({ code: 40001, data: { fields: [{ path: 'amount' }] } })
    const links = [await made('1000.00'), await made('230000.00'), await made()]
    expect(await create('2000.00')).toMatchObject({ code: 41001 })
    for (const { linkCode } of links) expect(linkCode).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(links.map(link => link.linkCode)).size).toBe(3)
    const { expireTime, linkNo } = links[0] as (typeof links)[0]
    expect(new Date(expireTime).getTime() - desk.clock.now().getTime()).toBe(24 * 3_600_000)
    expect((await desk.call(payLink.revoke, { linkNo, version: 0, reason: 'too low' }, { as: officer })).code).toBe(0)
    expect((await create('2000.00')).code).toBe(0)
  })

  it('keeps to three however many people make one at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create('5000.00')))
    expect(answers.filter(answer => answer.code === 0)).toHaveLength(3)
  })

  it('says who is paid how much until when, and nothing of who pays', async () => {
    const { linkCode } = await made()
    const { data } = await desk.call(payLink.opened, { linkCode })
    expect(Object.keys(data).sort()).toEqual(['amount', 'brand', 'expireTime', 'hotline', 'linkStatus', 'payAskState'])
    expect(JSON.stringify(data)).not.toMatch(/Akello|25677|LO0/)
    expect(await desk.call(payLink.opened, { linkCode: 'f'.repeat(32) })).toMatchObject({ code: 40401 })
  })

  it('asks one phone at a time, and is paid once, by our question or by the callback', async () => {
    const { linkNo, linkCode } = await made()
    const press = () => desk.call(payLink.pay, { linkCode, phone })
    await Promise.all([press(), press(), press()])
    const [ask, ...more] = await asks(linkNo)
    expect(more).toEqual([])
    const ref = String(ask?.payRef)
    await desk.worker.drain()
    desk.truth.set(ref, paid(ref, '60000.00', 'LINK-1'))
    await later(6)
    expect(await rowOf(linkNo)).toMatchObject({ linkStatus: 'paid' })
    expect(await desk.hear(ref, { status: 'SUCCESSFUL', amount: '60000' }, paid(ref, '60000.00', 'LINK-1'))).toBe(
      'duplicate',
    )
    expect(await receipts('LINK-1')).toBe(1)
    const { order, records } = await desk.detail(officer, orderNo)
    expect(records).toMatchObject([{ repayType: 'partial', amount: '60000.00', postedName: 'system' }])
    expect(order.paidAmount).toBe('60000.00')
    expect(await press()).toMatchObject({ code: 40901 })
    expect(await desk.db.read(runInvariants)).toEqual([])
  })

  it('is paid by the callback before we ask, and the question then books nothing more', async () => {
    const { linkNo, linkCode } = await made('230000.00')
    await desk.call(payLink.pay, { linkCode, phone })
    await desk.worker.drain()
    const ref = String((await asks(linkNo))[0]?.payRef)
    const says = paid(ref, '230000.00', 'LINK-2')
    expect(await desk.hear(ref, { status: 'SUCCESSFUL', amount: '230000' }, says)).toMatch(/^written_off/)
    await later(60)
    expect(await receipts('LINK-2')).toBe(1)
    expect(await rowOf(linkNo)).toMatchObject({ linkStatus: 'paid' })
    expect((await desk.detail(officer, orderNo)).order.orderStatus).toBe('settled')
    expect((await desk.call(payLink.opened, { linkCode })).data).toMatchObject({ linkStatus: 'paid' })
  })

  it('can be tried again when a payment did not come about', async () => {
    const { linkNo, linkCode } = await made()
    await desk.call(payLink.pay, { linkCode, phone })
    await desk.worker.drain()
    desk.truth.set(String((await asks(linkNo))[0]?.payRef), { kind: 'failure', answerCode: 'X', answerMessage: 'no' })
    await later(6)
    expect((await desk.call(payLink.opened, { linkCode })).data).toMatchObject({ payAskState: 'failed' })
    expect((await desk.call(payLink.pay, { linkCode, phone })).data).toMatchObject({ payAskState: 'waiting' })
    expect(await asks(linkNo)).toHaveLength(2)
  })

  it('is over after its time; money that comes even later is booked to its order all the same', async () => {
    const { linkNo, linkCode } = await made()
    await desk.call(payLink.pay, { linkCode, phone })
    await desk.worker.drain()
    const ref = String((await asks(linkNo))[0]?.payRef)
    await desk.at('2026-03-03', '10:01')
    expect((await desk.call(payLink.opened, { linkCode })).data).toMatchObject({ linkStatus: 'expired' })
    await tick()
    expect(await rowOf(linkNo)).toMatchObject({ linkStatus: 'expired' })
    await desk.hear(ref, { status: 'SUCCESSFUL', amount: '60000' }, paid(ref, '60000.00', 'LINK-3'))
    expect((await desk.detail(officer, orderNo)).order.paidAmount).toBe('60000.00')
    expect(await rowOf(linkNo)).toMatchObject({ linkStatus: 'expired' })
  })

  it('ends with its order, and is neither sent nor paid afterwards', async () => {
    const { linkNo, linkCode } = await made()
    await desk.pay(officer, { orderNo, repayType: 'settle', flows: [desk.typed('230000.00')] })
    expect(await desk.call(payLink.pay, { linkCode, phone })).toMatchObject({ code: 40901 })
    await tick()
    const row = await rowOf(linkNo)
    expect(row).toMatchObject({ linkStatus: 'revoked' })
    expect(await desk.call(payLink.send, { linkNo, version: row.version as number }, { as: officer })).toMatchObject({
      code: 40901,
    })
    expect(await create('1000.00')).toMatchObject({ code: 40901 })
  })

  it('goes to the customer by the message engine, once a text for it is switched on', async () => {
    const { linkNo, payLink: address } = await made()
    const send = (version: number) => desk.call(payLink.send, { linkNo, version }, { as: officer })
    expect(await send(0)).toMatchObject({ code: 40901 })
    await desk.exec(sql`
      insert into business_node (node_no, point_code, node_name, event_key, contact_kind, channel_order, app_codes, enabled, created_time, updated_by, updated_time)
      select 'BNL', 'payLink.sent', '{}', 'payLink.sent', 'reminder', '[]', array_agg(distinct app_name), 'enabled', now(), 'U1', now() from merchant`)
    expect((await send(0)).code).toBe(0)
    expect(await send(0)).toMatchObject({ code: 40902 })
    const [job] = await desk.rows<{ payload: { values: object } }>(
      sql`select payload from job where queue = 'message.event' and payload ->> 'event' = 'payLink.sent'`,
    )
    expect(job?.payload.values).toMatchObject({ linkAmount: 'UGX 60,000', payLink: address })
    expect(await rowOf(linkNo)).toMatchObject({ timesSent: 1 })
    await desk.exec(sql`delete from business_node where node_no = 'BNL'`)
  })

  it('of other merchants does not exist', async () => {
    const { linkNo } = await made()
    const other = await desk.officer({ perms, nature: 'merchant', merchants: ['M2'], limit: 'own_merchants' })
    expect(await create('1000.00', other)).toMatchObject({ code: 40401 })
    expect((await desk.call(payLink.page, { orderNo }, { as: other })).data.total).toBe(0)
    for (const [call, input] of [
      [payLink.send, { linkNo, version: 0 }],
      [payLink.revoke, { linkNo, version: 0, reason: 'x' }],
    ] as const)
      expect(await desk.call(call, input as never, { as: other })).toMatchObject({ code: 40401 })
  })

  it('of an unknown network is not asked for', async () => {
    const { linkCode } = await made()
    const answer = await desk.call(payLink.pay, { linkCode, phone: '256710000001' })
    expect(answer).toMatchObject({ code: 40001, data: { fields: [{ path: 'phone' }] } })
  })
})
