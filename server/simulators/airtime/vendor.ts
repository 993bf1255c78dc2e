import { type Call, error, type Handler, header, jsonOf, type Reply, type Route } from '../network/http.ts'
import { openRecord } from '../network/record.ts'
import { openSoon } from '../network/soon.ts'

export type AirtimeOptions = {
  dir: string
  apiKey: string
  callbackUrl: string
  speed: number
  openingBalance: number
  /** For how long a request hangs that gets no answer. */
  holdMs: number
}

/** What becomes of an order: delivered, refused, or nobody is answered, whether it was delivered or not. */
type Fate = 'deliver' | 'refuse' | 'silentDelivered' | 'silentLost' | 'slow'
/** By the last digit of the phone; all others are delivered. */
const byDigit: Readonly<Record<string, Fate>> = { 6: 'slow', 7: 'silentDelivered', 8: 'silentLost', 9: 'refuse' }
export const fateOf = (phone: string): Fate => byDigit[phone.slice(-1)] ?? 'deliver'

type Order = { entry: 'order'; at: string; key: string; reference: string; phone: string; amount: number }
type Ended = { entry: 'ended'; at: string; key: string; status: 'DELIVERED' | 'REFUSED'; serialNo: string | null }
type Entry = Order | Ended

const slowSeconds = 40
const usualSeconds = 2
const dayOf = (iso: string) => new Date(Date.parse(iso) + 3 * 3_600_000).toISOString().slice(0, 10)

/** The vendor's books: what was ordered, how it ended, and what that leaves of what was paid in. */
const openBooks = ({ dir, openingBalance }: AirtimeOptions) => {
  const record = openRecord<Entry>(dir, 'airtime')
  const orders = new Map<string, Order>()
  const ends = new Map<string, Ended>()
  const take = (entry: Entry) => {
    if (entry.entry === 'order') orders.set(entry.key, entry)
    else ends.set(entry.key, entry)
  }
  for (const entry of record.entries) take(entry)
  const write = (entry: Entry) => {
    record.append(entry)
    take(entry)
  }
  /** Airtime that reached a phone, in the order in which it did. */
  const delivered = () =>
    [...ends.values()].flatMap(end => {
      const order = orders.get(end.key)
      return order && end.status === 'DELIVERED' ? [{ ...order, ...end }] : []
    })
  const balanceBefore = (day: string) =>
    delivered().reduce((left, one) => (dayOf(one.at) < day ? left - one.amount : left), openingBalance)
  return {
    orders,
    ends,
    write,
    delivered,
    balanceBefore,
    balance: () => delivered().reduce((left, one) => left - one.amount, openingBalance),
    close: () => record.close(),
  }
}
type Books = ReturnType<typeof openBooks>

const shown = (books: Books, key: string): Reply => {
  const order = books.orders.get(key)
  if (!order) return error(404, 'NOT_FOUND', 'no such order')
  const end = books.ends.get(key)
  const { reference, phone, amount } = order
  const status = end?.status ?? 'PENDING'
  const refused = status === 'REFUSED' ? { code: 'INVALID_PHONE', message: 'The phone takes no airtime' } : {}
  const body = {
    key,
    reference,
    phone,
    amount: String(amount),
    currency: 'UGX',
    status,
    serialNo: end?.serialNo ?? null,
  }
  return { status: status === 'PENDING' ? 202 : 200, body: { ...body, ...refused } }
}

const statement =
  (books: Books): Handler =>
  ({ query }) => {
    const date = query.get('date') ?? ''
    const lines = books
      .delivered()
      .filter(one => dayOf(one.at) === date)
      .map(one => ({
        ...{ serialNo: one.serialNo, amount: `-${one.amount}`, time: one.at, kind: 'AIRTIME' },
        ...{ reference: one.reference, phone: one.phone },
      }))
    const opening = books.balanceBefore(date)
    const closing = lines.reduce((left, { amount }) => left + Number(amount), opening)
    return { status: 200, body: { opening: String(opening), closing: String(closing), currency: 'UGX', lines } }
  }

const post = async (url: string, body: object): Promise<boolean> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(5_000),
  })
  await answer.arrayBuffer()
  return answer.ok
}

/** A vendor of airtime as it looks from outside; its record is the statement, the truth about what reached a phone. */
export const openAirtimeVendor = (options: AirtimeOptions) => {
  const { apiKey, callbackUrl, speed, holdMs } = options
  const books = openBooks(options)
  const { soon, forget } = openSoon(speed)

  const end = (key: string, status: Ended['status']) => {
    if (books.ends.has(key)) return
    const serialNo = status === 'DELIVERED' ? `AT${String(100_000 + books.ends.size)}` : null
    books.write({ entry: 'ended', at: new Date().toISOString(), key, status, serialNo })
    const said = shown(books, key)
    if (callbackUrl && said !== 'cut' && said.body) void post(callbackUrl, said.body).catch(() => false)
  }
  const carryOut = (key: string, fate: Fate) => {
    if (fate === 'silentLost') return
    const status = fate === 'refuse' ? 'REFUSED' : 'DELIVERED'
    soon(fate === 'slow' ? slowSeconds : usualSeconds, () => end(key, status))
  }
  // What was under way when the process ended goes on.
  for (const { key, phone } of books.orders.values()) if (!books.ends.has(key)) carryOut(key, fateOf(phone))

  const hang = (): Promise<Reply> => new Promise(resolve => soon((holdMs * speed) / 1000, () => resolve('cut')))
  const refusal = (code: string, message: string): Reply => ({
    status: 422,
    body: { status: 'REFUSED', code, message },
  })

  const order: Handler = (call: Call) => {
    const key = header(call, 'idempotency-key') ?? ''
    const { phone, currency, amount, reference } = jsonOf(call) ?? {}
    if (!key || currency !== 'UGX') return error(400, 'BAD_REQUEST', 'key or currency is missing')
    const before = books.orders.get(key)
    if (before) return before.phone === phone ? shown(books, key) : error(409, 'DUPLICATE', 'the key was used')
    if (typeof phone !== 'string' || !/^256\d{9}$/.test(phone)) return refusal('INVALID_PHONE', 'no such phone')
    const shillings = Number(amount)
    if (!Number.isInteger(shillings) || shillings <= 0) return refusal('AMOUNT_LIMIT', 'whole shillings only')
    if (shillings > books.balance()) return refusal('FLOAT_SHORT', 'the float is too small')
    const fate = fateOf(phone)
    const taken: Order = {
      entry: 'order',
      at: new Date().toISOString(),
      key,
      reference: String(reference),
      phone,
      amount: shillings,
    }
    if (fate !== 'silentLost') books.write(taken)
    carryOut(key, fate)
    return fate === 'silentLost' || fate === 'silentDelivered' ? hang() : shown(books, key)
  }

  const signed =
    (handler: Handler): Handler =>
    (call, params) =>
      header(call, 'authorization') === `Bearer ${apiKey}`
        ? handler(call, params)
        : error(401, 'UNAUTHORIZED', 'unknown key')

  const status: Handler = (_call, [key = '']) => {
    const said = shown(books, key)
    // An order under way is answered as one that is known.
    return said !== 'cut' && said.status === 202 ? { ...said, status: 200 } : said
  }
  const routes: Route[] = [
    ['POST', /^\/v1\/airtime$/, signed(order)],
    ['GET', /^\/v1\/airtime\/([^/]+)$/, signed(status)],
    [
      'GET',
      /^\/v1\/balance$/,
      signed(() => ({ status: 200, body: { balance: String(books.balance()), currency: 'UGX' } })),
    ],
    ['GET', /^\/v1\/statement$/, signed(statement(books))],
    ['GET', /^\/health$/, () => ({ status: 200, body: { status: 'ok' } })],
  ]
  return {
    routes,
    close() {
      forget()
      books.close()
    },
  }
}
