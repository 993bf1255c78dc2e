import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a handler answers: JSON, plain text, or a cut connection. */
export type Reply = { status: number; body?: object; text?: string; type?: string } | 'cut'

export type Call = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

export type Handler = (call: Call, params: readonly string[]) => Reply | Promise<Reply>
export type Route = readonly [method: string, path: RegExp, handler: Handler]

const maxBody = 64 * 1024

export const error = (status: number, code: string, message: string): Reply => ({ status, body: { code, message } })

export const header = (call: Call, name: string): string | undefined => {
  const value = call.headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

/** The JSON object in the body; null when there is none. */
export const jsonOf = (call: Call): { [field: string]: unknown } | null => {
  try {
    const value: unknown = JSON.parse(call.body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as { [field: string]: unknown })
      : null
  } catch {
    return null
  }
}

const readBody = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Serves routes; the first that fits answers. */
export const serveRoutes = (routes: readonly Route[]) => async (request: IncomingMessage, response: ServerResponse) => {
  const send = (reply: Reply) => {
    if (reply === 'cut') {
      response.socket?.destroy()
      return
    }
    const json = reply.body !== undefined
    response.writeHead(reply.status, { 'Content-Type': json ? 'application/json' : (reply.type ?? 'text/plain') })
    response.end(json ? JSON.stringify(reply.body) : (reply.text ?? ''))
  }
  const url = new URL(request.url ?? '/', 'http://localhost')
  const method = request.method ?? 'GET'
  try {
    const body = await readBody(request)
    if (body === null) return send({ status: 413 })
    const call: Call = { method, path: url.pathname, query: url.searchParams, headers: request.headers, body }
    for (const [wanted, path, handler] of routes) {
      const match = wanted === method ? path.exec(url.pathname) : null
      if (match) return send(await handler(call, match.slice(1).map(decodeURIComponent)))
    }
    send(error(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.'))
  } catch {
    if (!response.headersSent) send(error(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred.'))
  }
}
