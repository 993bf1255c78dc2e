import { machine } from '../machine.ts'

/** Money that a merchant paid in for what it consumes. */
export const merchantRecharge = machine({
  id: 'M87',
  name: 'merchant_recharge',
  title: 'Top-up of a merchant',
  table: 'merchant_recharge',
  key: 'recharge_no',
  status: 'recharge_status',
  dict: 'RECHARGE_STATUS',
  states: {
    pending: { tone: 'wait' },
    confirmed: { tone: 'good' },
    rejected: { tone: 'bad' },
    reversed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'recharge.submit', to: 'pending', perm: 'merchant:recharge:submit' },
    { from: ['pending'], event: 'recharge.audit', to: 'confirmed', as: 'approve', perm: 'merchant:recharge:audit' },
    { from: ['pending'], event: 'recharge.audit', to: 'rejected', as: 'reject', perm: 'merchant:recharge:audit' },
    { from: ['rejected'], event: 'recharge.resubmit', to: 'pending', perm: 'merchant:recharge:submit' },
    { from: ['confirmed'], event: 'recharge.reverse', to: 'reversed', perm: 'merchant:recharge:reverse' },
  ],
})
