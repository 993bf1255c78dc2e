import type { channels } from '../../../../core/contract/after-loan/channel.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'

export type Channel = ValueOf<typeof channels>

/** The channel that reaches each kind of account. */
export const channelOf: Readonly<Record<string, Channel>> = {
  mtn: 'mtn_momo',
  airtel: 'airtel_money',
  bank_transfer: 'bank_file',
}
