import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Tx } from '../db/database.ts'
import type { Enquiry } from '../gateways/texts/sms-vendor.ts'
import { openKit } from '../testing/kit.ts'
import { fakeVendors } from '../testing/vendors.ts'
import { enquiries } from './enquire.ts'
import { post } from './post.ts'

const setUp = async () => {
  const kit = await openKit({ handmade: true, modules: [] })
  let answer: Enquiry = { is: 'unknown' }
  const { vendors } = fakeVendors()
  const query = async () => answer
  const asking = { ...vendors, sms: vendors.sms.map(one => ({ ...one, vendor: { ...one.vendor, query } })) }
  const push = { accountNo: 'push', channel: 'app_push', vendorName: 'P', senderId: 'N' } as const
  const parseReport = () => null
  const send = async () => ({ is: 'later' as const, reason: 'x' })
  const others = [{ ...push, vendor: { parseReport, send, query } }]
  const { scheduled, queue } = enquiries({ ...asking, others }, {})
  const written = (status: string, more: { accountNo?: string; vendorRef?: string | null; kind?: string } = {}) =>
    kit.db.withTx(async tx => {
      const { accountNo = 'push', vendorRef = null, kind = 'service' } = more
      const node = {
        nodeNo: null,
        templateNo: null,
        templateVersion: null,
        title: null,
        content: 'Hi',
        contactKind: kind,
      }
      const about = {
        occurrence: null,
        channelAt: 0,
        isOwn: true,
        appCode: null,
        merchantNo: null,
        customerNo: null,
        orderNo: null,
      }
      const to = {
        channel: 'app_push',
        to: 'token',
        template: 'node',
        language: 'en',
        objectType: 'user',
        objectNo: 'U1',
      } as const
      const messageNo = await post(tx, { ...to, node: { ...node, ...about } })
      await tx.flush()
      await tx.exec(sql`
        update message set account_no = ${accountNo}, vendor_ref = ${vendorRef}, sender_id = 'N', begun_time = ${tx.now}, tries = 1,
          send_time = ${new Date(tx.now.getTime() - 3_600_000)} where message_no = ${messageNo}`)
      await moved(tx, messageNo, status)
      return messageNo
    })
  const moved = async (tx: Tx, messageNo: string, status: string) => {
    await tx.exec(sql`
      update message set message_status = case when set_config('app.transition', 'on', true) = 'on' then ${status} end where message_no = ${messageNo}`)
  }
  const asks = async (enquiry: Enquiry) => {
    answer = enquiry
    const { asked } = await kit.db.withTx(tx => scheduled.run(tx, { date: tx.today }))
    const jobs = await kit.db.read(tx =>
      tx.rows(sql<{ payload: Record<string, unknown> }>`
      select payload from job where queue = 'message.enquire' and state = 'ready'`),
    )
    await kit.db.withTx(tx => tx.exec(sql`delete from job where queue = 'message.enquire'`))
    for (const { payload } of jobs) {
      const prepared = await kit.db.withTx(tx => queue.before(tx, { jobKey: '', payload }))
      if (prepared) await kit.db.withTx(async tx => queue.after(tx, prepared, await prepared.ask()))
    }
    return asked
  }
  const stateOf = (messageNo: string) =>
    kit.db.read(tx =>
      tx.one(sql<{ status: string; ref: string | null; repeated: boolean }>`
      select message_status as status, vendor_ref as ref, repeated from message where message_no = ${messageNo}`),
    )
  return { kit, written, asks, stateOf }
}

const found = (state: 'submitted' | 'delivered' | 'failed', vendorRef = 'V9'): Enquiry => ({
  ...{ is: 'found', report: { vendorRef, phone: '', state, reason: state === 'failed' ? 'inactive' : null } },
})

it('asks what became of messages: found, never had, or still unknown', async () => {
  const { kit, written, asks, stateOf } = await setUp()
  const lost = await written('unknown')
  expect(await asks({ is: 'unknown' })).toBe(1)
  expect((await stateOf(lost)).status).toBe('unknown')
  await asks(found('delivered'))
  expect(await stateOf(lost)).toMatchObject({ status: 'delivered', ref: 'V9' })

  const once = await written('unknown')
  await asks({ is: 'absent' })
  expect(await stateOf(once)).toMatchObject({ status: 'queued', repeated: true })
  const offer = await written('unknown', { kind: 'marketing' })
  await asks({ is: 'absent' })
  expect((await stateOf(offer)).status).toBe('failed')
  await kit.close()
})

it('asks a vendor of texts by its own number alone, and about what it took only now and then', async () => {
  const { kit, written, asks, stateOf } = await setUp()
  const nameless = await written('unknown', { accountNo: 'sms-1' })
  expect(await asks(found('delivered'))).toBe(0)
  expect((await stateOf(nameless)).status).toBe('unknown')
  const silent = await written('submitted', { accountNo: 'sms-1', vendorRef: 'V1' })
  expect(await asks(found('submitted', 'V1'))).toBe(1)
  expect(await asks(found('delivered', 'V1'))).toBe(0)
  expect((await stateOf(silent)).status).toBe('submitted')
  kit.clock.advance(61 * 60_000)
  expect(await asks(found('failed', 'V1'))).toBe(1)
  expect((await stateOf(silent)).status).toBe('failed')
  await kit.close()
})
