/**
 * A bank as a process of its own: takes payment files (pain.001) from a shared folder, writes its answers (pain.002) into
 * it, its statements (camt.053) as well, and keeps its own record of what it really paid. Environment: PORT (8092; 0 takes a free one), HOST (127.0.0.1),
 * DATA_DIR (.data/bank), OPENING_BALANCE (100000000), FOLDER (.data/bank-folder): in it one folder for each account, with
 * `out`, `in` and `statements`.
 */
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openBank } from './bank/bank.ts'
import { isFileCase, isPaymentCase } from './bank/cases.ts'
import { type Call, jsonOf, type Reply, type Route, serveRoutes } from './network/http.ts'
import { dayOf, twoPlaces } from './network/statement.ts'

const { env } = process
const folder = env.FOLDER ?? '.data/bank-folder'
mkdirSync(folder, { recursive: true })
const bank = openBank({
  dir: env.DATA_DIR ?? '.data/bank',
  folder,
  opening: Number(env.OPENING_BALANCE ?? 100_000_000),
})

const ok = (body: object = {}): Reply => ({ status: 200, body })
const wrong = (message: string): Reply => ({ status: 400, body: { message } })

const scenario = (call: Call): Reply => {
  const { match, case: code, value = '', variant = null } = jsonOf(call) ?? {}
  if (match === 'payee' ? !isPaymentCase(code) : !isFileCase(code)) return wrong('unknown case')
  if (match !== 'payee' && match !== 'next') return wrong('unknown match')
  bank.set({ match, value: String(value), code: code as never, variant: variant === null ? null : String(variant) })
  return ok()
}
const clock = async (call: Call): Promise<Reply> => {
  const seconds = Number(jsonOf(call)?.seconds)
  if (!(seconds >= 0 && seconds <= 400 * 86_400)) return wrong('seconds must be 0 or more')
  bank.moveClock(seconds)
  await bank.round()
  return ok({ now: new Date(bank.now()).toISOString() })
}
const truth = ({ query }: Call): Reply => {
  const movements = bank.moved.filter(one => !query.has('date') || dayOf(one.at) === query.get('date'))
  return ok({ movements: movements.map(one => ({ ...one, amount: twoPlaces(one.amount) })) })
}

const routes: Route[] = [
  ['GET', /^\/health$/, () => ok({ status: 'ok', now: new Date(bank.now()).toISOString() })],
  ['POST', /^\/_sim\/scenario$/, scenario],
  ['POST', /^\/_sim\/clock$/, clock],
  /** Looks into the folder at once. */
  ['POST', /^\/_sim\/look$/, () => bank.round().then(() => ok())],
  ['GET', /^\/_sim\/truth$/, truth],
]

const server = createServer(serveRoutes(routes))
server.listen(Number(env.PORT ?? 8092), env.HOST ?? '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ listening: (server.address() as AddressInfo).port })}\n`)
})
const ticker = setInterval(() => void bank.round().catch(() => undefined), 250)
const stop = () => {
  clearInterval(ticker)
  server.close()
  bank.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
