import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { type Fixture, openFixture } from '../../../../tests/contract/fixture.ts'
import { type CalledChannel, type ChannelMessage, channelVendor } from '../../../gateways/channels/channel-vendor.ts'
import type { Handed } from '../../../gateways/texts/sms-vendor.ts'
import { reportSecret } from '../../../testing/vendors.ts'
import { happened } from './index.ts'
import { nodeOf } from './node-fixture.ts'

const { smsReport } = contract
const given: ChannelMessage[] = []
const answers: Handed[] = []
let fixture: Fixture
let made = 0

beforeAll(async () => {
  fixture = await openFixture()
  const account = (channel: CalledChannel) => ({
    ...{ accountNo: channel, channel, vendorName: 'Nile Channels', senderId: 'NILE', reportSecret },
    vendor: {
      parseReport: channelVendor({ baseUrl: '', apiKey: '', channel }).parseReport,
      async send(message: ChannelMessage): Promise<Handed> {
        given.push(message)
        return answers.shift() ?? { is: 'accepted', vendorRef: `CH${++made}`, cost: '60.00' }
      },
    },
  })
  fixture.outbox.vendors.others = [account('whatsapp'), account('voice')]
})
beforeEach(() => {
  given.length = 0
  answers.length = 0
})
afterAll(() => fixture.close())

type Said = { channelType: string; messageStatus: string; failReason: string | null; vendorRef: string | null }
const said = (nodeNo: string) =>
  fixture.rows(sql<Said>`
    select channel_type, message_status, fail_reason, vendor_ref from message where node_no = ${nodeNo} order by created_time, channel_at`)
const pass = async (minutes: number) => {
  await fixture.pass(minutes)
  await fixture.worker.drain()
}
/** Something happens to a customer that a node with these channels speaks of. */
const spoken = async (channels: readonly string[]) => {
  const nodeNo = await nodeOf(fixture, {
    ...{ eventKey: 'manual', contactKind: 'service', content: '{brand} is here', channels, wait: 60 },
  })
  const orderNo = await fixture.queueUp('M1')
  const of = await fixture.one(sql<{ customerNo: string; merchantNo: string }>`
    select customer_no, merchant_no from loan_order where order_no = ${orderNo}`)
  const about = { event: 'manual' as const, objectType: 'order', objectNo: orderNo, orderNo, occurrence: 'once', ...of }
  await fixture.db.withTx(tx => happened(tx, about))
  await fixture.worker.drain()
  return nodeNo
}

describe.each(['whatsapp', 'voice'] as const)('a message by %s', channel => {
  it('goes by its account under its own number, and its report says that it arrived', async () => {
    const nodeNo = await spoken([channel, 'sms'])
    expect(given).toMatchObject([{ senderId: 'NILE', content: 'Boda Cash is here', language: 'en' }])
    const [message] = await said(nodeNo)
    expect(message).toMatchObject({ channelType: channel, messageStatus: 'submitted' })
    const report = { accountNo: channel, secret: reportSecret, id: String(message?.vendorRef), status: 'delivered' }
    fixture.must(await fixture.call(smsReport.receive, report as never))
    await pass(10)
    expect(await said(nodeNo)).toMatchObject([{ channelType: channel, messageStatus: 'delivered' }])
  })

  it('that is refused goes by the next channel, once', async () => {
    answers.push({ is: 'refused', reason: 'sender_refused' })
    const nodeNo = await spoken([channel, 'sms'])
    await pass(10)
    expect(await said(nodeNo)).toMatchObject([
      { channelType: channel, messageStatus: 'failed', failReason: 'sender_refused' },
      { channelType: 'sms', messageStatus: 'submitted' },
    ])
  })

  it('without an answer is unknown, is never sent again, and a late report still counts', async () => {
    answers.push({ is: 'unknown', reason: 'timeout' })
    const nodeNo = await spoken([channel])
    await pass(60)
    expect(given).toHaveLength(1)
    expect(await said(nodeNo)).toMatchObject([{ messageStatus: 'unknown' }])
    const { to, messageNo } = given[0] as ChannelMessage
    expect(messageNo).toMatch(/^MS/)
    const body = {
      accountNo: channel,
      secret: reportSecret,
      id: `late-${++made}`,
      status: 'delivered',
      phoneNumber: `+${to}`,
    }
    fixture.must(await fixture.call(smsReport.receive, body as never))
    await fixture.worker.drain()
    expect(await said(nodeNo)).toMatchObject([{ messageStatus: 'delivered' }])
    expect(given).toHaveLength(1)
  })
})
