import { randomUUID } from 'node:crypto'
import { type Call, error, type Handler, header, jsonOf, type Reply, type Route } from '../network/http.ts'
import { openRecord } from '../network/record.ts'
import { openChannels } from './channels.ts'
import type { Customer } from './customer.ts'
import { type Fate, fateOf, type Mode, modes } from './numbers.ts'

type Text = {
  entry: 'text'
  at: string
  ref: string
  username: string
  phone: string
  from: string
  content: string
  /** Whether the phone really got it. */
  arrived: boolean
}
type Entry = Text | { entry: 'report'; at: string; ref: string; status: string; taken: boolean }

export type SmsOptions = { dir: string; customers: readonly Customer[]; speed: number; holdMs: number }

const price = 35
/** What customers have paid in, in shillings. */
const opening = 250_000
const shown = 500
const pauses = [1, 2, 4, 8, 16]

const words: Readonly<Record<number, string>> = {
  101: 'Success',
  102: 'Success',
  403: 'InvalidPhoneNumber',
  405: 'InsufficientBalance',
  406: 'UserInBlacklist',
}

const answered = (to: string, code: number, ref: string): Reply => {
  const isTaken = code < 200
  const cost = isTaken ? `UGX ${price}.0000` : '0'
  const recipient = { statusCode: code, number: to, status: words[code], cost, messageId: isTaken ? ref : 'None' }
  const body = { SMSMessageData: { Message: `Sent to ${isTaken ? 1 : 0}/1`, Recipients: [recipient] } }
  return { status: 201, body }
}

const post = async (url: string, form: URLSearchParams): Promise<boolean> => {
  const answer = await fetch(url, { method: 'POST', body: form, signal: AbortSignal.timeout(5_000) })
  await answer.arrayBuffer()
  return answer.ok
}

/** Africa's Talking as it looks from outside: takes texts, brings them or does not, and reports. Its record is what really reached whom. */
export const openSmsVendor = ({ dir, customers, speed, holdMs }: SmsOptions) => {
  const record = openRecord<Entry>(dir, 'texts')
  const texts = record.entries.filter((one): one is Text => one.entry === 'text')
  const reports = new Map<string, string[]>()
  for (const one of record.entries)
    if (one.entry === 'report') reports.set(one.ref, [...(reports.get(one.ref) ?? []), one.status])
  const mode = new Map<string, Mode>()
  const timers = new Set<NodeJS.Timeout>()
  const soon = (seconds: number, work: () => void) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        work()
      },
      (seconds * 1000) / speed,
    ).unref()
    timers.add(timer)
  }

  const report = async (url: string, text: Text, { status, failureReason }: Fate['reports'][number]) => {
    const network = text.phone.startsWith('25677') || text.phone.startsWith('25678') ? '64110' : '64101'
    const form = new URLSearchParams({ id: text.ref, status, phoneNumber: `+${text.phone}`, networkCode: network })
    form.set('retryCount', '0')
    if (failureReason) form.set('failureReason', failureReason)
    let taken = false
    for (const pause of pauses) {
      taken = await post(url, form).catch(() => false)
      if (taken) break
      await new Promise(resolve => setTimeout(resolve, (pause * 1000) / speed).unref())
    }
    reports.set(text.ref, [...(reports.get(text.ref) ?? []), status])
    record.append({ entry: 'report', at: new Date().toISOString(), ref: text.ref, status, taken })
  }

  /** Nobody hears an answer, as from a server that hangs. */
  const hang = (): Promise<Reply> => new Promise(resolve => soon((holdMs * speed) / 1000, () => resolve('cut')))

  const channels = openChannels({ dir, customers, soon, hang })

  const take: Handler = async (call: Call) => {
    const form = new URLSearchParams(call.body)
    const customer = customers.find(one => one.username === form.get('username'))
    if (!customer || header(call, 'apiKey') !== customer.apiKey)
      return { status: 401, text: 'The supplied authentication is invalid' }
    const now = mode.get(customer.username) ?? 'ok'
    if (now === 'down') return 'cut'
    const to = form.get('to') ?? ''
    const phone = to.replace(/^\+/, '')
    const content = form.get('message') ?? ''
    if (!phone || !content) return error(400, 'MISSING_PARAMETER', 'Missing required fields')
    const fate = fateOf(phone, now)
    const ref = `ATXid_${randomUUID().replaceAll('-', '')}`
    const isRefused = typeof fate.answer === 'number' && fate.answer >= 400
    const isLost = fate.answer === 'none' && !fate.arrives
    if (!isRefused && !isLost) {
      const about = { ref, username: customer.username, phone, from: form.get('from') ?? '', content }
      const text: Text = { entry: 'text', at: new Date().toISOString(), ...about, arrived: fate.arrives }
      record.append(text)
      texts.push(text)
      for (const one of fate.reports)
        if (customer.reportUrl) soon(one.after, () => void report(customer.reportUrl as string, text, one))
    }
    return fate.answer === 'none' ? hang() : answered(to, fate.answer, ref)
  }

  /** What is left: a start, less what was sent. */
  const balance: Handler = call => {
    const customer = customers.find(one => one.username === call.query.get('username'))
    if (!customer || header(call, 'apiKey') !== customer.apiKey) return { status: 401, text: 'invalid' }
    const sent = texts.filter(({ username }) => username === customer.username).length
    return { status: 200, body: { UserData: { balance: `UGX ${Math.max(0, opening - sent * price).toFixed(4)}` } } }
  }

  const change: Handler = call => {
    const body = jsonOf(call)
    const next = modes.find(one => one === body?.mode)
    if (!next) return error(400, 'UNKNOWN_MODE', `mode is one of ${modes.join(', ')}`)
    for (const { username } of customers)
      if (body?.username === undefined || body.username === username) mode.set(username, next)
    return { status: 200, body: {} }
  }

  const list: Handler = () => ({
    status: 200,
    body: {
      modes: Object.fromEntries(customers.map(({ username }) => [username, mode.get(username) ?? 'ok'])),
      messages: texts
        .slice(-shown)
        .reverse()
        .map(({ entry: _, ...text }) => ({ ...text, reports: reports.get(text.ref) ?? [] })),
    },
  })

  const routes: Route[] = [
    ['POST', /^\/version1\/messaging$/, take],
    ['POST', /^\/v1\/messages$/, channels.take],
    ['GET', /^\/_sim\/channels$/, channels.list],
    ['GET', /^\/version1\/user$/, balance],
    ['POST', /^\/_sim\/switch$/, change],
    ['GET', /^\/_sim\/messages$/, list],
    ['GET', /^\/health$/, () => ({ status: 200, body: { status: 'ok' } })],
  ]
  return {
    routes,
    close() {
      for (const timer of timers) clearTimeout(timer)
      record.close()
      channels.close()
    },
  }
}
