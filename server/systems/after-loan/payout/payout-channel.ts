import { sql } from 'kysely'
import type { channels } from '../../../../core/contract/after-loan/channel.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import type { Tx } from '../../../db/database.ts'
import { system } from '../../../rights/actor.ts'
import { create } from '../../../states/transition.ts'

export type Channel = ValueOf<typeof channels>

/** The channel that reaches each kind of account. */
export const channelOf: Readonly<Record<string, Channel>> = {
  mtn: 'mtn_momo',
  airtel: 'airtel_money',
  bank_transfer: 'bank_file',
}

const installed: Readonly<Record<Channel, string>> = {
  mtn_momo: 'MTN MoMo',
  airtel_money: 'Airtel Money',
  bank_file: 'Bank',
  airtime: 'Airtime',
}

/** The channels that the server knows, so that they can be watched and paused. */
export const installChannels = async (tx: Tx): Promise<void> => {
  for (const [channel, channelName] of Object.entries(installed)) {
    if (await tx.maybe(sql`select 1 from channel where channel = ${channel}`)) continue
    await create(tx, 'payoutChannel', { channel, channelName }, { event: 'channel.create' }, system('installation'))
  }
}
