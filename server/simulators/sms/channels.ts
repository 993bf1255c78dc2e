import { randomUUID } from 'node:crypto'
import { type Handler, header, jsonOf, type Reply } from '../network/http.ts'
import { openRecord } from '../network/record.ts'
import type { Customer } from './customer.ts'
import { fateOf } from './numbers.ts'

/** A message of WhatsApp, voice or push as the vendor took it, and whether it really arrived. */
type Taken = {
  at: string
  ref: string
  reference: string
  channel: string
  username: string
  to: string
  from: string
  content: string
  arrived: boolean
}
type Options = {
  dir: string
  customers: readonly Customer[]
  soon: (seconds: number, work: () => void) => void
  hang: () => Promise<Reply>
}

const reportOf: Readonly<Record<string, string>> = {
  Success: 'delivered',
  Sent: 'sent',
  Failed: 'failed',
  Rejected: 'failed',
}
const prices: Readonly<Record<string, number>> = { whatsapp: 60, voice: 120, app_push: 0 }
const shown = 500
const refusalOf: Readonly<Record<number, string>> = { 403: 'INVALID_RECIPIENT', 406: 'OPTED_OUT' }

/**
 * The vendor's other channels, which it takes in JSON: once under the number that the sender gives it, by the endings of numbers as texts
 * are. Templates whose names begin with `pending_` and push tokens that end in `x` are refused.
 */
export const openChannels = ({ dir, customers, soon, hang }: Options) => {
  const record = openRecord<Taken>(dir, 'channels')
  const taken = [...record.entries]

  const report = (url: string | null | undefined, one: Taken, after: number, status: string) => {
    if (!url) return
    const form = new URLSearchParams({ id: one.ref, status, phoneNumber: one.to })
    soon(after, () => {
      void fetch(url, { method: 'POST', body: form, signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    })
  }

  const take: Handler = async call => {
    const customer = customers.find(({ apiKey }) => header(call, 'authorization') === `Bearer ${apiKey}`)
    if (!customer) return { status: 401, body: { error: 'UNAUTHORIZED' } }
    const given = jsonOf(call) as Record<string, string | null> | undefined
    const { reference, channel, to, from, template, content } = given ?? {}
    if (!reference || !channel || !to || !content) return { status: 422, body: { error: 'INVALID_REQUEST' } }
    const before = taken.find(one => one.reference === reference && one.username === customer.username)
    if (before) return { status: 200, body: { id: before.ref, cost: prices[channel] ?? 0 } }
    if (template?.startsWith('pending_')) return { status: 422, body: { error: 'TEMPLATE_NOT_APPROVED' } }
    if (channel === 'app_push' && to.endsWith('x')) return { status: 404, body: { error: 'UNREGISTERED' } }
    const fate = fateOf(to, 'ok')
    if (typeof fate.answer === 'number' && fate.answer >= 400)
      return { status: 422, body: { error: refusalOf[fate.answer] ?? 'INVALID_RECIPIENT' } }
    if (fate.answer === 'none' && !fate.arrives) return hang()
    const about = { reference, channel, username: customer.username, to, from: from ?? '', content }
    const one: Taken = { at: new Date().toISOString(), ref: `ch_${randomUUID()}`, ...about, arrived: fate.arrives }
    record.append(one)
    taken.push(one)
    const url = customer.channelReportUrls?.[channel]
    for (const { after, status } of fate.reports) report(url, one, after, reportOf[status] ?? 'sent')
    return fate.answer === 'none' ? hang() : { status: 201, body: { id: one.ref, cost: prices[channel] ?? 0 } }
  }

  /** What became of a message, by the number that its sender gave it. */
  const find: Handler = (call, [reference]) => {
    const customer = customers.find(({ apiKey }) => header(call, 'authorization') === `Bearer ${apiKey}`)
    if (!customer) return { status: 401, body: { error: 'UNAUTHORIZED' } }
    const one = taken.find(it => it.reference === reference && it.username === customer.username)
    if (!one) return { status: 404, body: { error: 'NOT_FOUND' } }
    return { status: 200, body: { id: one.ref, status: one.arrived ? 'delivered' : 'failed', phoneNumber: one.to } }
  }

  return {
    take,
    find,
    list: (() => ({ status: 200, body: { messages: taken.slice(-shown).reverse() } })) as Handler,
    close: () => record.close(),
  }
}
