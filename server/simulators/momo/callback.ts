import { randomUUID } from 'node:crypto'
import type { Lie } from '../network/cases.ts'
import type { Operation } from '../network/operation.ts'
import type { Request } from '../network/record.ts'
import { partyOf } from './party.ts'

const lies: { [lie in Lie]: (request: Request) => object } = {
  failed: () => ({ status: 'FAILED', reason: 'INTERNAL_PROCESSING_ERROR' }),
  unknownRef: () => ({ externalId: `unknown-${randomUUID()}` }),
  otherAmount: request => ({ amount: String(request.amount + 1000) }),
  otherParty: request => partyOf({ ...request, party: '256770000000' }),
}

/** What a callback says: the truth, a lie, or with `forgedSerial` a success that never was. */
export const callbackBody = (
  { request, status, reason, serialNo }: Operation,
  lie?: Lie,
  forgedSerial: string | null = null,
) => {
  const serial = serialNo ?? forgedSerial
  return {
    ...(serial ? { financialTransactionId: serial } : {}),
    externalId: request.externalId,
    amount: String(request.amount),
    currency: 'UGX',
    ...partyOf(request),
    payeeNote: request.message,
    status: forgedSerial ? 'SUCCESSFUL' : status,
    ...(reason ? { reason } : {}),
    ...(request.product === 'payIn' ? { referenceId: request.ref } : {}),
    ...(lie ? lies[lie](request) : {}),
  }
}
