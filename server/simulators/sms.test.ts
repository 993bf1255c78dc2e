import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { africasTalking } from '../gateways/texts/africas-talking.ts'
import type { Report, SmsVendor } from '../gateways/texts/sms-vendor.ts'
import { end, freshDir, startProcess } from './testing.ts'

type Kept = { messages: { phone: string; content: string; from: string; arrived: boolean; reports: string[] }[] }

let stop: () => Promise<void>
let baseUrl: string
let vendor: SmsVendor
let reports: Report[]
let dir: string

const start = async (reportUrl: string | null) => {
  const customers = [{ username: 'nile', apiKey: 'key', reportUrl }]
  const { child, line } = await startProcess('simulator-sms', {
    ...{ PORT: '0', DATA_DIR: dir, CUSTOMERS: JSON.stringify(customers), SIM_SPEED: '20', HOLD_MS: '60000' },
  })
  baseUrl = `http://127.0.0.1:${(JSON.parse(line) as { listening: number }).listening}`
  vendor = africasTalking({ baseUrl, username: 'nile', apiKey: 'key', timeoutMs: 700 })
  return child
}

beforeEach(async () => {
  dir = freshDir()
  reports = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const report = vendor.parseReport(Object.fromEntries(new URLSearchParams(body)))
      if (report) reports.push(report)
      response.end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const child = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}/report`)
  stop = async () => {
    await end(child)
    server.close()
  }
})
afterEach(() => stop())

const send = (phone: string, content = 'Hello') => vendor.send({ messageNo: 'MS1', phone, senderId: 'NILE', content })
const kept = async () => ((await (await fetch(`${baseUrl}/_sim/messages`)).json()) as Kept).messages
const mode = (name: string) => fetch(`${baseUrl}/_sim/switch`, { method: 'POST', body: JSON.stringify({ mode: name }) })

describe('texts by the adapter and the simulated vendor', () => {
  it('are taken, arrive and are reported', async () => {
    const handed = await send('256772000031', '验证码 & 123456')
    expect(handed).toMatchObject({ is: 'accepted', cost: '35.00', vendorRef: expect.stringMatching(/^ATXid_/) })
    expect(await kept()).toMatchObject([
      { phone: '256772000031', content: '验证码 & 123456', from: 'NILE', arrived: true },
    ])
    await vi.waitFor(() => expect(reports).toHaveLength(1))
    expect(reports[0]).toEqual({
      ...{ vendorRef: handed.is === 'accepted' && handed.vendorRef, phone: '256772000031' },
      ...{ state: 'delivered', reason: null },
    })
  })

  it.each([
    ['256772000001', 'network_optout'],
    ['256772000003', 'invalid_phone'],
  ])('to %s are refused: %s', async (phone, reason) => {
    expect(await send(phone)).toEqual({ is: 'refused', reason })
    expect(await kept()).toEqual([])
  })

  it.each([
    ['256772000018', 'network_optout'],
    ['256772000019', 'inactive'],
  ])('to %s are taken and fail: %s', async (phone, reason) => {
    expect((await send(phone)).is).toBe('accepted')
    await vi.waitFor(() => expect(reports).toMatchObject([{ state: 'failed', reason }]))
    expect(await kept()).toMatchObject([{ arrived: false }])
  })

  it('without an answer are unknown, whether they arrive or not', async () => {
    expect(await send('256772000005')).toEqual({ is: 'unknown', reason: 'timeout' })
    expect(await send('256772000006')).toEqual({ is: 'unknown', reason: 'timeout' })
    expect(await kept()).toMatchObject([{ phone: '256772000005', arrived: true }])
    await vi.waitFor(() => expect(reports).toMatchObject([{ phone: '256772000005', state: 'delivered' }]))
  })

  it('meet a vendor without money, one that hangs and one that cuts the line', async () => {
    await mode('refuse')
    expect(await send('256772000031')).toEqual({ is: 'refused', reason: 'balance' })
    await mode('timeout')
    expect((await send('256772000031')).is).toBe('unknown')
    await mode('down')
    expect((await send('256772000031')).is).toBe('unknown')
    expect((await mode('nonsense')).status).toBe(400)
  })

  it('are refused to a stranger', async () => {
    const stranger = africasTalking({ baseUrl, username: 'nile', apiKey: 'guessed' })
    expect(await stranger.send({ messageNo: 'MS1', phone: '256772000031', senderId: 'NILE', content: 'x' })).toEqual({
      is: 'refused',
      reason: 'vendor_error',
    })
  })

  it('are offered again where nobody listens', async () => {
    const nowhere = africasTalking({ baseUrl: 'http://127.0.0.1:7199', username: 'nile', apiKey: 'key' })
    expect((await nowhere.send({ messageNo: 'MS1', phone: '256772000031', senderId: 'N', content: 'x' })).is).toBe(
      'later',
    )
  })

  it('are still known after the vendor was killed', async () => {
    await send('256772000031')
    await stop()
    const child = await start(null)
    stop = () => end(child)
    expect(await kept()).toMatchObject([{ phone: '256772000031', arrived: true }])
  })
})

it.each([
  [
    201,
    { SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } },
    { is: 'refused', reason: 'sender_refused' },
  ],
  [201, { SMSMessageData: { Recipients: [{ statusCode: 999 }] } }, { is: 'unknown', reason: 'status 999' }],
  [201, { SMSMessageData: { Recipients: [{ statusCode: 101 }] } }, { is: 'unknown', reason: 'status 101' }],
  [201, { SMSMessageData: { Recipients: [{ statusCode: 500 }] } }, { is: 'unknown', reason: 'status 500' }],
  [201, 'not what was agreed', { is: 'unknown', reason: 'http 201' }],
  [500, {}, { is: 'unknown', reason: 'http 500' }],
  [400, {}, { is: 'refused', reason: 'vendor_error' }],
])('an answer that is in no table is unknown (%#)', async (status, body, handed) => {
  const given = africasTalking({
    ...{ baseUrl: 'https://vendor.example', username: 'u', apiKey: 'k' },
    fetch: async () => new Response(JSON.stringify(body), { status }),
  })
  expect(await given.send({ messageNo: 'MS1', phone: '256772000031', senderId: 'N', content: 'x' })).toEqual(handed)
})
