import { error, type Handler } from '../network/http.ts'
import type { Network } from '../network/network.ts'
import { type DownloadLine, downloadOf } from '../network/statement.ts'

const types: Readonly<Record<DownloadLine['kind'], string>> = {
  funding: 'DEPOSIT',
  payout: 'TRANSFER',
  payIn: 'PAYMENT',
  fee: 'FEE',
  return: 'REVERSAL',
  reversal: 'REVERSAL',
}

const written = (line: DownloadLine) => ({
  financialTransactionId: line.serialNo,
  type: types[line.kind],
  date: line.at,
  amount: `${line.direction === 'out' ? '-' : ''}${line.amount}`,
  externalId: line.externalId,
  partyId: line.counterparty,
  ...(line.relatesTo ? { originalTransactionId: line.relatesTo } : {}),
})

/** `GET account/statement?date=YYYY-MM-DD`: no path of the provider, which gives statements by agreement. */
export const tellStatement =
  (network: Network, account: string): Handler =>
  ({ query }) => {
    const date = query.get('date') ?? ''
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return error(400, 'INVALID_DATE', 'A day is needed.')
    const { opening, closing, lines } = downloadOf(network, account, date)
    const balances = { openingBalance: String(opening), closingBalance: String(closing) }
    return { status: 200, body: { currency: 'UGX', date, ...balances, transactions: lines.map(written) } }
  }
