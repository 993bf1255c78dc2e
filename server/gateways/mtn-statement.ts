import type { ReadStatement } from './gateway.ts'
import type { Client } from './http-client.ts'
import { fields, own } from './read.ts'
import { type LineKinds, readStatement } from './statement-read.ts'

const kinds: LineKinds = {
  DEPOSIT: 'payment',
  TRANSFER: 'payment',
  PAYMENT: 'payment',
  FEE: 'fee',
  REVERSAL: 'reversal',
}

/**
 * The statement of one product's account. The provider gives statements by agreement and publishes no path for them:
 * `account/statement` is the one agreed with our simulator.
 */
export const mtnStatement =
  (client: Client): ReadStatement =>
  async date => {
    const reply = await client.call({ method: 'GET', path: `/account/statement?date=${date}` })
    const body = reply.kind === 'http' && reply.status === 200 ? fields(reply.body) : {}
    const { openingBalance: opening, closingBalance: closing, currency, transactions } = body
    const lines = Array.isArray(transactions) ? transactions.map(fields) : undefined
    return readStatement(reply, date, {
      opening,
      closing,
      currency,
      lines: lines?.map(line => ({
        serialNo: line.financialTransactionId,
        amount: line.amount,
        time: line.date,
        lineKind: own(kinds, String(line.type)),
        reference: line.externalId,
        relatesTo: line.originalTransactionId,
        payerAccount: line.partyId,
        narrative: line.type,
      })),
    })
  }
