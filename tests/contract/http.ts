import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import { codes } from '../../core/contract/codes.ts'
import { base, type Endpoint, type Envelope } from '../../core/contract/endpoint.ts'
import type { Language } from '../../core/i18n/language.ts'
import type { Person } from '../../server/testing/kit.ts'
import { signedBy } from '../../server/testing/partner.ts'

export type Asked = {
  as?: Person
  /** The body as it is sent, instead of the input. */
  body?: string | Uint8Array
  /** The query as it is sent, instead of the input. */
  query?: string
  key?: string | null
  language?: Language
  headers?: Record<string, string>
  /** A call that answers 40302 is sent again with a proof, and what merchants send is signed, unless this is said. */
  unproven?: true
}
export type Heard = Envelope & { status: number; text: string; headers: Headers }

/** Where an input goes: into the path, into the query of a read, or into the body. */
const placed = (endpoint: Endpoint, input: Record<string, unknown>) => {
  const rest = { ...input }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Buffer.from(String(rest[name])).toString()
    delete rest[name]
    return encodeURIComponent(value)
  })
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return endpoint.method !== 'POST'
    ? { url: `${base}${path}${query.size ? `?${query}` : ''}`, body: undefined }
    : { url: `${base}${path}`, body: JSON.stringify(Object.fromEntries(given)) }
}

/** What is no envelope is a fault of the server, whatever it says. */
const envelopeOf = (text: string): Envelope => {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return { code: codes.internal, msg: text, data: null }
  }
}

/** Sends whatever it is given, right or wrong, over HTTP semantics and answers everything that came back. */
export const sender = (app: Hono, stepUp: (person: Person) => Promise<string>) => {
  const send = async (endpoint: Endpoint, input: Record<string, unknown>, o: Asked): Promise<Heard> => {
    const { url, body } = placed(endpoint, input)
    const sent = o.body ?? body ?? ''
    const isSigned = endpoint.auth === 'merchant' && o.as && !o.unproven && typeof sent === 'string'
    const answer = await app.request(o.query === undefined ? url : `${url.split('?')[0]}?${o.query}`, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        language: o.language ?? 'en',
        ...(o.key === null ? {} : { 'idempotency-key': o.key ?? randomUUID() }),
        ...(o.as ? { token: o.as.token } : {}),
        ...(isSigned ? signedBy(sent) : {}),
        ...o.headers,
      },
      ...(endpoint.method === 'GET' ? {} : { body: sent as BodyInit }),
    })
    const text = await answer.text()
    const isFile = answer.headers.has('content-disposition')
    const heard = isFile ? { code: 0, msg: '', data: null } : envelopeOf(text)
    return { ...heard, status: answer.status, text, headers: answer.headers }
  }
  return async (endpoint: Endpoint, input: Record<string, unknown>, o: Asked = {}): Promise<Heard> => {
    const asked = { ...o, key: o.key === undefined ? randomUUID() : o.key }
    const heard = await send(endpoint, input, asked)
    if (heard.code !== codes.stepUp || !o.as || o.unproven) return heard
    return send(endpoint, input, { ...asked, headers: { ...o.headers, 'x-step-up': await stepUp(o.as) } })
  }
}
export type Send = ReturnType<typeof sender>
