import type { Access } from './access.ts'
import { behaviourOf } from './cases.ts'
import { type Call, error, type Handler, header, jsonOf, type Reply } from './http.ts'
import { collectionAccount, type Network, payoutAccount } from './network.ts'
import { type Operation, partyOf } from './operation.ts'
import type { Product, Request } from './record.ts'
import type { Scenarios } from './scenarios.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const badRequest: Reply = { status: 400 }

export type Parts = { network: Network; access: Access; scenarios: Scenarios }

const noteFits = (value: unknown): value is string =>
  value === undefined || (typeof value === 'string' && value.length <= 160 && !value.includes("'"))

/** The request in the body, before a case is chosen for it; or why it is refused. */
const readRequest = (call: Call, product: 'transfer' | 'requestToPay'): Omit<Request, 'code' | 'variant'> | Reply => {
  const ref = header(call, 'X-Reference-Id') ?? ''
  const body = jsonOf(call)
  const party = body?.[product === 'transfer' ? 'payee' : 'payer'] as
    | { partyIdType?: unknown; partyId?: unknown }
    | undefined
  if (!uuid.test(ref) || !body || !noteFits(body.payerMessage) || !noteFits(body.payeeNote)) return badRequest
  if (typeof body.amount !== 'string' || !/^[1-9]\d{0,11}$/.test(body.amount)) return badRequest
  if (party?.partyIdType !== 'MSISDN' || typeof party.partyId !== 'string' || !/^\d{9,15}$/.test(party.partyId))
    return badRequest
  if (typeof body.externalId !== 'string' || !body.externalId) return badRequest
  if (body.currency !== 'UGX') return error(500, 'INVALID_CURRENCY', 'Currency not supported.')
  return {
    product,
    ref,
    externalId: body.externalId,
    account: product === 'transfer' ? payoutAccount : collectionAccount,
    party: party.partyId,
    amount: Number(body.amount),
    message: body.payerMessage ?? '',
    callbackUrl: header(call, 'X-Callback-Url') || null,
  }
}

const garbled = async (network: Network, variant: string | null): Promise<Reply> => {
  if (variant === 'html') return { status: 200, type: 'text/html', text: '<html><body>Service busy</body></html>' }
  if (variant === 'empty') return { status: 200 }
  if (variant === 'broken') return { status: 200, type: 'application/json', text: '{"status": "SUCC' }
  if (variant === 'late') await network.pass(61)
  return error(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.')
}

/** `POST transfer` and `POST requesttopay`. */
export const takeRequest =
  ({ network, access, scenarios }: Parts, product: 'transfer' | 'requestToPay'): Handler =>
  async call => {
    const given = readRequest(call, product)
    if (given === 'cut' || 'status' in given) return given
    const { ref } = given
    if (network.find(ref))
      return error(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')

    const before = network.turnedAway(ref)
    const { code, variant } = before ?? scenarios.choose(given.externalId, given.party)
    const { answering } = behaviourOf(code)
    const turnAway =
      answering === 'lost' ||
      (!before && (answering === 'busy' || answering === 'tokenDies')) ||
      variant === 'persistent'
    if (turnAway) {
      network.turnAway(ref, code, variant)
      if (answering === 'lost') return 'cut'
      if (answering === 'busy') return { status: Number(variant ?? 503), body: { message: 'Try again later.' } }
      access.revokeAll()
      return access.denied()
    }

    const operation = network.take({ ...given, code, variant })
    if (answering === 'cut') return 'cut'
    if (answering === 'garbled') return garbled(network, variant)
    if (answering === 'callbackFirst') await operation.told
    if (answering === 'held') await network.pass(5)
    return { status: 202 }
  }

const shown = ({ request, status, reason, serialNo }: Operation) => ({
  amount: String(request.amount + (behaviourOf(request.code).wrongAmount ? 1000 : 0)),
  currency: 'UGX',
  ...(serialNo ? { financialTransactionId: serialNo } : {}),
  externalId: request.externalId,
  ...partyOf(request),
  payerMessage: request.message,
  payeeNote: request.message,
  status,
  ...(reason ? { reason } : {}),
})

/** `GET …/{ref}` of one product. `more` adds what only that product tells. */
export const tellStatus =
  ({ network }: Parts, product: Product, more: (operation: Operation) => object = () => ({})): Handler =>
  async (_call, [ref = '']) => {
    const operation = network.find(ref)?.request.product === product ? network.ask(ref) : undefined
    if (!operation) return error(404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.')
    const { code, variant } = operation.request
    if (behaviourOf(code).answering === 'garbled' && operation.asks === 1) return garbled(network, variant)
    return { status: 200, body: { ...shown(operation), ...more(operation) } }
  }
