import type { Request, Status } from './record.ts'

/** One request or payment and how far it has come. */
export type Operation = {
  request: Request
  at: number
  asks: number
  done: number
  status: Status
  reason: string | null
  serialNo: string | null
  told: Promise<void>
}

/** The other side of an operation as the protocol shows it. */
export const partyOf = ({ product, party }: Request) => ({
  [product === 'transfer' ? 'payee' : 'payer']: { partyIdType: 'MSISDN', partyId: party },
})
