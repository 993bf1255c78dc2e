import { machine } from '../machine.ts'

/** Six digits that prove a channel for ten minutes. */
export const verificationCode = machine({
  id: 'M09',
  name: 'verification_code',
  title: 'Code sent by e-mail or SMS',
  table: 'verify_code',
  key: 'code_no',
  status: 'code_status',
  dict: 'VERIFY_CODE_STATUS',
  states: {
    sent: { tone: 'wait' },
    used: { tone: 'good', terminal: true },
    expired: { tone: 'ended', terminal: true },
    burned: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'code.send', to: 'sent', perm: 'anon' },
    { from: ['sent'], event: 'code.verify', to: 'used', as: 'right', perm: 'anon' },
    { from: ['sent'], event: 'code.verify', to: '=', as: 'wrong', perm: 'anon' },
    { from: ['sent'], event: 'code.verify', to: 'burned', as: 'burned', perm: 'anon' },
    { from: ['sent'], event: 'code.supersede', to: 'burned', perm: 'system' },
    { from: ['sent'], event: 'clock.ttl', to: 'expired', perm: 'system' },
  ],
})
