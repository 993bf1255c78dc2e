import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { eatDate } from '../../core/rules/time.ts'
import { airtimeVendor } from '../gateways/airtime/airtime-vendor.ts'
import type { PayoutGateway } from '../gateways/gateway.ts'
import { openAirtimeVendor } from './airtime/vendor.ts'
import { serveRoutes } from './network/http.ts'
import { freshDir } from './testing.ts'

let dir: string
let vendor: PayoutGateway
let heard: string[]
let stop: () => void

/** A server at a free port. */
const serving = async (handler: Parameters<typeof createServer>[1]) => {
  const server = createServer(handler)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const start = async () => {
  const ours = await serving((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const claim = vendor.parseCallback({}, body)?.claim
      if (claim) heard.push(claim)
      response.end('{}')
    })
  })
  const given = { dir, apiKey: 'key', callbackUrl: ours.url, speed: 20, openingBalance: 50_000, holdMs: 60_000 }
  const simulator = openAirtimeVendor(given)
  const theirs = await serving(serveRoutes(simulator.routes))
  vendor = airtimeVendor({ baseUrl: theirs.url, apiKey: 'key' }, { timeoutMs: 500 })
  stop = () => {
    for (const one of [ours, theirs, simulator]) one.close()
  }
}

beforeEach(async () => {
  dir = freshDir()
  heard = []
  await start()
})
afterEach(() => stop())

const attempt = (phone: string, n = 1) => ({
  externalId: `PB${phone}-${n}`,
  gatewayRef: `key-${phone}-${n}`,
  amount: '10000.00' as const,
  payee: { walletAccount: phone },
  payerMessage: '',
})

it('delivers once under one key, says so, and shows it on the statement', async () => {
  const order = attempt('256772000031')
  expect(await vendor.send(order)).toEqual({ kind: 'accepted' })
  await vendor.send(order)
  await vi.waitFor(async () => expect(await vendor.query(order)).toMatchObject({ kind: 'success', amount: '10000.00' }))
  await vi.waitFor(() => expect(heard).toEqual(['success']))
  expect(await vendor.balance()).toBe('40000.00')
  const said = await vendor.statement?.(eatDate(new Date()))
  expect(said).toMatchObject({ opening: '50000.00', closing: '40000.00', lines: [{ reference: order.externalId }] })
})

it('refuses a phone, and what the float does not cover', async () => {
  const order = attempt('256772000039')
  expect(await vendor.send(order)).toEqual({ kind: 'accepted' })
  await vi.waitFor(async () => expect(await vendor.query(order)).toMatchObject({ failType: 'payee_invalid' }))
  const large = { ...attempt('256772000031'), amount: '60000.00' as const }
  expect(await vendor.send(large)).toMatchObject({ kind: 'failure', failType: 'our_balance' })
})

it('is silent: about what it delivered all the same, and about what it lost', async () => {
  const [delivered, lost] = [attempt('256772000037'), attempt('256772000038')]
  expect(await vendor.send(delivered)).toEqual({ kind: 'none', reason: 'timeout' })
  expect(await vendor.send(lost)).toEqual({ kind: 'none', reason: 'timeout' })
  await vi.waitFor(async () => expect((await vendor.query(delivered)).kind).toBe('success'))
  expect(await vendor.query(lost)).toEqual({ kind: 'notFound' })
})

it('knows after a restart what it delivered', async () => {
  const order = attempt('256772000031')
  await vendor.send(order)
  await vi.waitFor(async () => expect((await vendor.query(order)).kind).toBe('success'))
  stop()
  await start()
  expect((await vendor.query(order)).kind).toBe('success')
  expect(await vendor.balance()).toBe('40000.00')
})

it('lets nobody in without the key', async () => {
  const url = (await serving(serveRoutes([]))).url
  expect((await airtimeVendor({ baseUrl: url, apiKey: 'x' }).query(attempt('256772000031'))).kind).toBe('none')
})
