import { behaviourOf } from '../network/cases.ts'
import type { Reply } from '../network/http.ts'
import type { Operation } from '../network/operation.ts'
import type { Product } from '../network/record.ts'

const payout = {
  pending: 'DP00900001006',
  ambiguous: 'DP00900001000',
  success: 'DP00900001001',
  failure: 'DP00900001005',
  notFound: 'DP00900001015',
}
const collect = {
  pending: 'DP00800001006',
  ambiguous: 'DP00800001000',
  success: 'DP00800001001',
  failure: 'DP00800001008',
  notFound: 'DP00800001025',
}

/** The codes in which the network speaks of payouts, and of payments to its customer. */
export const codesOf = (product: Product) => (product === 'transfer' ? payout : collect)

/** An answer as every product of the network gives it. */
export const envelope = (
  responseCode: string,
  o: { data?: object; message?: string; success?: boolean; status?: number } = {},
): Reply => ({
  status: o.status ?? 200,
  body: {
    ...(o.data ? { data: o.data } : {}),
    status: {
      response_code: responseCode,
      code: String(o.status ?? 200),
      success: o.success ?? true,
      result_code: o.success === false ? 'ESB000008' : 'ESB000010',
      message: o.message ?? 'SUCCESS',
    },
  },
})

/** What the network refuses before it looks at the money. */
export const refused = (resultCode: string, message: string): Reply => ({
  status: 400,
  body: { status: { code: '400', success: false, result_code: resultCode, message } },
})

const isAmbiguous = ({ request }: Operation): boolean => behaviourOf(request.code).ambiguous === true

/** The word for how far an operation has come. */
export const wordOf = (operation: Operation): 'TS' | 'TF' | 'TIP' | 'TA' => {
  if (operation.status === 'SUCCESSFUL') return 'TS'
  if (operation.status === 'FAILED') return 'TF'
  return isAmbiguous(operation) ? 'TA' : 'TIP'
}

/** The code that goes with the word. */
export const codeOf = (operation: Operation): string => {
  const codes = codesOf(operation.request.product)
  if (operation.status === 'SUCCESSFUL') return codes.success
  if (operation.status === 'FAILED') return operation.reason ?? codes.failure
  return isAmbiguous(operation) ? codes.ambiguous : codes.pending
}
