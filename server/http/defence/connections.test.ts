import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Limits, limitConnections, limits } from './connections.ts'

const quick: Limits = { headersMs: 150, paceMs: 150, paceBytes: 100, requestMs: 5_000, idleMs: 150, sockets: 3 }
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const served = async (given = quick) => {
  const server = createServer({ connectionsCheckingInterval: 20 }, async (request, response) => {
    let size = 0
    try {
      for await (const part of request) size += (part as Buffer).length
      response.end(String(size))
    } catch {
      response.destroy()
    }
  })
  limitConnections(server, given)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => void server.closeAllConnections() }, server)
  return (server.address() as AddressInfo).port
}

/** A connection that sends what it is given; `closed` says what was answered when the server ends it. */
const connect = (port: number) => {
  const socket = net.connect(port, '127.0.0.1')
  open.push({ close: () => socket.destroy() })
  let heard = ''
  socket.on('data', part => void (heard += part.toString()))
  const closed = new Promise<string>(resolve => socket.on('close', () => resolve(heard)).on('error', () => undefined))
  return { send: (text: string) => socket.write(text), closed, heard: () => heard }
}

it('closes a connection that sends no headers, or no end of them', async () => {
  const port = await served()
  const silent = connect(port)
  const slow = connect(port)
  slow.send('GET / HTTP/1.1\r\nHost: x\r\n')
  expect(await slow.closed).toContain('408')
  await silent.closed
})

it('closes a connection whose body trickles, and takes one that comes fast enough', async () => {
  const port = await served()
  const slow = connect(port)
  slow.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nab')
  expect(await slow.closed).toBe('')
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(50_000) })
  expect(await answer.text()).toBe('50000')
})

it('closes an idle connection after its answer', async () => {
  const port = await served()
  const kept = connect(port)
  kept.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await kept.closed).toContain('200 OK')
})

it('takes no more connections than it has places', async () => {
  const port = await served({ ...quick, headersMs: 60_000 })
  const held = [1, 2, 3].map(() => connect(port))
  for (const one of held) one.send('GET / HTTP/1.1\r\nHost: x\r\n')
  await expect
    .poll(async () => {
      const one = connect(port)
      one.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      return one.closed
    })
    .toBe('')
})

it('gives ten seconds and two thousand places', () => {
  expect(limits).toMatchObject({ headersMs: 10_000, paceMs: 10_000, sockets: 2_000 })
})
