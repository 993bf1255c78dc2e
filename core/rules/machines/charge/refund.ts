import { machine } from '../machine.ts'

/** Money given back to a customer, as far as its payout goes; its review and its account check are machines of their own. */
export const refund = machine({
  id: 'M41',
  name: 'refund',
  title: 'Refund to a customer: payout',
  table: 'client_refund',
  key: 'refund_no',
  status: 'refund_status',
  dict: 'REFUND_STATUS',
  states: {
    created: { tone: 'wait' },
    in_progress: { tone: 'progress' },
    success: { tone: 'good', terminal: true },
    failure: { tone: 'bad' },
    closed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'refund.submit', to: 'created', perm: 'refund:submit' },
    { from: ['created'], event: 'refund.payout', to: 'in_progress', perm: 'refund:payout' },
    { from: ['in_progress'], event: 'gateway.success', to: 'success', as: 'newest', perm: 'system' },
    { from: ['in_progress'], event: 'gateway.success', to: '=', as: 'earlier', perm: 'system' },
    { from: ['failure'], event: 'gateway.success', to: 'success', as: 'late', perm: 'system' },
    { from: ['failure'], event: 'gateway.success', to: '=', as: 'overtaken', perm: 'system' },
    { from: ['created', 'closed'], event: 'gateway.success', to: '=', perm: 'system' },
    { from: ['success'], event: 'gateway.success', to: '=', as: 'again', perm: 'system' },
    { from: ['success'], event: 'gateway.success', to: '=', as: 'other', perm: 'system' },
    { from: ['in_progress'], event: 'gateway.failure', to: 'failure', perm: 'system' },
    { from: ['in_progress'], event: 'gateway.unknown', to: '=', perm: 'system' },
    { from: ['in_progress'], event: 'manual.confirm', to: 'success', as: 'success', perm: 'fund:payout:confirm' },
    { from: ['in_progress'], event: 'manual.confirm', to: 'failure', as: 'failure', perm: 'fund:payout:confirm' },
    { from: ['failure'], event: 'refund.again', to: 'in_progress', perm: 'refund:payout' },
    { from: ['failure'], event: 'refund.editPayee', to: 'created', perm: 'refund:submit' },
    { from: ['created'], event: 'clock.autoClose', to: 'closed', perm: 'system' },
    { from: ['created', 'failure'], event: 'refund.close', to: 'closed', perm: 'refund:check or refund:submit' },
  ],
})
