import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import { codes } from '../core/contract/codes.ts'
import { endpoints } from '../core/contract/contract.ts'
import { base, type Endpoint, type Envelope } from '../core/contract/endpoint.ts'
import { masked } from '../core/contract/masking.ts'
import type { Language } from '../core/i18n/language.ts'
import { isKey as isText, text } from '../core/i18n/server.ts'
import { attachment } from './attachment.ts'
import { writeAudit } from './audit-rows.ts'
import type { Database, Tx } from './db/database.ts'
import { isLockTimeout, isUnstorable, TransactionConflict } from './db/faults.ts'
import { admitter } from './embed/admit.ts'
import { isAtPartner, partnerOrigins } from './embed/cors.ts'
import { Fault } from './fault.ts'
import { faultPoint } from './fault-point.ts'
import { type Claim, claim, finish, hashOf, isKey, resume } from './idempotency.ts'
import type { Log } from './log.ts'
import { newRequestId, spokenIn } from './request.ts'
import { checked, isAllowed, provenIn } from './rights.ts'
import { type Audit, type Call, type Download, type Request, type Served, tally } from './serve.ts'
import { actorOf, type Session } from './session.ts'
import { explain } from './validation.ts'

export type AppOptions = {
  db: Database
  log: Log
  served: readonly Served[]
  expected?: readonly { name: string; endpoint: Endpoint }[]
  observe?: (name: string, code: number, seconds: number) => void
}

type Answered = { body: string; replayed: boolean }
type Told = Answered | { file: Download }

/** Refusals that are not kept under a key: the same call may yet succeed. */
export const notKept: ReadonlySet<number> = new Set([
  codes.keyReused,
  codes.keyRunning,
  codes.needsConfirmation,
  codes.stepUp,
])
const rowOutput = z.object({})
const maxBody = 2 * 1024 * 1024
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

const say = (language: Language, fault: Fault): string => {
  const params = Object.fromEntries(
    Object.entries(fault.params).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(value) ? text(language, value) : value,
    ]),
  )
  return text(language, fault.key, params)
}

const envelope = (code: number, msg: string, data: unknown): Envelope => ({ code, msg, data })

const refusal = (language: Language, fault: Fault): Envelope => {
  const data = fault.data as {
    fields?: { path: string; key: Parameters<typeof text>[1]; params: Record<string, string | number> }[]
  } | null
  const placed = data?.fields?.map(({ path, key, params }) => ({ path, msg: text(language, key, params) }))
  return envelope(fault.code, say(language, fault), placed ? { fields: placed } : fault.data)
}

/** The one character that no text of the database can hold, as JSON writes it. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/

/** What the caller sent: the JSON body of a command, the path and query of a read. Broken JSON is a fault of its own. */
const rawInput = (c: Context, endpoint: Endpoint, body: string): unknown => {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const fromPath = Object.fromEntries(inPath.map(name => [name, c.req.param(name)]))
  const isPost = endpoint.method === 'POST'
  const fromQuery = isPost ? {} : c.req.query()
  if (nul.test(body) || [...Object.values(fromPath), ...Object.values(fromQuery)].some(value => value?.includes('\0')))
    throw new Fault('validation', 'validation.wrongValue')
  if (!isPost) return { ...fromQuery, ...fromPath }
  if (!body) return fromPath
  try {
    const value: unknown = JSON.parse(body)
    return value && typeof value === 'object' && !Array.isArray(value) ? { ...value, ...fromPath } : value
  } catch {
    throw new Fault('validation', 'errors.brokenJson')
  }
}

const codeOf = (answered: Told): number =>
  'file' in answered ? codes.ok : Number(/^\{"code":(-?\d+)/.exec(answered.body)?.[1] ?? codes.ok)

const parsed = (endpoint: Endpoint, raw: unknown): unknown => {
  const result = (endpoint.input as z.ZodType).safeParse(raw)
  if (result.success) return result.data
  throw explain(result.error.issues)
}

/** The HTTP side of the contract: every endpoint has exactly one handler, every answer is an envelope. */
export const createApp = ({ db, log, served, expected = endpoints, observe }: AppOptions): Hono => {
  const admit = admitter(db)
  const byEndpoint = new Map(served.map(one => [one.endpoint, one]))
  const missing = expected.filter(({ endpoint }) => !byEndpoint.has(endpoint)).map(({ name }) => name)
  if (missing.length || served.length !== byEndpoint.size)
    throw new Error(
      `endpoints without a handler or with two: ${missing.join(', ') || served.map(one => one.endpoint.path).join(', ')}`,
    )

  /** Keeps a refusal under the key of its command, so that the same call is answered the same; what may yet succeed is not kept. */
  const kept = async (request: Request, key: Claim | null, error: unknown): Promise<Answered> => {
    if (isLockTimeout(error) || error instanceof TransactionConflict) throw new Fault('stateConflict', 'errors.busy')
    const fault = isUnstorable(error) ? new Fault('validation', 'validation.wrongValue') : error
    if (fault !== error) log.warn({ err: error, requestId: request.requestId }, 'a value cannot be stored')
    if (!(fault instanceof Fault) || !key || notKept.has(fault.code)) throw fault
    const body = JSON.stringify(refusal(request.language, fault))
    return db.withTx(async tx => {
      const stored = await resume(tx, key)
      if (stored) return { body: stored, replayed: true }
      await finish(tx, key, body)
      return { body, replayed: false }
    })
  }

  /** Runs one handler in one transaction with its audit rows; for a command the answer is kept under its key. */
  const once = async (
    endpoint: Endpoint,
    held: { session?: Session; request: Request; input: unknown },
    key: Claim | null,
    handle: (call: Call<never>) => Promise<unknown>,
  ): Promise<Answered> => {
    const { session, request } = held
    const inList = 'row' in endpoint
    const finished = (answer: unknown) =>
      JSON.stringify(
        envelope(
          codes.ok,
          text(request.language, 'errors.ok'),
          masked(endpoint.output, { inList, desensitized: session?.desensitized ?? true }, answer) ?? null,
        ),
      )
    const run = async (tx: Tx) => {
      const stored = key && (await claim(tx, key))
      if (stored) return { body: stored, replayed: true }
      const lines: Audit[] = []
      const actor = session
        ? actorOf(session, request)
        : { no: 'anonymous', name: 'anonymous', requestId: request.requestId, ip: request.ip }
      const call = {
        input: held.input,
        tx,
        session,
        actor,
        request,
        audit: (line: Audit) => void lines.push(line),
        proven: provenIn(tx, held),
      } as unknown as Call<never>
      await checked(endpoint, call)
      const answer = await handle(call)
      if (endpoint.audit)
        writeAudit(tx, { action: endpoint.audit, path: endpoint.path, actor: (call as Call).actor }, lines)
      const body = answer instanceof Fault ? JSON.stringify(refusal(request.language, answer)) : finished(answer)
      if (key) await Promise.all([finish(tx, key, body), tx.flush()])
      return { body, replayed: false }
    }
    try {
      return await (endpoint.audit || endpoint.writes || endpoint.method === 'POST' ? db.withTx(run) : db.read(run))
    } catch (error) {
      return kept(request, key, error)
    }
  }

  const each = async (
    one: Extract<Served, { kind: 'each' }>,
    held: { session: Session; request: Request; input: unknown },
    key: Claim,
  ): Promise<Answered> => {
    const { endpoint } = one
    const call = (tx: Tx) =>
      ({
        ...held,
        tx,
        actor: actorOf(held.session, held.request),
        audit: () => undefined,
        proven: provenIn(tx, held),
      }) as unknown as Call<never>
    let begun: { stored: string | null; prepared?: unknown }
    try {
      begun = await db.withTx(async tx => {
        const stored = await resume(tx, key)
        if (stored !== null) return { stored }
        await checked(endpoint, call(tx))
        return { stored, prepared: await one.prepare?.(call(tx)) }
      })
    } catch (error) {
      return kept(held.request, key, error)
    }
    if (begun.stored !== null) return { body: begun.stored, replayed: true }
    const { prepared } = begun
    const rows = []
    for (const id of one.ids(held.input as never, prepared as never)) {
      if (rows.length) await faultPoint('mid-batch')
      try {
        const answered = await once(
          { ...endpoint, stepUp: undefined, output: rowOutput },
          held,
          { ...key, key: `${key.key}#${id}` },
          async call => {
            await one.handle(id, call, prepared as never)
            return {}
          },
        )
        const { code, msg } = JSON.parse(answered.body) as Envelope
        rows.push({ id, code, msg })
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        if (error.code === codes.keyReused) throw error
        rows.push({ id, code: error.code, msg: say(held.request.language, error) })
      }
    }
    const body = JSON.stringify(envelope(codes.ok, text(held.request.language, 'errors.ok'), tally(rows)))
    await db.withTx(tx => finish(tx, key, body))
    return { body, replayed: false }
  }

  /** Looks and refuses, works with nothing held open, then notes what came of it. */
  const worked = async (
    one: Extract<Served, { kind: 'work' }>,
    held: { session: Session; request: Request; input: unknown },
    key: Claim | null,
  ): Promise<Answered> => {
    const call = (tx: Tx) =>
      ({ ...held, tx, actor: actorOf(held.session, held.request), audit: () => undefined }) as unknown as Call<never>
    let done: unknown
    try {
      const prepared = await db.withTx(tx => one.before(call(tx)))
      done = await one.work(prepared as never, held.request)
    } catch (error) {
      return kept(held.request, key, error)
    }
    return once(one.endpoint, held, key, ready => one.handle(ready, done as never))
  }

  /** Commits what the handler notes, then hands the file out. */
  const download = async (
    one: Extract<Served, { kind: 'file' }>,
    held: { session: Session; request: Request; input: unknown },
  ): Promise<Told> => {
    const actor = actorOf(held.session, held.request)
    const file = await db.withTx(tx => {
      const audit = (line: Audit) => writeAudit(tx, { action: one.action, path: one.endpoint.path, actor }, [line])
      return one.handle({ ...held, tx, actor, audit } as unknown as Call<never>)
    })
    return { file }
  }

  const answerTo = async (one: Served, request: Request, c: Context): Promise<Told> => {
    const { endpoint } = one
    const session = endpoint.auth === 'staff' ? await admit(request, endpoint) : undefined
    if (!session && request.atPartner) throw new Fault('forbidden', 'errors.embedOutside')
    if (session && !isAllowed(session, endpoint)) throw new Fault('forbidden', 'errors.forbidden')
    if (
      session?.passwordUpdateStatus === 1 &&
      !['/user/changePwd', '/user/signOut', '/user/self'].includes(endpoint.path)
    )
      throw new Fault('forbidden', 'errors.passwordFirst')
    const input = parsed(endpoint, rawInput(c, endpoint, request.body))
    if (one.kind === 'public')
      return once(endpoint, { request, input }, null, one.handle as (call: Call<never>) => Promise<unknown>)
    if (!session) throw new Error(`${endpoint.path} needs a session`)
    let key: Claim | null = null
    if (endpoint.audit) {
      const given = request.headers.get('idempotency-key') ?? undefined
      if (!isKey(given)) throw new Fault('validation', 'errors.keyMissing')
      key = { caller: session.userNo, key: given, endpoint: endpoint.path, bodyHash: hashOf(request.body) }
    }
    if (one.kind === 'file') return download(one, { session, request, input })
    if (one.kind === 'each') return each(one, { session, request, input }, key as Claim)
    if (one.kind === 'work') return worked(one, { session, request, input }, key)
    return once(endpoint, { session, request, input }, key, one.handle)
  }

  const app = new Hono()
  app.use(`${base}/*`, partnerOrigins(db))
  const tooLarge = (c: Context) =>
    c.json(envelope(codes.validation, text(spokenIn(c.req.raw.headers), 'errors.tooLarge'), null), 413, headers)
  const limited = (maxSize: number) => bodyLimit({ maxSize, onError: tooLarge })
  const json = limited(maxBody)
  const takesBytes = served
    .filter(one => one.endpoint.bytes)
    .map(one => new RegExp(`^${base}${one.endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`))
  app.use(`${base}/*`, (c, next) => (takesBytes.some(path => path.test(c.req.path)) ? next() : json(c, next)))
  for (const one of served) {
    const { endpoint } = one
    const handler = async (c: Context) => {
      const started = performance.now()
      await faultPoint('call', endpoint.path)
      const request: Request = {
        requestId: newRequestId(c.req.header('x-request-id')),
        ip:
          (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming?.socket
            ?.remoteAddress ?? null,
        browser: c.req.header('user-agent') ?? null,
        language: spokenIn(c.req.raw.headers),
        headers: c.req.raw.headers,
        stream: endpoint.bytes ? c.req.raw.body : null,
        atPartner: isAtPartner(c),
        body: endpoint.method === 'GET' || endpoint.bytes ? '' : await c.req.text(),
      }
      let status: 200 | 500 = 200
      let answered: Told
      try {
        answered = await answerTo(one, request, c)
      } catch (error) {
        if (error instanceof Fault)
          answered = { body: JSON.stringify(refusal(request.language, error)), replayed: false }
        else {
          status = 500
          log.error({ err: error, requestId: request.requestId, path: endpoint.path }, 'unexpected')
          answered = {
            body: JSON.stringify(
              envelope(codes.internal, text(request.language, 'errors.internal', { id: request.requestId }), null),
            ),
            replayed: false,
          }
        }
      }
      await faultPoint('before-answer')
      observe?.(endpoint.path, status === 200 ? codeOf(answered) : codes.internal, (performance.now() - started) / 1000)
      if ('file' in answered) return attachment(c, answered.file, { ...headers, 'x-request-id': request.requestId })
      return c.body(answered.body, status, {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(answered.body)),
        'x-request-id': request.requestId,
        ...(answered.replayed ? { 'idempotent-replayed': 'true' } : {}),
      })
    }
    const path = `${base}${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`
    if (endpoint.bytes) app.use(path, limited(endpoint.bytes))
    app.on(endpoint.path.startsWith('/callback/') ? ['POST', 'PUT'] : [endpoint.method], path, handler)
  }
  app.all(`${base}/*`, c =>
    c.json(envelope(codes.notFound, text(spokenIn(c.req.raw.headers), 'errors.noSuchCall'), null), 404, headers),
  )
  return app
}
