import { createPrivateKey } from 'node:crypto'
import { behaviourOf } from '../network/cases.ts'
import { type Call, type Handler, jsonOf, type Reply } from '../network/http.ts'
import { type Given, garbled, meet } from '../network/meet.ts'
import { collectionAccount, type Network, payoutAccount } from '../network/network.ts'
import { answeredAs, type Operation } from '../network/operation.ts'
import type { Product } from '../network/record.ts'
import type { Scenarios } from '../network/scenarios.ts'
import type { Access } from './access.ts'
import { decrypted, type Keys } from './keys.ts'
import { codeOf, codesOf, envelope, refused, wordOf } from './words.ts'

export type Parts = { network: Network; access: Access; scenarios: Scenarios; keys: Keys }
type Asked = 'transfer' | 'requestToPay'
type Fields = { [field: string]: unknown }

const alphanumeric = /^[A-Za-z0-9]{4,64}$/
const objectIn = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** The request in the body, before a case is chosen for it; or why it is refused. */
const readRequest = ({ keys }: Parts, call: Call, product: Asked): Given | Reply => {
  const body = jsonOf(call)
  if (!body) return refused('ROUTER003', 'Mandatory parameters are missing.')
  const transaction = objectIn(body.transaction)
  const { id, amount } = transaction
  const { msisdn } = objectIn(product === 'transfer' ? body.payee : body.subscriber)
  if (typeof id !== 'string' || !alphanumeric.test(id)) return refused('ESB000033', 'Invalid transaction id.')
  if (!Number.isSafeInteger(amount) || Number(amount) <= 0) return refused('ESB000034', 'Invalid amount.')
  if (typeof msisdn !== 'string' || !/^\d{9}$/.test(msisdn)) return refused('ESB000039', 'Invalid msisdn.')
  if (product === 'transfer') {
    if (typeof body.reference !== 'string' || !alphanumeric.test(body.reference) || transaction.type !== 'B2C')
      return refused('ROUTER003', 'Mandatory parameters are missing.')
    const pin = typeof body.pin === 'string' ? decrypted(createPrivateKey(keys.privateKey), body.pin) : null
    if (pin === null) return refused('ROUTER116', 'The encrypted value of the pin is incorrect.')
    if (pin !== keys.pin) return refused('ROUTER115', 'Pin you have entered is incorrect.')
  }
  return {
    product,
    ref: id,
    externalId: id,
    account: product === 'transfer' ? payoutAccount : collectionAccount,
    party: `256${msisdn}`,
    amount: Number(amount),
    message: String(body.reference ?? ''),
    callbackUrl: null,
  }
}

const answered = (network: Network, operation: Operation): Reply => {
  const now = answeredAs((operation.request.variant === 'atOnce' && network.ask(operation.request.ref)) || operation)
  const { ref } = now.request
  const number = now.serialNo ? { airtel_money_id: now.serialNo } : {}
  return envelope(codeOf(now), {
    data: { transaction: { ...number, id: ref, reference_id: ref, status: wordOf(now) } },
  })
}

/** A repeated reference is refused with one of two codes, and never taken in. */
const repeated = ({ request, status }: Operation): Reply => {
  if (request.product !== 'transfer') return refused('ESB000036', 'Transaction id already exists.')
  const code = status === 'SUCCESSFUL' ? 'DP00900001017' : 'DP00900001011'
  return envelope(code, { success: false, message: 'Duplicate Transaction Id.' })
}

/** Disbursements, and pushes to the phone of a customer. */
export const takeRequest =
  (parts: Parts, product: Asked): Handler =>
  async call => {
    const { network, access, scenarios } = parts
    const given = readRequest(parts, call, product)
    if (given === 'cut' || 'status' in given) return given
    const known = network.find(given.ref)
    if (known) return repeated(known)
    return meet({ network, scenarios }, given, {
      accepted: operation => answered(network, operation),
      busy: status => ({ status, body: { status: { code: String(status), success: false } } }),
      tokenDead: access.revokeAll,
    })
  }

const shown = (operation: Operation) => {
  const { request, reason, serialNo } = operation
  return {
    ...(serialNo ? { airtel_money_id: serialNo } : {}),
    id: request.ref,
    amount: String(request.amount + (behaviourOf(request.code).wrongAmount ? 1000 : 0)),
    msisdn: request.party.replace(/^256/, ''),
    reference: request.externalId,
    message: reason ?? 'SUCCESS',
    status: wordOf(operation),
  }
}

/** Status of the operations of some products. `more` adds what only they tell. */
export const tellStatus =
  ({ network }: Parts, products: readonly Product[], more: (operation: Operation) => object = () => ({})): Handler =>
  async (_call, [ref = '']) => {
    const known = network.find(ref)
    const operation = known && products.includes(known.request.product) ? network.ask(ref) : undefined
    if (!operation)
      return envelope(codesOf(products[0] ?? 'transfer').notFound, {
        success: false,
        message: 'Transaction Not Found.',
      })
    const { code, variant } = operation.request
    if (behaviourOf(code).answering === 'garbled' && operation.asks === 1) return garbled(network, variant)
    const message = operation.reason ?? 'SUCCESS'
    return envelope(codeOf(operation), { message, data: { transaction: { ...shown(operation), ...more(operation) } } })
  }
