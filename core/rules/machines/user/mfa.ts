import { machine } from '../machine.ts'

/** Authenticator binding: one factor a person. */
export const mfa = machine({
  id: 'M07',
  name: 'mfa',
  title: 'Authenticator binding',
  table: 'user_mfa',
  key: 'user_no',
  status: 'mfa_status',
  dict: 'MFA_STATUS',
  states: {
    unbound: { tone: 'attention' },
    binding: { tone: 'progress' },
    bound: { tone: 'good' },
  },
  rows: [
    { from: ['∅'], event: 'user.add', to: 'unbound', perm: 'user:add' },
    { from: ['unbound'], event: 'bind.start', to: 'binding' },
    { from: ['binding'], event: 'bind.confirm', to: 'bound', as: 'right' },
    { from: ['binding'], event: 'bind.confirm', to: '=', as: 'wrong' },
    { from: ['binding'], event: 'clock.ttl', to: 'unbound', perm: 'system' },
    { from: ['binding'], event: 'qr.refresh', to: '=' },
    { from: ['bound'], event: 'mfa.reset', to: 'unbound', perm: 'user:resetMfa' },
    { from: ['bound'], event: 'totp.use', to: '=' },
    { from: ['bound'], event: 'recovery.use', to: '=' },
  ],
})
