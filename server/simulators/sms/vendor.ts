import { randomUUID } from 'node:crypto'
import { type Call, error, type Handler, header, jsonOf, type Reply, type Route } from '../network/http.ts'
import { openChannels } from './channels.ts'
import type { Customer } from './customer.ts'
import { jsonFace } from './json-face.ts'
import { modes, type Said } from './numbers.ts'
import { smppFace } from './smpp-face.ts'
import { type Outlet, openTexts, type Text } from './texts.ts'

export type SmsOptions = {
  dir: string
  customers: readonly Customer[]
  speed: number
  holdMs: number
  synced?: boolean
}

const price = 35
/** What customers have paid in, in shillings. */
const opening = 250_000
const shown = 500

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

/** Reports and replies as Africa's Talking posts them. */
const outletTo = (url: string): Outlet => ({
  report({ ref, phone }: Text, { status, failureReason }: Said) {
    const network = phone.startsWith('25677') || phone.startsWith('25678') ? '64110' : '64101'
    const form = new URLSearchParams({ id: ref, status, phoneNumber: `+${phone}`, networkCode: network })
    form.set('retryCount', '0')
    if (failureReason) form.set('failureReason', failureReason)
    return post(url, form)
  },
  reply: ({ phone, from }: Text, text) =>
    post(
      url.replace(/report$/, 'inbound'),
      new URLSearchParams({ id: randomUUID(), from: `+${phone}`, to: from, text, date: new Date().toISOString() }),
    ),
})

/** Africa's Talking as it looks from outside, with faces in SMPP and in JSON beside it: one record of what really reached whom. */
export const openSmsVendor = ({ dir, customers, speed, holdMs, synced = true }: SmsOptions) => {
  const texts = openTexts({ dir, speed, synced })
  const { soon } = texts
  /** Nobody hears an answer, as from a server that hangs. */
  const hang = (): Promise<Reply> => new Promise(resolve => soon((holdMs * speed) / 1000, () => resolve('cut')))
  const channels = openChannels({ dir, customers, soon, hang })
  const json = jsonFace({ texts, customers, hang })

  const take: Handler = async (call: Call) => {
    const form = new URLSearchParams(call.body)
    const customer = customers.find(one => one.username === form.get('username'))
    if (!customer || header(call, 'apiKey') !== customer.apiKey)
      return { status: 401, text: 'The supplied authentication is invalid' }
    if (texts.modeOf(customer.username) === 'down') return 'cut'
    const to = form.get('to') ?? ''
    const phone = to.replace(/^\+/, '')
    const content = form.get('message') ?? ''
    if (!phone || !content) return error(400, 'MISSING_PARAMETER', 'Missing required fields')
    const fate = texts.fateFor(customer, phone)
    const outlet = customer.reportUrl ? outletTo(customer.reportUrl) : null
    const text = texts.take(customer, { phone, from: form.get('from') ?? '', content }, 'ATXid_', fate, outlet)
    return fate.answer === 'none' ? hang() : answered(to, fate.answer, text?.ref ?? 'None')
  }

  /** What is left: a start, less what was sent. */
  const balance: Handler = call => {
    const customer = customers.find(one => one.username === call.query.get('username'))
    if (!customer || header(call, 'apiKey') !== customer.apiKey) return { status: 401, text: 'invalid' }
    const left = Math.max(0, opening - texts.countOf(customer.username) * price)
    return { status: 200, body: { UserData: { balance: `UGX ${left.toFixed(4)}` } } }
  }

  const change: Handler = call => {
    const body = jsonOf(call)
    const next = modes.find(one => one === body?.mode)
    if (!next) return error(400, 'UNKNOWN_MODE', `mode is one of ${modes.join(', ')}`)
    for (const { username } of customers)
      if (body?.username === undefined || body.username === username) texts.setMode(username, next)
    return { status: 200, body: {} }
  }

  const list: Handler = () => ({
    status: 200,
    body: {
      modes: Object.fromEntries(customers.map(({ username }) => [username, texts.modeOf(username)])),
      messages: texts.last(shown).map(({ entry: _, ...text }) => ({ ...text, reports: texts.reportsOf(text.ref) })),
    },
  })

  const routes: Route[] = [
    ['POST', /^\/version1\/messaging$/, take],
    ['POST', /^\/v2\/texts$/, json],
    ['POST', /^\/v1\/messages$/, channels.take],
    ['GET', /^\/v1\/messages\/([\w-]+)$/, channels.find],
    ['GET', /^\/_sim\/channels$/, channels.list],
    ['GET', /^\/version1\/user$/, balance],
    ['POST', /^\/_sim\/switch$/, change],
    ['GET', /^\/_sim\/messages$/, list],
    ['GET', /^\/health$/, () => ({ status: 200, body: { status: 'ok' } })],
  ]
  return {
    routes,
    smpp: () => smppFace({ texts, customers }),
    close() {
      texts.close()
      channels.close()
    },
  }
}
