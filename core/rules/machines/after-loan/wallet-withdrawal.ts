import { machine } from '../machine.ts'

/** Rewards that a customer takes out to a phone. */
export const walletWithdrawal = machine({
  id: 'M62',
  name: 'wallet_withdrawal',
  title: 'Withdrawal of rewards by a customer',
  table: 'wallet_withdrawal',
  key: 'withdraw_no',
  status: 'withdraw_status',
  dict: 'WALLET_WITHDRAW_STATUS',
  states: {
    paying: { tone: 'progress' },
    success: { tone: 'good', terminal: true },
    pay_failed: { tone: 'bad' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'wallet.withdraw', to: 'paying', perm: 'system' },
    { from: ['paying'], event: 'gateway.success', to: 'success', as: 'newest', perm: 'system' },
    { from: ['paying'], event: 'gateway.success', to: '=', as: 'earlier', perm: 'system' },
    { from: ['pay_failed'], event: 'gateway.success', to: 'success', as: 'late', perm: 'system' },
    { from: ['pay_failed'], event: 'gateway.success', to: '=', as: 'overtaken', perm: 'system' },
    { from: ['cancelled'], event: 'gateway.success', to: '=', perm: 'system' },
    { from: ['success'], event: 'gateway.success', to: '=', as: 'again', perm: 'system' },
    { from: ['success'], event: 'gateway.success', to: '=', as: 'other', perm: 'system' },
    { from: ['paying'], event: 'gateway.failure', to: 'pay_failed', perm: 'system' },
    { from: ['paying'], event: 'manual.confirm', to: 'success', as: 'success', perm: 'fund:payout:confirm' },
    { from: ['paying'], event: 'manual.confirm', to: 'pay_failed', as: 'failure', perm: 'fund:payout:confirm' },
    { from: ['pay_failed'], event: 'wallet.retry', to: 'paying', perm: 'fund:payout:retry' },
    { from: ['pay_failed'], event: 'wallet.cancel', to: 'cancelled', perm: 'fund:payout:cancel' },
    { from: ['paying'], event: 'wallet.cancel', to: '=', perm: 'fund:payout:cancel', refused: true },
  ],
})
