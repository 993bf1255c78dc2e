import { behaviourOf } from '../network/cases.ts'
import { type Call, error, type Handler, header, jsonOf, type Reply } from '../network/http.ts'
import { type Given, garbled, meet } from '../network/meet.ts'
import { collectionAccount, type Network, payoutAccount } from '../network/network.ts'
import type { Operation } from '../network/operation.ts'
import type { Product } from '../network/record.ts'
import type { Scenarios } from '../network/scenarios.ts'
import type { Access } from './access.ts'
import { partyOf } from './party.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const badRequest: Reply = { status: 400 }

export type Parts = { network: Network; access: Access; scenarios: Scenarios }

const noteFits = (value: unknown): value is string =>
  value === undefined || (typeof value === 'string' && value.length <= 160 && !value.includes("'"))

/** The request in the body, before a case is chosen for it; or why it is refused. */
const readRequest = (call: Call, product: 'transfer' | 'requestToPay'): Given | Reply => {
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

/** `POST transfer` and `POST requesttopay`. */
export const takeRequest =
  ({ network, access, scenarios }: Parts, product: 'transfer' | 'requestToPay'): Handler =>
  async call => {
    const given = readRequest(call, product)
    if (given === 'cut' || 'status' in given) return given
    if (network.find(given.ref))
      return error(409, 'RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.')
    return meet({ network, scenarios }, given, {
      accepted: () => ({ status: 202 }),
      busy: status => ({ status, body: { message: 'Try again later.' } }),
      tokenDead() {
        access.revokeAll()
        return access.denied()
      },
    })
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
