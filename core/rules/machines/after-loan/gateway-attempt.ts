import { machine } from '../machine.ts'

/** One send to the gateway. */
export const gatewayAttempt = machine({
  id: 'M21',
  name: 'payout_attempt',
  title: 'One send to the gateway',
  table: 'gateway_attempt',
  key: 'external_id',
  status: 'attempt_status',
  dict: 'ATTEMPT_STATUS',
  states: {
    prepared: { tone: 'wait' },
    sent: { tone: 'progress' },
    unknown: { tone: 'attention' },
    succeeded: { tone: 'good', terminal: true },
    failed: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'attempt.prepare', to: 'prepared', perm: 'system' },
    { from: ['prepared'], event: 'attempt.send', to: 'sent', perm: 'system' },
    { from: ['sent'], event: 'answer.ok', to: 'succeeded', perm: 'system' },
    { from: ['sent'], event: 'answer.fail', to: 'failed', perm: 'system' },
    { from: ['sent'], event: 'answer.none', to: 'unknown', perm: 'system' },
    { from: ['unknown'], event: 'query.ok', to: 'succeeded', perm: 'system' },
    { from: ['unknown'], event: 'query.fail', to: 'failed', perm: 'system' },
    { from: ['unknown'], event: 'query.notFound', to: '=', perm: 'system' },
    { from: ['sent', 'unknown'], event: 'callback.success', to: 'succeeded', perm: 'system' },
    { from: ['sent', 'unknown'], event: 'callback.fail', to: 'failed', perm: 'system' },
    { from: ['failed'], event: 'callback.success', to: 'succeeded', perm: 'system' },
    { from: ['succeeded'], event: 'callback.fail', to: '=', perm: 'system' },
  ],
})
