import type { dictionaries } from '../../../../core/contract/dictionaries.ts'

export type Channel = (typeof dictionaries.CHANNEL)[number]

/** The channel that reaches each kind of account. */
export const channelOf: Readonly<Record<string, Channel>> = {
  mtn: 'mtn_momo',
  airtel: 'airtel_money',
  bank_transfer: 'bank_file',
}
