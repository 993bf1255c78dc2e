import { randomUUID } from 'node:crypto'
import { type RequestCase, requestCases } from '../network/cases.ts'
import type { Channel } from '../network/channel.ts'
import type { Protocol } from '../network/serve.ts'
import { type Keys, openAccess } from './access.ts'
import { callbackBody } from './callback.ts'
import { collectionRoutes, disbursementRoutes } from './protocol.ts'

/** Words for the same failure on the paying side. */
const payerReasons: Readonly<Record<string, string>> = {
  PAYEE_NOT_FOUND: 'PAYER_NOT_FOUND',
  PAYEE_NOT_ALLOWED_TO_RECEIVE: 'SENDER_ACCOUNT_NOT_ACTIVE',
}

const funds = 'NOT_ENOUGH_FUNDS'

const momo: Channel = {
  channel: 'mtn_momo',
  file: 'momo',
  cases: (Object.keys(requestCases) as RequestCase[]).filter(code => code !== 'G20'),
  variants: {
    G03: [
      'PAYEE_NOT_FOUND',
      'PAYEE_NOT_ALLOWED_TO_RECEIVE',
      'INTERNAL_PROCESSING_ERROR',
      'COULD_NOT_PERFORM_TRANSACTION',
    ],
    G18: [funds],
    G19: [funds],
  },
  failure: { general: 'INTERNAL_PROCESSING_ERROR', funds },
  payerReason: reason => payerReasons[reason] ?? reason,
  newRef: randomUUID,
  serialOf: (at, nth) => `${Math.floor(at.getTime() / 1000)}${String(nth % 1000).padStart(3, '0')}`,
  callback: (operation, o) => ({
    method: operation.request.product === 'payIn' ? 'POST' : 'PUT',
    body: callbackBody(operation, o.lie, o.forgedSerial),
  }),
}

/** MTN MoMo as its provider describes it. */
export const momoProtocol = (keys: Keys): Protocol => ({
  channel: momo,
  routes({ network, scenarios }) {
    const parts = { network, scenarios, access: openAccess(keys, network.now) }
    return [...disbursementRoutes(parts), ...collectionRoutes(parts)]
  },
})
