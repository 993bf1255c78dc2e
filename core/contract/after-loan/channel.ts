import { dictionary } from '../fields.ts'

/** Ways that money is sent and collected: two wallets over their APIs, banks by file, and airtime by its vendor. */
export const channels = dictionary('CHANNEL', ['mtn_momo', 'airtel_money', 'bank_file', 'airtime'])
