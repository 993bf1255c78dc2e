import { lookup } from 'node:dns'
import { type RequestOptions, request } from 'node:https'
import type { LookupFunction } from 'node:net'
import { allowedLink } from '../../core/rules/market/hosts.ts'
import { refuseInTransaction } from '../db/in-transaction.ts'
import { isPublicAddress } from './public-address.ts'

/** Opens a link of a stranger on their hosts alone; answers what is wrong with it, null for nothing. */
export type OpenLink = (link: string, hosts: readonly string[]) => Promise<string | null>

/** What was asked of a stranger's host, and what came back. */
export type Reply = { status: number; location: string | undefined }
/** Asks an address once; tests give their own. */
export type AskOnce = (url: URL, how: { method: 'GET' | 'POST' }) => Promise<Reply>

const timeoutMs = 10_000
const mostRedirects = 3

class PrivateAddress extends Error {
  override name = 'PrivateAddress'
}

/** Resolves names to public addresses alone. The connection is made to the very address that was looked at. */
export const publicLookup: LookupFunction = (host, options, found) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, '', 0)
    const wrong = addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))
    if (wrong) return found(new PrivateAddress('an address of a private network'), '', 0)
    if (options.all) return found(null, addresses as never)
    const [first] = addresses as [(typeof addresses)[number]]
    found(null, first.address, first.family)
  })
}

/** Asks a public host over HTTPS; what it answers is not read. It throws while a transaction is open. */
export const askPublic: AskOnce = (url, { method }) => {
  refuseInTransaction('a stranger is called')
  return new Promise((answer, fail) => {
    const options: RequestOptions = {
      method,
      lookup: publicLookup,
      agent: false,
      timeout: timeoutMs,
      headers: { 'user-agent': 'Mkopo', accept: '*/*', ...(method === 'POST' ? { 'content-length': '0' } : {}) },
    }
    const asked = request(url, options, reply => {
      answer({ status: reply.statusCode ?? 0, location: reply.headers.location })
      reply.destroy()
    })
    asked.on('timeout', () => asked.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })))
    asked.on('error', fail)
    asked.end()
  })
}

/** What a stranger's system answered: its status, and the beginning of what it said. */
export type Heard = { status: number; text: string }
/** What is sent; by default it waits ten seconds, and hears 200 characters. */
type Posted = { body: string; headers: Readonly<Record<string, string>>; timeoutMs?: number; most?: number }
/** Sends a body to a public host; tests give their own. */
export type PostOnce = (url: URL, sent: Posted) => Promise<Heard>

const mostHeard = 200

/** Posts to a public host over HTTPS and reads the beginning of its answer. It throws while a transaction is open. */
export const postPublic: PostOnce = (url, { body, headers, timeoutMs: patience = timeoutMs, most = mostHeard }) => {
  refuseInTransaction('a stranger is called')
  return new Promise((answer, fail) => {
    const options: RequestOptions = {
      method: 'POST',
      lookup: publicLookup,
      agent: false,
      timeout: patience,
      headers: { 'user-agent': 'Mkopo', ...headers, 'content-length': String(Buffer.byteLength(body)) },
    }
    const asked = request(url, options, reply => {
      let text = ''
      const done = () => {
        answer({ status: reply.statusCode ?? 0, text: text.slice(0, most).replace(/\p{Cc}/gu, ' ') })
        reply.destroy()
      }
      reply.setEncoding('utf8')
      reply.on('data', (part: string) => {
        text += part
        if (text.length >= most) done()
      })
      reply.on('end', done)
      reply.on('error', fail)
    })
    const slow = setTimeout(() => asked.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })), patience)
    asked.on('close', () => clearTimeout(slow))
    asked.on('error', fail)
    asked.end(body)
  })
}

/** What went wrong with a host that did not answer, in one word. */
export const faultOf = (error: unknown): string => {
  if (error instanceof PrivateAddress) return 'private_address'
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (code === 'TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'certificate' : 'unreachable'
}

/** Follows a link as long as it stays on the hosts that are allowed. */
export const openLink =
  (ask: AskOnce = askPublic): OpenLink =>
  async (link, hosts) => {
    let next = link
    for (let at = 0; at <= mostRedirects; at++) {
      const url = allowedLink(next, hosts)
      if (!url) return at === 0 ? 'host' : 'redirect'
      try {
        const { status, location } = await ask(url, { method: 'GET' })
        if (status < 300 || status >= 400 || !location) return status >= 200 && status < 400 ? null : 'status'
        next = new URL(location, url).href
      } catch (error) {
        return faultOf(error)
      }
    }
    return 'redirect'
  }
