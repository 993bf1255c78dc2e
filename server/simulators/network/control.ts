import { isPayInCase, isRequestCase } from './cases.ts'
import type { Channel } from './channel.ts'
import { type Call, type Handler, jsonOf, type Reply, type Route } from './http.ts'
import { collectionAccount, type Network, payoutAccount } from './network.ts'
import type { Scenarios } from './scenarios.ts'
import { defaultMix, type Mix } from './seed.ts'
import { csvOf, dayOf, statementOf, twoPlaces } from './statement.ts'

const wrong = (message: string): Reply => ({ status: 400, body: { message } })
const ok = (body: object = {}): Reply => ({ status: 200, body })

const word = (value: unknown): string => (typeof value === 'string' ? value : '')
/** Whole shillings, as a number, `"5000"` or `"5000.00"`. */
const amountOf = (value: unknown): number | null => {
  const match = /^([1-9]\d{0,11})(\.00)?$/.exec(String(value))
  return match ? Number(match[1]) : null
}

const isMix = (value: unknown): value is Mix =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([code, parts]) => (isRequestCase(code) || isPayInCase(code)) && typeof parts === 'number' && parts >= 0,
  )

const withBody =
  (handle: (body: { [field: string]: unknown }) => Reply): Handler =>
  (call: Call) => {
    const body = jsonOf(call)
    return body ? handle(body) : wrong('a JSON object is needed')
  }

/** What only operators of the simulator use: choose cases, let customers pay, move the clock, see the truth. */
export const controlRoutes = ({
  channel,
  network,
  scenarios,
}: {
  channel: Channel
  network: Network
  scenarios: Scenarios
}): Route[] => [
  [
    'GET',
    /^\/health$/,
    () => ok({ status: 'ok', now: new Date(network.now()).toISOString(), telling: network.telling() }),
  ],
  [
    'POST',
    /^\/_sim\/scenario$/,
    withBody(body => {
      const { match, case: code } = body
      if ((body.channel ?? channel.channel) !== channel.channel) return wrong('unknown channel')
      if (!isRequestCase(code) || !channel.cases.includes(code)) return wrong('unknown case')
      if (match !== 'payee' && match !== 'externalId' && match !== 'next') return wrong('unknown match')
      if (match !== 'next' && !word(body.value)) return wrong('value is missing')
      scenarios.set({ match, value: word(body.value), code, variant: word(body.variant) || null })
      return ok()
    }),
  ],
  [
    'POST',
    /^\/_sim\/pay-in$/,
    withBody(body => {
      const amount = amountOf(body.amount)
      const reference = word(body.reference)
      const payer = word(body.payer)
      const code = body.case ?? scenarios.choosePayIn(payer, network.met(payer))
      if (!isPayInCase(code)) return wrong('unknown case')
      if (amount === null || !reference || !/^\d{9,15}$/.test(payer))
        return wrong('amount, reference or payer is missing')
      const operation = network.payIn({
        account: word(body.account) || collectionAccount,
        reference,
        payer,
        amount,
        code,
        serialNo: word(body.serialNo),
      })
      return ok({ referenceId: operation.request.ref, financialTransactionId: operation.serialNo })
    }),
  ],
  [
    'POST',
    /^\/_sim\/seed$/,
    withBody(body => {
      const { seed = null, mix = defaultMix } = body
      if (seed !== null && !Number.isSafeInteger(seed)) return wrong('seed must be a whole number, or null')
      if (!isMix(mix)) return wrong('mix must name cases with their parts')
      network.setSeed({ seed: seed as number | null, mix })
      return ok({ seed, mix })
    }),
  ],
  [
    'GET',
    /^\/_sim\/operations$/,
    () =>
      ok({
        operations: network.all().map(({ request, status, reason, serialNo, asks }) => ({
          ...request,
          amount: twoPlaces(request.amount),
          status,
          reason,
          serialNo,
          asks,
        })),
        lost: network.lost(),
      }),
  ],
  [
    'POST',
    /^\/_sim\/clock$/,
    withBody(body => {
      const seconds = Number(body.seconds)
      if (!(seconds >= 0 && seconds <= 400 * 86_400)) return wrong('seconds must be 0 or more')
      network.moveClock(seconds)
      return ok({ now: new Date(network.now()).toISOString() })
    }),
  ],
  [
    'POST',
    /^\/_sim\/fund$/,
    withBody(body => {
      const amount = amountOf(body.amount)
      if (amount === null) return wrong('amount is missing')
      network.fund(word(body.account) || payoutAccount, amount)
      return ok()
    }),
  ],
  [
    'POST',
    /^\/_sim\/holder$/,
    withBody(body => {
      if (!word(body.phone) || !word(body.name)) return wrong('phone or name is missing')
      network.nameHolder(word(body.phone), word(body.name))
      return ok()
    }),
  ],
  [
    'GET',
    /^\/_sim\/truth$/,
    ({ query }) => {
      const wanted = (name: 'ref' | 'externalId', value: string) => !query.has(name) || query.get(name) === value
      const movements = network.moved
        .filter(m => !query.has('date') || dayOf(m.at) === query.get('date'))
        .filter(m => wanted('ref', m.ref) && wanted('externalId', m.externalId))
        .map(m => ({ ...m, amount: twoPlaces(m.amount), fee: twoPlaces(m.fee) }))
      const balances = Object.fromEntries(
        [payoutAccount, collectionAccount].map(account => [account, twoPlaces(network.balance(account))]),
      )
      return ok({ movements, balances })
    },
  ],
  [
    'GET',
    /^\/_sim\/statement$/,
    ({ query }) => {
      const today = dayOf(new Date(network.now()).toISOString())
      const statement = statementOf(network, query.get('account') ?? payoutAccount, query.get('date') ?? today)
      return query.get('format') === 'csv'
        ? { status: 200, type: 'text/csv; charset=utf-8', text: csvOf(statement.lines) }
        : ok(statement)
    },
  ],
]
