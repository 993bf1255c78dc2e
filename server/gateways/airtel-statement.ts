import { phoneOf } from './airtel-client.ts'
import type { ReadStatement } from './gateway.ts'
import type { Client } from './http-client.ts'
import { fields, own, text } from './read.ts'
import { type LineKinds, readStatement } from './statement-read.ts'

const kinds: LineKinds = {
  TOPUP: 'payment',
  B2C: 'payment',
  C2B: 'payment',
  CHARGE: 'fee',
  ROLLBACK: 'reversal',
}

/** A debit and a credit column as one signed amount. */
const amountOf = ({ debit, credit }: Record<string, unknown>) => (text(debit) ? `-${text(debit)}` : credit)

/**
 * The statement of the paying or the receiving account. The provider gives statements by agreement and publishes no path
 * for them: `statements/{account}` is the one agreed with our simulator.
 */
export const airtelStatement =
  (client: Client, account: 'disbursement' | 'collection'): ReadStatement =>
  async date => {
    const reply = await client.call({ method: 'GET', path: `/standard/v1/statements/${account}?date=${date}` })
    const body = reply.kind === 'http' && reply.status === 200 ? fields(fields(reply.body).data) : {}
    const { opening_balance: opening, closing_balance: closing, currency, transactions } = body
    const lines = Array.isArray(transactions) ? transactions.map(fields) : undefined
    return readStatement(reply, date, {
      opening,
      closing,
      currency,
      lines: lines?.map(line => ({
        serialNo: line.airtel_money_id,
        amount: amountOf(line),
        time: line.transaction_date,
        lineKind: own(kinds, String(line.service_type)),
        reference: line.reference,
        relatesTo: line.original_id,
        payerAccount: text(line.msisdn) && phoneOf(String(line.msisdn)),
        narrative: line.service_type,
      })),
    })
  }
