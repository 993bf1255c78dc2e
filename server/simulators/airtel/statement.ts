import type { Handler } from '../network/http.ts'
import type { Network } from '../network/network.ts'
import { type DownloadLine, downloadOf } from '../network/statement.ts'
import { envelope, refused } from './words.ts'

const services: Readonly<Record<DownloadLine['kind'], string>> = {
  funding: 'TOPUP',
  payout: 'B2C',
  payIn: 'C2B',
  fee: 'CHARGE',
  return: 'ROLLBACK',
  reversal: 'ROLLBACK',
}

const written = (line: DownloadLine) => ({
  airtel_money_id: line.serialNo,
  service_type: services[line.kind],
  transaction_date: line.at,
  debit: line.direction === 'out' ? String(line.amount) : '',
  credit: line.direction === 'in' ? String(line.amount) : '',
  reference: line.externalId,
  msisdn: line.counterparty.replace(/^256/, ''),
  original_id: line.relatesTo,
})

/** `GET statements/{account}?date=YYYY-MM-DD`: no path of the provider, which gives statements by agreement. */
export const tellStatement =
  (network: Network): Handler =>
  ({ query }, [account = '']) => {
    const date = query.get('date') ?? ''
    if (!/^\d{4}-\d\d-\d\d$/.test(date)) return refused('ROUTER003', 'Mandatory parameters are missing.')
    const { opening, closing, lines } = downloadOf(network, account, date)
    const balances = { opening_balance: String(opening), closing_balance: String(closing) }
    return envelope('DP02100000001', { data: { currency: 'UGX', date, ...balances, transactions: lines.map(written) } })
  }
