import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { GatewayUnavailable } from './gateway.ts'
import type { MtnConfig } from './mtn-client.ts'
import { mtnMomo } from './mtn-momo.ts'
import { mtnMomoCollection } from './mtn-momo-collection.ts'

type Answer = { status: number; body?: unknown }
type Call = { method: string; path: string; headers: Headers; body: string }

const config: MtnConfig = {
  baseUrl: 'http://momo.test',
  subscriptionKey: 'key',
  apiUser: 'user',
  apiKey: 'secret',
  targetEnvironment: 'mtnuganda',
  callbackUrl: 'http://us.test/callback/pay/mtn_momo',
}
const ref = '0b9d1f0c-4f5e-4d3a-9a51-0a6a1f3f8c11'
const attempt = {
  externalId: 'LC1-1',
  gatewayRef: ref,
  amount: '120000.00',
  payee: { walletAccount: '256772000031' },
  payerMessage: 'Loan LC1',
}

/** A network with scripted answers; tokens are numbered and every call is kept. */
const network = (answer: (call: Call) => Answer, token: (n: number) => Answer | undefined = () => undefined) => {
  const calls: Call[] = []
  let tokens = 0
  const fake: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const call: Call = {
      method: init?.method ?? 'GET',
      path: url.pathname,
      headers: new Headers(init?.headers),
      body: String(init?.body ?? ''),
    }
    calls.push(call)
    const asksToken = call.path.endsWith('/token/')
    if (asksToken) tokens += 1
    const given = asksToken
      ? (token(tokens) ?? { status: 200, body: { access_token: `t${tokens}`, expires_in: 3600 } })
      : answer(call)
    return new Response(given.body === undefined ? null : JSON.stringify(given.body), { status: given.status })
  }
  return {
    fetch: fake,
    calls,
    paths: () => calls.map(call => `${call.method} ${call.path}`),
    tokens: () => tokens,
    seen: (path: string) => calls.filter(call => call.path.includes(path)),
  }
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})
const realServer = async (server: Server): Promise<string> => {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('what goes over the wire', () => {
  it('is the transfer of the provider', async () => {
    const net = network(() => ({ status: 202 }))
    await mtnMomo(config, { fetch: net.fetch }).send({ ...attempt, payerMessage: `Sarah's loan ${'x'.repeat(200)}` })
    expect(net.paths()).toEqual(['POST /disbursement/token/', 'POST /disbursement/v1_0/transfer'])
    const [token, transfer] = net.calls
    expect(token?.headers.get('authorization')).toBe(`Basic ${btoa('user:secret')}`)
    expect(token?.headers.get('ocp-apim-subscription-key')).toBe('key')
    expect(Object.fromEntries(transfer?.headers ?? [])).toMatchObject({
      authorization: 'Bearer t1',
      'ocp-apim-subscription-key': 'key',
      'x-reference-id': ref,
      'x-target-environment': 'mtnuganda',
      'x-callback-url': config.callbackUrl,
      'content-type': 'application/json',
    })
    const message = `Sarahs loan ${'x'.repeat(148)}`
    expect(JSON.parse(transfer?.body ?? '')).toEqual({
      amount: '120000',
      currency: 'UGX',
      externalId: 'LC1-1',
      payee: { partyIdType: 'MSISDN', partyId: '256772000031' },
      payerMessage: message,
      payeeNote: message,
    })
    expect(message).toHaveLength(160)
  })

  it('is the request to pay of the provider, with the token of its own product', async () => {
    const net = network(() => ({ status: 202 }))
    expect(await mtnMomoCollection(config, { fetch: net.fetch }).requestToPay(ref, '256772000031', '5000.00')).toEqual({
      kind: 'accepted',
    })
    expect(net.paths()).toEqual(['POST /collection/token/', 'POST /collection/v1_0/requesttopay'])
    expect(JSON.parse(net.calls[1]?.body ?? '')).toMatchObject({
      amount: '5000',
      externalId: ref,
      payer: { partyIdType: 'MSISDN', partyId: '256772000031' },
    })
  })

  it('never carries cents', async () => {
    const net = network(() => ({ status: 202 }))
    await expect(mtnMomo(config, { fetch: net.fetch }).send({ ...attempt, amount: '1000.50' })).rejects.toThrow(
      RangeError,
    )
    expect(net.calls).toEqual([])
  })
})

describe('the token', () => {
  it('is fetched once for many calls at a time', async () => {
    const net = network(() => ({ status: 200, body: { status: 'PENDING' } }))
    const gateway = mtnMomo(config, { fetch: net.fetch })
    await Promise.all([gateway.query(attempt), gateway.query(attempt), gateway.query(attempt)])
    expect(net.tokens()).toBe(1)
  })

  it('is renewed ten minutes before its end', async () => {
    let now = 0
    const net = network(() => ({ status: 200, body: { status: 'PENDING' } }))
    const gateway = mtnMomo(config, { fetch: net.fetch, now: () => now })
    await gateway.query(attempt)
    now = 49 * 60_000
    await gateway.query(attempt)
    expect(net.tokens()).toBe(1)
    now = 50 * 60_000
    await gateway.query(attempt)
    expect(net.tokens()).toBe(2)
  })

  it('that is refused is renewed once, and the same reference goes again', async () => {
    const net = network(call => (call.headers.get('authorization') === 'Bearer t1' ? { status: 401 } : { status: 202 }))
    expect(await mtnMomo(config, { fetch: net.fetch }).send(attempt)).toEqual({ kind: 'accepted' })
    expect(net.seen('/transfer').map(call => call.headers.get('x-reference-id'))).toEqual([ref, ref])
    expect(net.tokens()).toBe(2)
  })

  it('that is refused again means the channel is set up wrongly', async () => {
    for (const status of [401, 403]) {
      const net = network(() => ({ status, body: { message: 'Unauthorized' } }))
      expect(await mtnMomo(config, { fetch: net.fetch }).send(attempt)).toEqual({
        kind: 'failure',
        failType: 'config',
        answerCode: `HTTP_${status}`,
        answerMessage: 'Unauthorized',
      })
      expect(net.seen('/transfer')).toHaveLength(2)
    }
  })

  it('that is refused says nothing about a payout that is asked for', async () => {
    const net = network(() => ({ status: 401 }))
    expect(await mtnMomo(config, { fetch: net.fetch }).query(attempt)).toEqual({ kind: 'none', reason: 'http 401' })
  })

  it('that is not given at all means the same, and nothing is sent', async () => {
    const net = network(
      () => ({ status: 202 }),
      () => ({ status: 401, body: { error: 'login_failed' } }),
    )
    expect(await mtnMomo(config, { fetch: net.fetch }).send(attempt)).toMatchObject({
      failType: 'config',
      answerMessage: 'login_failed',
    })
    expect(net.seen('/transfer')).toEqual([])
  })

  it.each([
    { status: 500 },
    { status: 200, body: {} },
    { status: 200, body: { access_token: 'x', expires_in: 'soon' } },
  ])('that cannot be read leaves all unknown: %j', async answer => {
    const net = network(
      () => ({ status: 202 }),
      () => answer,
    )
    expect(await mtnMomo(config, { fetch: net.fetch }).send(attempt)).toEqual({
      kind: 'none',
      reason: `token ${answer.status}`,
    })
  })
})

describe('a failure for want of money', () => {
  const balanceOf = (answer: Answer) =>
    network(call =>
      call.path.endsWith('/balance') ? answer : { status: 200, body: { status: 'FAILED', reason: 'NOT_ENOUGH_FUNDS' } },
    )

  it.each([
    ['119999', 'our_balance'],
    ['120000', 'payee_limit'],
  ])('with %s on our account is %s', async (availableBalance, failType) => {
    const net = balanceOf({ status: 200, body: { availableBalance, currency: 'UGX' } })
    expect(await mtnMomo(config, { fetch: net.fetch }).query(attempt)).toMatchObject({ kind: 'failure', failType })
  })

  it('stays a failure of no known type when the balance is not stated', async () => {
    const net = balanceOf({ status: 500 })
    expect(await mtnMomo(config, { fetch: net.fetch }).query(attempt)).toMatchObject({
      kind: 'failure',
      failType: 'other',
    })
  })
})

describe('reads that move nothing', () => {
  it.each([500, 401, 200])('throw when the network answers %i without a body', async status => {
    const gateway = mtnMomo(config, { fetch: network(() => ({ status })).fetch })
    await expect(gateway.balance()).rejects.toThrow(GatewayUnavailable)
    await expect(gateway.verifyHolder('256772000031')).rejects.toThrow(GatewayUnavailable)
  })

  it('throw for a balance in another currency', async () => {
    const net = network(() => ({ status: 200, body: { availableBalance: '5', currency: 'EUR' } }))
    await expect(mtnMomo(config, { fetch: net.fetch }).balance()).rejects.toThrow('balance: http 200')
  })
})

describe('a bad line', () => {
  const withToken = (rest: Parameters<typeof createServer>[1]) =>
    createServer((request, response) => {
      if (request.url?.endsWith('/token/')) response.end(JSON.stringify({ access_token: 't', expires_in: 3600 }))
      else rest?.(request, response)
    })

  it('that never answers is unknown after the time-out', async () => {
    const baseUrl = await realServer(withToken(() => undefined))
    const gateway = mtnMomo({ ...config, baseUrl }, { timeoutMs: 150 })
    expect(await gateway.send(attempt)).toEqual({ kind: 'none', reason: 'timeout' })
    expect(await gateway.query(attempt)).toEqual({ kind: 'none', reason: 'timeout' })
  })

  it('that stops in the middle of an answer is unknown', async () => {
    const baseUrl = await realServer(
      withToken((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' })
        response.write('{"status": "FAI')
        setImmediate(() => response.destroy())
      }),
    )
    expect(await mtnMomo({ ...config, baseUrl }).query(attempt)).toMatchObject({ kind: 'none' })
  })

  it('that is not there is unknown', async () => {
    const baseUrl = await realServer(createServer())
    for (const server of servers.splice(0)) await new Promise(resolve => server.close(resolve))
    const gateway = mtnMomo({ ...config, baseUrl })
    expect(await gateway.send(attempt)).toEqual({ kind: 'none', reason: 'token ECONNREFUSED' })
    await expect(gateway.balance()).rejects.toThrow('balance: token ECONNREFUSED')
  })

  it('is not followed elsewhere', async () => {
    const baseUrl = await realServer(
      withToken((_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()),
    )
    expect(await mtnMomo({ ...config, baseUrl }).send(attempt)).toEqual({ kind: 'none', reason: 'http 302' })
  })
})
