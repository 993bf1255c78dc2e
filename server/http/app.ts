import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { codes } from '../../core/contract/codes.ts'
import { endpoints } from '../../core/contract/contract.ts'
import { base, type Endpoint } from '../../core/contract/endpoint.ts'
import { text } from '../../core/i18n/server.ts'
import type { Database } from '../db/database.ts'
import { admitter } from '../embed/admit.ts'
import { isAtPartner, partnerOrigins } from '../embed/cors.ts'
import { faultPoint } from '../fault-point.ts'
import type { Log } from '../log.ts'
import { isAllowed } from '../rights/rights.ts'
import type { Session } from '../session/session.ts'
import { attachment } from './attachment.ts'
import { type ClientAddress, clientAddress } from './defence/client-address.ts'
import { envelope, refusal } from './envelope.ts'
import { Fault } from './fault.ts'
import { type Claim, hashOf, isKey } from './idempotency.ts'
import { inputOf } from './input.ts'
import { newRequestId, spokenIn } from './request.ts'
import { type Reply, runner } from './runner.ts'
import type { Call, Request, Served } from './serve.ts'

/** What the API is built from. Tests give their own `served`; `expected` defaults to the whole contract. */
export type AppOptions = {
  db: Database
  log: Log
  served: readonly Served[]
  expected?: readonly { name: string; endpoint: Endpoint }[]
  /** Without one the address is that of the socket. */
  clientAddress?: ClientAddress
  observe?: (name: string, code: number, seconds: number) => void
}

const maxBody = 1024 * 1024
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

const codeOf = (answered: Reply): number =>
  'file' in answered || 'location' in answered
    ? codes.ok
    : Number(/^\{"code":(-?\d+)/.exec(answered.body)?.[1] ?? codes.ok)

const socketOf = (c: Context) =>
  (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket

/** Every endpoint has exactly one handler. @throws at the start of the server */
const checkServed = (served: readonly Served[], expected: readonly { name: string; endpoint: Endpoint }[]): void => {
  const byEndpoint = new Map(served.map(one => [one.endpoint, one]))
  const missing = expected.filter(({ endpoint }) => !byEndpoint.has(endpoint)).map(({ name }) => name)
  if (missing.length || served.length !== byEndpoint.size)
    throw new Error(
      `endpoints without a handler or with two: ${missing.join(', ') || served.map(one => one.endpoint.path).join(', ')}`,
    )
}

/** What one has to do before anything else; a first password is changed before. */
const beforePassword = ['/user/changePwd', '/user/signOut', '/user/self']

/** Lets a caller in, or refuses. */
const admitting = (db: Database) => {
  const admit = admitter(db)
  return async ({ endpoint }: Served, request: Request): Promise<Session | undefined> => {
    const session = endpoint.auth === 'staff' ? await admit(request, endpoint) : undefined
    if (!session && request.atPartner) throw new Fault('forbidden', 'errors.embedOutside')
    if (session && !isAllowed(session, endpoint)) throw new Fault('forbidden', 'errors.forbidden')
    if (session?.passwordUpdateStatus === 1 && !beforePassword.includes(endpoint.path))
      throw new Fault('forbidden', 'errors.passwordFirst')
    return session
  }
}

/** The key of a command, which every one of them has. */
const keyOf = (endpoint: Endpoint, session: Session, request: Request): Claim | null => {
  if (!endpoint.audit) return null
  const given = request.headers.get('idempotency-key') ?? undefined
  if (!isKey(given)) throw new Fault('validation', 'errors.keyMissing')
  return { caller: session.userNo, key: given, endpoint: endpoint.path, bodyHash: hashOf(request.body) }
}

/** Runs the handler of an endpoint as its kind is run. */
const answering = (db: Database, log: Log) => {
  const { once, each, worked, download, fetch, lead } = runner({ db, log })
  const admitted = admitting(db)
  /** The signature comes first, then what was sent. */
  const signed = async (one: Extract<Served, { kind: 'signed' }>, request: Request, c: Context): Promise<Reply> => {
    const { endpoint } = one
    try {
      const signer = await db.read(tx => one.signer(tx, request))
      const input = inputOf(c, endpoint, request.body)
      const { slow } = one
      if (!slow)
        return await once(endpoint, { request, input }, null, call => one.handle(call, signer as never, null as never))
      const work = {
        endpoint,
        before: (call: Call<never>) => slow.before(call, signer as never),
        work: slow.work,
        handle: (call: Call<never>, done: never) => one.handle(call, signer as never, done),
      }
      return await worked(work, { request, input }, null)
    } catch (error) {
      await db
        .withTx(async tx => one.refused?.(tx, request, error))
        .catch((err: unknown) => log.error({ err, requestId: request.requestId }, 'a refusal was not noted'))
      throw error
    }
  }
  return async (one: Served, request: Request, c: Context): Promise<Reply> => {
    const { endpoint } = one
    const session = await admitted(one, request)
    if (one.kind === 'signed') return signed(one, request, c)
    const input = inputOf(c, endpoint, request.body)
    if (one.kind === 'work' && endpoint.auth === 'anon') return worked(one, { request, input }, null)
    if (one.kind === 'publicFile') return fetch(one, { request, input })
    if (one.kind === 'publicLink') return lead(one, { request, input })
    if (one.kind === 'public')
      return once(endpoint, { request, input }, null, one.handle as (call: Call<never>) => Promise<unknown>)
    if (!session) throw new Error(`${endpoint.path} needs a session`)
    const key = keyOf(endpoint, session, request)
    if (one.kind === 'file') return download(one, { session, request, input })
    if (one.kind === 'each') return each(one, { session, request, input }, key as Claim)
    if (one.kind === 'work') return worked(one, { session, request, input }, key)
    return once(endpoint, { session, request, input }, key, one.handle)
  }
}

type Serving = Pick<AppOptions, 'log' | 'observe'> & {
  answerTo: ReturnType<typeof answering>
  addressOf: ClientAddress
}
type Status = 200 | 429 | 500

const requestOf = async (c: Context, endpoint: Endpoint, addressOf: ClientAddress): Promise<Request> => ({
  requestId: newRequestId(c.req.header('x-request-id')),
  ip: addressOf(socketOf(c)?.remoteAddress, c.req.header('x-forwarded-for') ?? null),
  browser: c.req.header('user-agent') ?? null,
  language: spokenIn(c.req.raw.headers),
  headers: c.req.raw.headers,
  stream: endpoint.bytes ? c.req.raw.body : null,
  atPartner: isAtPartner(c),
  arrived: Date.now(),
  body: endpoint.method === 'GET' || endpoint.bytes ? '' : await c.req.text(),
})

/** An answer to what went wrong: a refusal in the words of the caller, or that something unexpected happened. */
const replyTo = (
  error: unknown,
  endpoint: Endpoint,
  request: Request,
  log: Log,
): { answered: Reply; status: Status } => {
  if (error instanceof Fault) {
    const status = endpoint.foreign && error.code === codes.tooMany ? 429 : 200
    return { status, answered: { body: JSON.stringify(refusal(request.language, error)), replayed: false } }
  }
  log.error({ err: error, requestId: request.requestId, path: endpoint.path }, 'unexpected')
  const words = text(request.language, 'errors.internal', { id: request.requestId })
  return { status: 500, answered: { body: JSON.stringify(envelope(codes.internal, words, null)), replayed: false } }
}

const handlerOf = (one: Served, { answerTo, addressOf, log, observe }: Serving) => {
  const { endpoint } = one
  return async (c: Context) => {
    const started = performance.now()
    await faultPoint('call', endpoint.path)
    const request = await requestOf(c, endpoint, addressOf)
    const { answered, status } = await answerTo(one, request, c).then(
      given => ({ answered: given, status: 200 as Status }),
      (error: unknown) => replyTo(error, endpoint, request, log),
    )
    await faultPoint('before-answer')
    observe?.(endpoint.path, status === 500 ? codes.internal : codeOf(answered), (performance.now() - started) / 1000)
    if ('location' in answered) return c.body(null, 302, { ...headers, location: answered.location })
    if ('file' in answered) return attachment(c, answered.file, { ...headers, 'x-request-id': request.requestId })
    const packed = await packedFor(c, answered.body)
    return c.body(packed.body, status, {
      ...headers,
      ...packed.headers,
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': request.requestId,
      ...(answered.replayed ? { 'idempotent-replayed': 'true' } : {}),
    })
  }
}

const gzipped = promisify(gzip)
/** Answers from this length on are compressed for who takes it. */
const packedFrom = 1_400
const takesGzip = /(^|[\s,])(gzip|\*)\s*(?!;\s*q=0(\.0*)?\s*(,|$))/i

/** The body as it goes out: compressed in one piece where the caller takes that, off this thread. */
const packedFor = async (c: Context, body: string) => {
  const accepted = c.req.header('accept-encoding')
  if (body.length < packedFrom || !accepted || !takesGzip.test(accepted))
    return { body, headers: { 'content-length': String(Buffer.byteLength(body)) } }
  const packed = await gzipped(body)
  const headers = { 'content-length': String(packed.length), 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
  return { body: new Uint8Array(packed), headers }
}

const tooLarge = (c: Context) =>
  c.json(envelope(codes.validation, text(spokenIn(c.req.raw.headers), 'errors.tooLarge'), null), 413, headers)
/** Refuses bodies above a size: by the length that they state, which the socket holds them to, else while they are read. */
const limited = (maxSize: number): MiddlewareHandler => {
  const counted = bodyLimit({ maxSize, onError: tooLarge })
  return async (c, next) => {
    const stated = c.req.header('content-length')
    if (stated === undefined || c.req.header('transfer-encoding') !== undefined) return counted(c, next)
    return Number.parseInt(stated, 10) > maxSize ? tooLarge(c) : next()
  }
}

/** The HTTP side of the contract: every endpoint has exactly one handler, every answer is an envelope. */
export const createApp = ({
  db,
  log,
  served,
  expected = endpoints,
  clientAddress: addressOf = clientAddress([]),
  observe,
}: AppOptions): Hono => {
  checkServed(served, expected)
  const serving: Serving = { answerTo: answering(db, log), addressOf, log, observe }
  const app = new Hono()
  app.use(`${base}/*`, partnerOrigins(db))
  const json = limited(maxBody)
  const takesBytes = served
    .filter(one => one.endpoint.bytes)
    .map(one => new RegExp(`^${base}${one.endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`))
  app.use(`${base}/*`, (c, next) => (takesBytes.some(path => path.test(c.req.path)) ? next() : json(c, next)))
  for (const one of served) {
    const { endpoint } = one
    const path = `${base}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`
    if (endpoint.bytes) app.use(path, limited(endpoint.bytes))
    if (endpoint.foreign) app.use(path, limited(endpoint.foreign.maxBody))
    app.on(endpoint.foreign ? ['POST', 'PUT'] : [endpoint.method], path, handlerOf(one, serving))
  }
  app.all(`${base}/*`, c =>
    c.json(envelope(codes.notFound, text(spokenIn(c.req.raw.headers), 'errors.noSuchCall'), null), 404, headers),
  )
  return app
}
