import { codes } from '../contract/codes.ts'
import type { Endpoint, Envelope, InputOf, OutputOf } from '../contract/endpoint.ts'
import { version } from '../element/version.ts'
import { CallError, ContractError, TransportError } from './errors.ts'
import { counted } from './loading.ts'

/** How to reach a server that implements the contract; header and field names may differ. */
export type Server = {
  baseUrl: string
  token: () => string | undefined
  language: () => string
  successCode?: number
  tokenHeader?: string
  authHeader?: string
  /** Milliseconds until a call is given up; 300000 by default. */
  timeout?: number
}

/** How a call is sent. */
export type CallOptions = {
  /** The idempotency key: the same for every retry of one command, so that it happens once. */
  key?: string
  signal?: AbortSignal
  /** The proof that a call which answered 40302 is sent again with. */
  proof?: string
  /** Not counted by the loading indicator. */
  background?: boolean
  /** Sends the request in place of `fetch`: with bytes, and telling how far they are. */
  send?: (url: string, init: RequestInit) => Promise<Response>
  /** Makes the same call again; the host gets it with the error. */
  retry?: () => void
}

/** When a command of this page last ended, with any outcome: reads from before it may be stale. */
export let lastCommand = 0

/** A new idempotency key: one per opened form, one per press of a button. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')

const addressOf = (
  server: Server,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): { url: string; rest: Record<string, unknown> } => {
  const rest = { ...input }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]))
    delete rest[name]
    return value
  })
  if (endpoint.method === 'POST') return { url: server.baseUrl + path, rest }
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  )
  return { url: `${server.baseUrl}${path}${query.size ? `?${query}` : ''}`, rest }
}

const headersOf = (server: Server, endpoint: Endpoint, options: CallOptions): Record<string, string> => {
  const token = server.token()
  const language = server.language()
  return {
    ...(endpoint.method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
    ...(token
      ? { [server.tokenHeader ?? 'token']: token, [server.authHeader ?? 'Authorization']: `Bearer ${token}` }
      : {}),
    language,
    'Accept-Language': language,
    'X-Request-Id': newKey(),
    'X-Mkopo-Version': version,
    ...(options.proof ? { 'X-Step-Up': options.proof } : {}),
    ...(endpoint.audit ? { 'Idempotency-Key': options.key ?? newKey() } : {}),
  }
}

const ask = async (
  server: Server,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  options: CallOptions,
): Promise<Response> => {
  const { url, rest } = addressOf(server, endpoint, input)
  const limit = AbortSignal.timeout(server.timeout ?? 300_000)
  try {
    return await (options.send ?? fetch)(url, {
      method: endpoint.method,
      headers: headersOf(server, endpoint, options),
      credentials: 'omit',
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      ...(endpoint.method === 'POST' ? { body: JSON.stringify(rest) } : {}),
    })
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    console.warn(`${endpoint.method} ${url}`, cause)
    throw new TransportError('network', undefined, { cause })
  }
}

const envelopeOf = async (endpoint: Endpoint, answer: Response): Promise<Envelope> => {
  const body = (await answer.json().catch(() => null)) as Envelope | null
  if (typeof body?.code === 'number') return body
  console.warn(`${endpoint.method} ${answer.url}: ${answer.status}`)
  throw new TransportError(`HTTP ${answer.status}`, answer.status)
}

/** Answers that were asked for before anything on the page could ask, by all that decides what they are. */
const ahead = new Map<string, { at: number; answer: Promise<unknown> }>()
/** What was asked for ahead and is wanted later than this is asked for again. */
const freshMs = 10_000
const aheadKey = ({ baseUrl, token, language }: Server, { path }: Endpoint, input: unknown) =>
  JSON.stringify([baseUrl, token(), language(), path, input])

/** Sends a read whose answer the page will want: the first {@link call} that is the same gets it. */
export const callAhead = <E extends Endpoint>(server: Server, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
  const answer = call(server, endpoint, input)
  answer.catch(() => undefined)
  ahead.set(aheadKey(server, endpoint, input), { at: performance.now(), answer })
  return answer
}

/** The answer to a call that was sent ahead, once. */
const takeAhead = <E extends Endpoint>(server: Server, endpoint: E, input: InputOf<E>) => {
  const key = ahead.size ? aheadKey(server, endpoint, input) : ''
  const found = ahead.get(key)
  ahead.delete(key)
  return found && performance.now() - found.at < freshMs ? (found.answer as Promise<OutputOf<E>>) : undefined
}

let held: Promise<unknown> | undefined
/** Lets calls in the background wait for what people wait for. */
export const holdBackground = (until: Promise<unknown>): void => {
  const freed = () => {
    if (held === waiting) held = undefined
  }
  const waiting = until.then(freed, freed)
  held = waiting
}

/**
 * Calls an endpoint of the contract.
 * @throws {CallError} the server refused · {TransportError} no usable answer · {ContractError} the answer has another form
 */
export const call = async <E extends Endpoint>(
  server: Server,
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> => {
  const known = takeAhead(server, endpoint, input)
  if (known) return known
  if (options.background && held) await held
  const work = ask(server, endpoint, (input ?? {}) as Record<string, unknown>, options).then(answer =>
    envelopeOf(endpoint, answer),
  )
  const body = await (options.background ? work : counted(work)).finally(() => {
    if (endpoint.audit) lastCommand = performance.now()
  })
  if (body.code !== (server.successCode ?? codes.ok)) throw new CallError(body.code, body.msg, body.data)
  const parsed = endpoint.output.safeParse(body.data)
  if (!parsed.success)
    throw new ContractError(
      `${endpoint.path}: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.code}`,
    )
  return parsed.data as OutputOf<E>
}

/**
 * Fetches the file that an endpoint answers.
 * @throws {CallError} the server refused · {TransportError} no usable answer
 */
export const callFile = (server: Server, endpoint: Endpoint, input: Record<string, unknown>): Promise<Blob> =>
  counted(
    (async () => {
      const answer = await ask(server, endpoint, input, {})
      const isEnvelope = answer.headers.get('content-type')?.startsWith('application/json')
      if (answer.ok && !isEnvelope) return answer.blob()
      const { code, msg, data } = await envelopeOf(endpoint, answer)
      throw new CallError(code, msg, data)
    })(),
  )
