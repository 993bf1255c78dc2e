import { randomUUID } from 'node:crypto'
import { type RequestCase, requestCases } from '../network/cases.ts'
import type { Channel } from '../network/channel.ts'
import type { Protocol } from '../network/serve.ts'
import { openAccess } from './access.ts'
import { callbackBody } from './callback.ts'
import type { Keys } from './keys.ts'
import { collectionRoutes, disbursementRoutes } from './protocol.ts'

const code = (n: number) => `DP00900001${String(n).padStart(3, '0')}`

/** The paying side has codes of its own. */
const payerCodes: Readonly<Record<string, string>> = {
  [code(3)]: 'DP00800001003',
  [code(4)]: 'DP00800001004',
  [code(7)]: 'DP00800001007',
  [code(9)]: 'DP00800001010',
  [code(10)]: 'DP00800001010',
  [code(12)]: 'DP00800001010',
}

const two = (n: number) => String(n).padStart(2, '0')

const airtel = ({ callbackKey }: Keys): Channel => ({
  channel: 'airtel_money',
  file: 'airtel',
  cases: Object.keys(requestCases) as RequestCase[],
  variants: {
    G01: ['later', 'atOnce'],
    G03: [3, 4, 5, 9, 10, 12, 13].map(code),
    G18: [code(7)],
    G19: [code(3)],
  },
  failure: { general: code(5), funds: code(7) },
  payerReason: reason => payerCodes[reason] ?? 'DP00800001008',
  newRef: () => randomUUID().replaceAll('-', ''),
  serialOf(at, nth) {
    const day = at.toISOString().slice(2, 10).replaceAll('-', '')
    return `MP${day}.${two(at.getUTCHours())}${two(at.getUTCMinutes())}.L${String(nth).padStart(6, '0')}`
  },
  callback: (operation, o) => ({ method: 'POST', body: callbackBody(operation, { ...o, key: callbackKey }) }),
})

/** Airtel Money as its provider describes it. */
export const airtelProtocol = (keys: Keys): Protocol => ({
  channel: airtel(keys),
  routes({ network, scenarios }) {
    const parts = { network, scenarios, keys, access: openAccess(keys, network.now) }
    return [...disbursementRoutes(parts), ...collectionRoutes(parts)]
  },
})
