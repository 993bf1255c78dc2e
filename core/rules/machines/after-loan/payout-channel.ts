import { machine } from '../machine.ts'

/** Whether payouts go out over a channel just now. */
export const payoutChannel = machine({
  id: 'M102',
  name: 'payout_channel',
  title: 'Pause of a payout channel',
  table: 'channel',
  key: 'channel',
  status: 'pause_status',
  dict: 'CHANNEL_PAUSE_STATUS',
  states: {
    open: { tone: 'good' },
    paused: { tone: 'attention' },
  },
  rows: [
    { from: ['∅'], event: 'channel.create', to: 'open', perm: 'system' },
    { from: ['open'], event: 'channel.pause', to: 'paused', as: 'person', perm: 'fund:channel:pause' },
    { from: ['open'], event: 'channel.pause', to: 'paused', as: 'system', perm: 'system' },
    { from: ['paused'], event: 'channel.resume', to: 'open', perm: 'fund:channel:pause' },
  ],
})
