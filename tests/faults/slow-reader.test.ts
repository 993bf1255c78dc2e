import fs from 'node:fs'
import type { Server } from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { attachment } from '../../server/http/attachment.ts'

const megabyte = 1024 * 1024
const size = 300 * megabyte

it('X33: thirty readers of a large file who read nothing for a while cost no memory, and one who reads it gets all of it', async () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'mkopo-slow-'))
  const file = path.join(directory, 'export.csv')
  fs.writeFileSync(file, '')
  fs.truncateSync(file, size)
  const app = new Hono()
  app.get('/file', c => attachment(c, { path: file, name: 'export.csv', type: 'text/csv', size }, {}))
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  const served: net.Socket[] = []
  server.on('connection', socket => served.push(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const before = process.memoryUsage().rss

  const readers = Array.from({ length: 30 }, () => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('GET /file HTTP/1.1\r\nhost: a\r\n\r\n'))
    socket.pause()
    return socket
  })
  const grown = () => process.memoryUsage().rss - before
  /** Bytes given to each reader, sent or held for it. */
  const given = () => served.map(socket => socket.bytesWritten)
  let seen: number[] = []
  const stand = () => {
    const [last, now] = [seen, given()]
    seen = now
    return now.length === readers.length && now.every((bytes, at) => bytes > 0 && bytes === last[at])
  }
  await expect.poll(stand, { timeout: 60_000, interval: 250 }).toBe(true)
  expect(grown()).toBeLessThan(150 * megabyte)

  const response = await fetch(`http://127.0.0.1:${port}/file`)
  let got = 0
  for await (const chunk of response.body as ReadableStream<Uint8Array>) got += chunk.length
  expect(got).toBe(size)
  expect(grown()).toBeLessThan(250 * megabyte)

  for (const reader of readers) reader.destroy()
  server.close()
  server.closeAllConnections()
  fs.rmSync(directory, { recursive: true, force: true })
})
