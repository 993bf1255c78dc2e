import type { IncomingMessage, Server } from 'node:http'

/** What one connection may take of the server; times in milliseconds. */
export type Limits = {
  /** Until the last header of a request has come. */
  headersMs: number
  /** A body in transit brings at least `paceBytes` in each period of `paceMs`. */
  paceMs: number
  paceBytes: number
  /** Until the whole of a request has come, however fast. */
  requestMs: number
  /** A connection without a request is closed after so long. */
  idleMs: number
  sockets: number
}

/** The limits of production. */
export const limits: Limits = {
  headersMs: 10_000,
  paceMs: 10_000,
  paceBytes: 10_240,
  requestMs: 300_000,
  idleMs: 60_000,
  sockets: 2_000,
}

/** How often Node looks for requests that are late. */
export const checkEveryMs = 1_000

/** Ends a connection whose body trickles: it would hold a socket indefinitely. */
const keepPace = (request: IncomingMessage, { paceMs, paceBytes }: Limits): void => {
  const { socket } = request
  let before = socket.bytesRead
  const timer = setInterval(() => {
    const waitsForUs = request.readableLength > 0
    if (request.complete || socket.destroyed) return
    if (!waitsForUs && socket.bytesRead - before < paceBytes) socket.destroy()
    before = socket.bytesRead
  }, paceMs)
  const stop = () => clearInterval(timer)
  request.once('end', stop).once('close', stop)
}

/** Applies the limits to a server: slow senders, silent connections, too many sockets. */
export const limitConnections = (server: Server, given: Limits = limits): void => {
  server.headersTimeout = given.headersMs
  server.requestTimeout = given.requestMs
  server.keepAliveTimeout = given.idleMs
  server.maxConnections = given.sockets
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if ((length && length !== '0') || encoding) keepPace(request, given)
  })
}
