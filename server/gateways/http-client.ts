import { refuseInTransaction } from '../db/in-transaction.ts'

/** What a test may replace. */
export type ClientOptions = {
  timeoutMs?: number
  /** Status calls a second at most; 10 unless given. */
  asksPerSecond?: number
  now?: () => number
  fetch?: typeof fetch
}

/** `body` is undefined when it is empty or not JSON. */
export type Reply = { kind: 'http'; status: number; body: unknown } | { kind: 'none'; reason: string }

/** A request to a network; `path` is below its base address. */
export type ClientRequest = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: unknown }

/** How a network lets us in: where its tokens come from, and what every call carries beside the token. */
export type Access = {
  baseUrl: string
  /** Before the path of every call. */
  prefix: string
  headers: Record<string, string>
  token: { path: string; init: RequestInit }
}

type Token = { value: string; renewAt: number }

const renewBeforeMs = 10 * 60_000

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const why = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unreachable'
  if (error.name === 'TimeoutError') return 'timeout'
  const cause = error.cause as { code?: string } | undefined
  return cause?.code ?? 'unreachable'
}

const isRefusal = (reply: Reply): boolean => reply.kind === 'http' && (reply.status === 401 || reply.status === 403)

type Send = (path: string, init: RequestInit) => Promise<Reply>

const sending =
  ({ baseUrl }: Access, { timeoutMs = 60_000, fetch: go = fetch }: ClientOptions): Send =>
  async (path: string, init: RequestInit): Promise<Reply> => {
    try {
      const response = await go(`${baseUrl}${path}`, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { kind: 'http', status: response.status, body: parse(await response.text()) }
    } catch (error) {
      return { kind: 'none', reason: why(error) }
    }
  }

/** The token that is good now; one that was refused is not given out again. */
const tokens = (access: Access, { now = Date.now }: ClientOptions, send: Send) => {
  let token: Token | undefined
  let renewing: Promise<Token | Reply> | undefined

  const askToken = async (): Promise<Token | Reply> => {
    const reply = await send(access.token.path, access.token.init)
    if (reply.kind === 'none') return { kind: 'none', reason: `token ${reply.reason}` }
    if (isRefusal(reply)) return reply
    const given = reply.body as { access_token?: unknown; expires_in?: unknown } | undefined
    const seconds = Number(given?.expires_in)
    if (reply.status !== 200 || typeof given?.access_token !== 'string' || !(seconds > 0))
      return { kind: 'none', reason: `token ${reply.status}` }
    const lifeMs = seconds * 1000
    token = { value: given.access_token, renewAt: now() + Math.max(lifeMs - renewBeforeMs, lifeMs / 2) }
    return token
  }

  return (refused?: string): Promise<Token | Reply> => {
    if (token && token.value !== refused && now() < token.renewAt) return Promise.resolve(token)
    renewing ??= askToken().finally(() => {
      renewing = undefined
    })
    return renewing
  }
}

/**
 * Calls of one network with its token: fetched when needed, renewed ten minutes before the end of the life it was given
 * (half-way through a shorter one), and once more when it is refused; then the same call goes again, once. It throws while
 * a transaction is open.
 */
export const tokenClient = (access: Access, options: ClientOptions = {}) => {
  const send = sending(access, options)
  const currentToken = tokens(access, options, send)

  const attempt = async (request: ClientRequest, refused?: string): Promise<{ reply: Reply; used?: string }> => {
    const current = await currentToken(refused)
    if ('kind' in current) return { reply: current }
    const reply = await send(`${access.prefix}${request.path}`, {
      method: request.method,
      headers: {
        Authorization: `Bearer ${current.value}`,
        ...access.headers,
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...request.headers,
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
    })
    return { reply, used: current.value }
  }

  return {
    async call(request: ClientRequest): Promise<Reply> {
      refuseInTransaction('a network is called')
      const first = await attempt(request)
      if (!isRefusal(first.reply) || first.used === undefined) return first.reply
      return (await attempt(request, first.used)).reply
    },
  }
}

/** The client of one network; it renews its token by itself. */
export type Client = ReturnType<typeof tokenClient>
