import type { Request } from '../network/record.ts'

/** The other side of an operation as the protocol shows it. */
export const partyOf = ({ product, party }: Request) => ({
  [product === 'transfer' ? 'payee' : 'payer']: { partyIdType: 'MSISDN', partyId: party },
})
