import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { africasTalking } from '../gateways/texts/africas-talking.ts'
import { httpVendor, postAnywhere } from '../gateways/texts/http-vendor.ts'
import { type Heard, SmppLine } from '../gateways/texts/smpp/smpp-line.ts'
import { smppVendor } from '../gateways/texts/smpp/smpp-vendor.ts'
import type { Reply, Report, SmsVendor } from '../gateways/texts/sms-vendor.ts'
import { end, freshDir, startProcess } from './testing.ts'

type Kept = {
  messages: { ref: string; phone: string; content: string; from: string; arrived: boolean; reports: string[] }[]
}
type At = { http: string; smpp: number }
type Hearers = { report: (body: Record<string, unknown>) => void; reply: (body: Record<string, unknown>) => void }

/** What the simulated vendor calls things by its own protocol in JSON. */
const jsonAccess = {
  request: '{"to":"<to>","from":"<from>","text":"<text>","ref":"<reference>"}',
  paths: {
    ...{ answer_id: 'message.id', answer_status: 'result', answer_cost: 'message.price' },
    ...{ report_id: 'message.id', report_status: 'message.state', report_phone: 'message.to' },
    ...{ reply_id: 'message.id', reply_from: 'message.from', reply_text: 'message.body' },
  },
  words: {
    ...{ OK: 'accepted', BAD_NUMBER: 'invalid_phone', NO_CREDIT: 'balance', STOPPED: 'network_optout' },
    ...{ DELIVERED: 'delivered', SENT: 'submitted', UNDELIVERED: 'inactive', REJECTED: 'network_optout' },
  },
}
const smppWords = { 1025: 'balance', 1026: 'network_optout', 'err:406': 'network_optout' }
const timeoutMs = 700

/** Each adapter as it speaks to the simulated vendor, and how it is when nobody listens. */
const adapters: Record<string, (at: At, key: string, hearers: Hearers) => SmsVendor> = {
  africas_talking: ({ http }, apiKey) => africasTalking({ baseUrl: http, username: 'nile', apiKey, timeoutMs }),
  http: ({ http }, secret) =>
    httpVendor({
      url: `${http}/v2/texts`,
      user: 'nile',
      secret,
      auth: 'signature',
      timeoutMs,
      post: postAnywhere,
      ...jsonAccess,
    }),
  smpp({ smpp: port }, password, { report, reply }) {
    const hear = async (heard: Heard) => ('receipt' in heard ? report(heard.receipt) : reply(heard.reply))
    const line = new SmppLine({ host: '127.0.0.1', port, systemId: 'nile', password, timeoutMs }, hear)
    const vendor = smppVendor({ line, hear, words: smppWords })
    vendor.hold?.()
    return vendor
  },
}

describe.each(Object.keys(adapters))('texts by the adapter %s and the simulated vendor', kind => {
  const open = adapters[kind] as (typeof adapters)[string]
  let stop: () => Promise<void>
  let at: At
  let vendor: SmsVendor
  let reports: Report[]
  let replies: Reply[]
  let dir: string
  const opened: SmsVendor[] = []
  const hearers: Hearers = {
    report(body) {
      const report = vendor.parseReport(body)
      if (report) reports.push(report)
    },
    reply(body) {
      const reply = (vendor.parseReply ?? (given => given as never as Reply))(body)
      if (reply) replies.push(reply)
    },
  }
  const as = (key: string, place = at) => {
    const one = open(place, key, hearers)
    opened.push(one)
    return one
  }

  const start = async (reportUrl: string | null, smppPort = 0) => {
    const customers = [{ username: 'nile', apiKey: 'key', reportUrl }]
    const { child, line } = await startProcess('simulator-sms', {
      ...{ PORT: '0', SMPP_PORT: String(smppPort), DATA_DIR: dir, CUSTOMERS: JSON.stringify(customers) },
      ...{ SIM_SPEED: '20', HOLD_MS: '60000' },
    })
    const { listening, smpp } = JSON.parse(line) as { listening: number; smpp: number }
    at = { http: `http://127.0.0.1:${listening}`, smpp }
    return child
  }

  beforeEach(async () => {
    dir = freshDir()
    reports = []
    replies = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        const said = body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))
        if (request.url === '/inbound') hearers.reply(said)
        else hearers.report(said)
        response.end('{}')
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const child = await start(`http://127.0.0.1:${(server.address() as AddressInfo).port}/report`)
    vendor = as('key')
    stop = async () => {
      for (const one of opened.splice(0)) one.close?.()
      await end(child)
      server.close()
    }
  })
  afterEach(() => stop())

  let sent = 0
  const send = (phone: string, content = 'Hello') =>
    vendor.send({ messageNo: `MS${++sent}`, phone, senderId: 'NILE', content })
  const kept = async () => ((await (await fetch(`${at.http}/_sim/messages`)).json()) as Kept).messages
  const mode = (name: string) =>
    fetch(`${at.http}/_sim/switch`, { method: 'POST', body: JSON.stringify({ mode: name }) })

  it('are taken, arrive and are reported', async () => {
    const handed = await send('256772000031', '验证码 & 123456')
    const [one] = await kept()
    expect(one).toMatchObject({ phone: '256772000031', content: '验证码 & 123456', from: 'NILE', arrived: true })
    expect(handed).toEqual({ is: 'accepted', cost: kind === 'smpp' ? null : '35.00', vendorRef: one?.ref })
    await vi.waitFor(() => expect(reports).toHaveLength(1))
    expect(reports[0]).toEqual({ vendorRef: one?.ref, phone: '256772000031', state: 'delivered', reason: null })
  })

  it.each(['a'.repeat(160), 'Mkopo {€} '.repeat(40), '短信🙂'.repeat(60)])(
    'arrive whole, however long',
    async content => {
      expect((await send('256772000031', content)).is).toBe('accepted')
      expect(await kept()).toMatchObject([{ content }])
    },
  )

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

  it('are reported twice and in the wrong order, and never', async () => {
    expect((await send('256772000000')).is).toBe('accepted')
    expect((await send('256772000004')).is).toBe('accepted')
    const states = () => reports.map(({ state }) => state)
    await vi.waitFor(() => expect(states()).toEqual(['delivered', 'submitted', 'delivered']), 3_000)
    expect(reports.every(({ phone }) => phone === '256772000004')).toBe(true)
  })

  it('are answered with STOP', async () => {
    await send('256772000007')
    await vi.waitFor(() => expect(replies).toMatchObject([{ text: 'STOP' }]), 4_000)
    expect(replies[0]?.from.replace('+', '')).toBe('256772000007')
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
    await mode('ok')
    expect((await send('256772000031')).is).toBe('accepted')
  })

  it('are refused to a stranger', async () => {
    const text = { messageNo: 'MS', phone: '256772000031', senderId: 'NILE', content: 'x' }
    expect(await as('guessed').send(text)).toEqual({ is: 'refused', reason: 'vendor_error' })
  })

  it('are offered again where nobody listens', async () => {
    const nowhere = as('key', { http: 'http://127.0.0.1:7199', smpp: 7199 })
    const text = { messageNo: 'MS', phone: '256772000031', senderId: 'N', content: 'x' }
    expect((await nowhere.send(text)).is).toBe('later')
  })

  it('are still known after the vendor was killed, and go on when it is back', async () => {
    await send('256772000031')
    const place = at
    await stop()
    const child = await start(null, place.smpp)
    stop = () => end(child)
    expect(await kept()).toMatchObject([{ phone: '256772000031', arrived: true }])
    const again = as('key')
    expect((await again.send({ messageNo: 'MSb', phone: '256772000033', senderId: 'N', content: 'x' })).is).toBe(
      'accepted',
    )
  })
})

describe('a line by SMPP', () => {
  it('is opened again when it breaks, tells what became of a text, and brings again what was not stored', async () => {
    const customers = JSON.stringify([{ username: 'nile', apiKey: 'key', reportUrl: null }])
    const env = { PORT: '0', SMPP_PORT: '0', DATA_DIR: freshDir(), CUSTOMERS: customers, SIM_SPEED: '20' }
    const { child, line: said } = await startProcess('simulator-sms', env)
    const { listening, smpp: port } = JSON.parse(said) as { listening: number; smpp: number }
    const heard: Heard[] = []
    let refuses = 1
    const hear = async (one: Heard) => {
      if (refuses-- > 0) throw new Error('the database is away')
      heard.push(one)
    }
    const line = new SmppLine(
      { host: '127.0.0.1', port, systemId: 'nile', password: 'key', timeoutMs: 700, enquireMs: 100 },
      hear,
    )
    const vendor = smppVendor({ line, hear })
    vendor.hold?.()
    const text = { phone: '256772000031', senderId: 'NILE', content: 'x' }
    const handed = await vendor.send({ messageNo: 'MS1', ...text })
    if (handed.is !== 'accepted') throw new Error(handed.is)
    await vi.waitFor(() => expect(heard).toMatchObject([{ receipt: { status: 'DELIVRD' } }]), 3_000)
    expect(await vendor.query?.({ messageNo: 'MS1', vendorRef: handed.vendorRef, ...text })).toMatchObject({
      ...{ is: 'found', report: { state: 'delivered', vendorRef: handed.vendorRef } },
    })
    await fetch(`http://127.0.0.1:${listening}/_sim/switch`, { method: 'POST', body: '{"mode":"down"}' })
    expect((await vendor.send({ messageNo: 'MS2', ...text })).is).toBe('unknown')
    await fetch(`http://127.0.0.1:${listening}/_sim/switch`, { method: 'POST', body: '{"mode":"ok"}' })
    await vi.waitFor(() => expect(line.isOpen).toBe(true), 4_000)
    expect((await vendor.send({ messageNo: 'MS3', ...text })).is).toBe('accepted')
    vendor.close?.()
    await end(child)
  })

  it('leads into no network of ours', async () => {
    const lookup: LookupFunction = (_host, _options, found) =>
      found(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), '', 0)
    const access = { host: '127.0.0.1', port: 7199, systemId: 'nile', password: 'key', lookup }
    const line = new SmppLine(access, async () => undefined)
    const vendor = smppVendor({ line, hear: async () => undefined })
    expect(await vendor.send({ messageNo: 'MS1', phone: '256772000031', senderId: 'N', content: 'x' })).toEqual({
      ...{ is: 'refused', reason: 'vendor_error' },
    })
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
