import { dictionary } from '../fields.ts'

export const channels = dictionary('CHANNEL', ['mtn_momo', 'airtel_money', 'bank_file'])
