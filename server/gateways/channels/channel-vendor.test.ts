import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { end, freshDir, startProcess } from '../../simulators/testing.ts'
import { type ChannelMessage, channelVendor } from './channel-vendor.ts'

let baseUrl: string
let stop: () => Promise<void>
beforeEach(async () => {
  const customers = [{ username: 'nile', apiKey: 'key', reportUrl: null }]
  const { child, line } = await startProcess('simulator-sms', {
    ...{ PORT: '0', DATA_DIR: freshDir(), CUSTOMERS: JSON.stringify(customers), SIM_SPEED: '20', HOLD_MS: '60000' },
  })
  baseUrl = `http://127.0.0.1:${(JSON.parse(line) as { listening: number }).listening}`
  stop = () => end(child)
})
afterEach(() => stop())

const vendor = (apiKey = 'key', channel: 'whatsapp' | 'app_push' = 'whatsapp') =>
  channelVendor({ baseUrl, apiKey, channel, timeoutMs: 700 })
const message = (change: Partial<ChannelMessage> = {}): ChannelMessage => ({
  ...{
    messageNo: 'MS1',
    to: '256772000031',
    senderId: 'NILE',
    template: 'TM1',
    language: 'en',
    title: '',
    content: 'Hi',
  },
  ...change,
})
const kept = async () =>
  ((await (await fetch(`${baseUrl}/_sim/channels`)).json()) as { messages: Record<string, unknown>[] }).messages

describe('messages by the adapter and the simulated vendor', () => {
  it('are taken once under their number, however often they are handed over', async () => {
    const first = await vendor().send(message())
    expect(first).toMatchObject({ is: 'accepted', cost: '60.00' })
    expect(await vendor().send(message())).toEqual(first)
    expect(await kept()).toMatchObject([{ reference: 'MS1', to: '256772000031', channel: 'whatsapp', arrived: true }])
  })

  it.each([
    ['a template that waits', { template: 'pending_offer' }, 'sender_refused'],
    ['a number that opted out', { to: '256772000001' }, 'network_optout'],
    ['a wrong number', { to: '256772000003' }, 'invalid_phone'],
  ])('are refused for %s', async (_, change, reason) => {
    expect(await vendor().send(message(change))).toEqual({ is: 'refused', reason })
    expect(await kept()).toEqual([])
  })

  it('are refused to a stranger, and to a token that is registered no more', async () => {
    expect(await vendor('guessed').send(message())).toEqual({ is: 'refused', reason: 'vendor_error' })
    expect(await vendor('key', 'app_push').send(message({ to: 'tokenx' }))).toEqual({
      is: 'refused',
      reason: 'inactive',
    })
  })

  it('without an answer are unknown, whether they arrive or not, and wait where nobody listens', async () => {
    expect(await vendor().send(message({ to: '256772000005' }))).toEqual({ is: 'unknown', reason: 'timeout' })
    expect(await vendor().send(message({ messageNo: 'MS2', to: '256772000006' }))).toMatchObject({ is: 'unknown' })
    expect(await kept()).toMatchObject([{ to: '256772000005', arrived: true }])
    await stop()
    expect(await vendor().send(message({ messageNo: 'MS3' }))).toMatchObject({ is: 'later' })
  })
})

it.each([
  [
    { id: 'a', status: 'read', phoneNumber: '+256772000031' },
    { vendorRef: 'a', phone: '256772000031', state: 'delivered', reason: null },
  ],
  [
    { id: 'a', status: 'failed', failureReason: 'OPTED_OUT' },
    { vendorRef: 'a', phone: '', state: 'failed', reason: 'network_optout' },
  ],
  [{ id: 'a', status: 'lost' }, null],
])('a report %j is read as %j', (body, read) =>
  expect(channelVendor({ baseUrl: '', apiKey: '', channel: 'voice' }).parseReport(body)).toEqual(read),
)
