import { createHmac } from 'node:crypto'
import { at, filledRequest, type VendorPart } from '../../../core/rules/message/vendor-mapping.ts'
import { refuseInTransaction } from '../../db/in-transaction.ts'
import { failureOf, type VendorWords } from './smpp/smpp-outcomes.ts'
import type { Handed, Report, SmsVendor } from './sms-vendor.ts'
import { unreached } from './unreached.ts'

/** How a request says who we are: by the secret itself, with the user beside it, or by a signature of the body. */
export const httpAuths = ['bearer', 'basic', 'signature'] as const
export type HttpAuth = (typeof httpAuths)[number]

/** Sends a body by POST, follows nothing, and hears the beginning of the answer; an error names its `code`. */
export type Post = (
  url: URL,
  sent: { body: string; headers: Readonly<Record<string, string>>; timeoutMs: number; most: number },
) => Promise<{ status: number; text: string }>

/** A vendor of texts that is reached as its account says. */
export type HttpAccess = {
  url: string
  user: string
  secret: string
  auth: HttpAuth
  /** The request in JSON, with the places of {@link filledRequest}. */
  request: string
  /** Where the parts of its answers, reports and replies stand. */
  paths: Readonly<Partial<Record<VendorPart, string>>>
  /** What its words mean; a word that is not here is unknown. */
  words: VendorWords
  timeoutMs?: number
  post: Post
}

const mostBytes = 16_384

const authorized = ({ auth, user, secret }: HttpAccess, body: string): Record<string, string> => {
  if (auth === 'bearer') return { authorization: `Bearer ${secret}` }
  if (auth === 'basic') return { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` }
  return { 'x-user': user, 'x-signature': createHmac('sha256', secret).update(body).digest('hex') }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const costOf = (given: string | undefined): string | null => {
  const match = /\d+(?:\.\d+)?/.exec(given ?? '')
  return match ? Number(match[0]).toFixed(2) : null
}

/** What an answer says: by its word where the account names one, else by the status of the request. */
const handedOf = ({ paths, words }: HttpAccess, status: number, body: unknown): Handed => {
  const word = at(body, paths.answer_status)
  const meaning = words[word ?? String(status)]
  if (meaning === 'later') return { is: 'later', reason: word ?? `http ${status}` }
  const reason = failureOf(meaning)
  if (reason) return { is: 'refused', reason }
  const taken = meaning === 'accepted' || (paths.answer_status === undefined && meaning === undefined)
  const vendorRef = at(body, paths.answer_id)
  if (taken && vendorRef && status >= 200 && status < 300)
    return { is: 'accepted', vendorRef: vendorRef.slice(0, 100), cost: costOf(at(body, paths.answer_cost)) }
  if (status === 401 || status === 403) return { is: 'refused', reason: 'vendor_error' }
  return { is: 'unknown', reason: word === undefined ? `http ${status}` : word.slice(0, 40) }
}

const stateOf = (meaning: string | undefined): Report['state'] | null => {
  if (meaning === 'delivered') return 'delivered'
  if (meaning === 'accepted' || meaning === 'submitted') return 'submitted'
  return failureOf(meaning) ? 'failed' : null
}

/** A vendor in JSON, by its own names and words: what an answer does not say clearly is unknown. */
export const httpVendor = (access: HttpAccess): SmsVendor => {
  const { url, user, request, paths, words, timeoutMs = 20_000, post } = access
  return {
    async send({ messageNo, phone, senderId, content }) {
      refuseInTransaction('a text is sent')
      const values = { to: phone, from: senderId, text: content, reference: messageNo, user }
      const body = filledRequest(request, values)
      const headers = {
        ...{ accept: 'application/json', 'content-type': 'application/json', 'idempotency-key': messageNo },
        ...authorized(access, body),
      }
      try {
        const { status, text } = await post(new URL(url), { body, headers, timeoutMs, most: mostBytes })
        return handedOf(access, status, jsonOf(text))
      } catch (error) {
        const { name, code = '' } = error as { name?: string; code?: string }
        // It leads into a network of ours: nothing was asked.
        if (name === 'PrivateAddress') return { is: 'refused', reason: 'vendor_error' }
        if (unreached.has(code)) return { is: 'later', reason: code }
        return { is: 'unknown', reason: code === 'TIMEOUT' ? 'timeout' : code || 'no answer' }
      }
    },
    parseReport(body) {
      const [id, word] = [at(body, paths.report_id), at(body, paths.report_status)]
      const state = stateOf(word === undefined ? undefined : words[word])
      if (!id || !state) return null
      const phone = (at(body, paths.report_phone) ?? '').replace(/^\+/, '')
      return {
        vendorRef: id.slice(0, 100),
        phone,
        state,
        reason: state === 'failed' ? failureOf(words[word ?? '']) : null,
      }
    },
    parseReply(body) {
      const [id, from, text] = [at(body, paths.reply_id), at(body, paths.reply_from), at(body, paths.reply_text)]
      return id && from && text !== undefined ? { id: id.slice(0, 100), from, text: text.slice(0, 2_000) } : null
    },
  }
}

/** Posts to any host, as a demo does to its simulators. */
export const postAnywhere: Post = async (url, { body, headers, timeoutMs, most }) => {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { method: 'POST', body, headers: { ...headers }, redirect: 'manual', signal })
    return { status: answer.status, text: (await answer.text()).slice(0, most) }
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    throw Object.assign(new Error(name), { code: name === 'TimeoutError' ? 'TIMEOUT' : (cause?.code ?? '') })
  }
}
