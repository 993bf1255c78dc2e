import { createHmac, randomUUID } from 'node:crypto'
import { type Call, type Handler, header, jsonOf, type Reply } from '../network/http.ts'
import type { Customer } from './customer.ts'
import type { Said } from './numbers.ts'
import type { Outlet, Text, Texts } from './texts.ts'

const price = 35
const resultOf: Readonly<Record<number, string>> = { 403: 'BAD_NUMBER', 405: 'NO_CREDIT', 406: 'STOPPED' }
const stateOf: Readonly<Record<string, string>> = {
  Success: 'DELIVERED',
  Sent: 'SENT',
  Failed: 'UNDELIVERED',
  Rejected: 'REJECTED',
}

const post = async (url: string, body: object): Promise<boolean> => {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(5_000)
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
  await answer.arrayBuffer()
  return answer.ok
}

const outletTo = (url: string): Outlet => ({
  report: ({ ref, phone }: Text, { status }: Said) =>
    post(url, { message: { id: ref, state: stateOf[status], to: phone } }),
  reply: ({ phone }: Text, body) =>
    post(url.replace(/report$/, 'inbound'), { message: { id: randomUUID(), from: phone, body } }),
})

const isSigned = (call: Call, { username, apiKey }: Customer) =>
  header(call, 'authorization') === `Bearer ${apiKey}` ||
  (header(call, 'x-user') === username &&
    header(call, 'x-signature') === createHmac('sha256', apiKey).update(call.body).digest('hex'))

type Given = { texts: Texts; customers: readonly Customer[]; hang: () => Promise<Reply> }

/** Texts in JSON, once under the number that the customer gives: `{"to", "from", "text", "ref"}`, answered by a result in a word. */
export const jsonFace =
  ({ texts, customers, hang }: Given): Handler =>
  async call => {
    const customer = customers.find(one => isSigned(call, one))
    if (!customer) return { status: 401, body: { result: 'UNAUTHORIZED' } }
    if (texts.modeOf(customer.username) === 'down') return 'cut'
    const { to, from, text: content, ref: reference } = (jsonOf(call) ?? {}) as Record<string, string>
    if (!to || !content || !reference) return { status: 400, body: { result: 'BAD_REQUEST' } }
    const said = ({ ref }: Text): Reply => ({ status: 200, body: { result: 'OK', message: { id: ref, price } } })
    const before = texts.named(customer.username, reference)
    if (before) return said(before)
    const fate = texts.fateFor(customer, to)
    const outlet = customer.reportUrl ? outletTo(customer.reportUrl) : null
    const text = texts.take(customer, { phone: to, from: from ?? '', content, reference }, 'js_', fate, outlet)
    if (fate.answer === 'none') return hang()
    return text ? said(text) : { status: 200, body: { result: resultOf[fate.answer] ?? 'BAD_NUMBER' } }
  }
