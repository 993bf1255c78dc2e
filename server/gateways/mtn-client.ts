/** Access to one country environment of the MTN MoMo Open API; each product has its own subscription key. */
export type MtnConfig = {
  baseUrl: string
  subscriptionKey: string
  apiUser: string
  apiKey: string
  targetEnvironment: string
  callbackUrl: string
}

/** What a test may replace. */
export type MtnOptions = { timeoutMs?: number; now?: () => number; fetch?: typeof fetch }

/** `body` is undefined when it is empty or not JSON. */
export type MtnReply = { kind: 'http'; status: number; body: unknown } | { kind: 'none'; reason: string }

export type MtnRequest = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: unknown }

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

/** Headers of a request that moves money. */
export const requestHeaders = (ref: string, { callbackUrl }: MtnConfig): Record<string, string> => ({
  'X-Reference-Id': ref,
  ...(callbackUrl ? { 'X-Callback-Url': callbackUrl } : {}),
})

/** Calls of one product, with its token: fetched when needed, renewed early, renewed once more when it is refused. */
export const mtnClient = (product: 'disbursement' | 'collection', config: MtnConfig, options: MtnOptions = {}) => {
  const { timeoutMs = 60_000, now = Date.now, fetch: go = fetch } = options
  let token: Token | undefined
  let renewing: Promise<Token | MtnReply> | undefined

  const send = async (path: string, init: RequestInit): Promise<MtnReply> => {
    try {
      const response = await go(`${config.baseUrl}${path}`, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { kind: 'http', status: response.status, body: parse(await response.text()) }
    } catch (error) {
      return { kind: 'none', reason: why(error) }
    }
  }

  const askToken = async (): Promise<Token | MtnReply> => {
    const basic = Buffer.from(`${config.apiUser}:${config.apiKey}`).toString('base64')
    const reply = await send(`/${product}/token/`, {
      method: 'POST',
      headers: { Authorization: `Basic ${basic}`, 'Ocp-Apim-Subscription-Key': config.subscriptionKey },
    })
    if (reply.kind === 'none') return { kind: 'none', reason: `token ${reply.reason}` }
    if (reply.status === 401 || reply.status === 403) return reply
    const given = reply.body as { access_token?: unknown; expires_in?: unknown } | undefined
    const seconds = Number(given?.expires_in)
    if (reply.status !== 200 || typeof given?.access_token !== 'string' || !(seconds > 0))
      return { kind: 'none', reason: `token ${reply.status}` }
    const lifeMs = seconds * 1000
    token = { value: given.access_token, renewAt: now() + Math.max(lifeMs - renewBeforeMs, lifeMs / 2) }
    return token
  }

  const currentToken = (refused?: string): Promise<Token | MtnReply> => {
    if (token && token.value !== refused && now() < token.renewAt) return Promise.resolve(token)
    renewing ??= askToken().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  const attempt = async (request: MtnRequest, refused?: string): Promise<{ reply: MtnReply; used?: string }> => {
    const current = await currentToken(refused)
    if ('kind' in current) return { reply: current }
    const reply = await send(`/${product}/v1_0${request.path}`, {
      method: request.method,
      headers: {
        Authorization: `Bearer ${current.value}`,
        'Ocp-Apim-Subscription-Key': config.subscriptionKey,
        'X-Target-Environment': config.targetEnvironment,
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...request.headers,
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
    })
    return { reply, used: current.value }
  }

  return {
    async call(request: MtnRequest): Promise<MtnReply> {
      const first = await attempt(request)
      const refused = first.reply.kind === 'http' && (first.reply.status === 401 || first.reply.status === 403)
      if (!refused || first.used === undefined) return first.reply
      return (await attempt(request, first.used)).reply
    },
  }
}

export type MtnClient = ReturnType<typeof mtnClient>
