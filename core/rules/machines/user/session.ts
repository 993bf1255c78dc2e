import { machine } from '../machine.ts'

/** What a person works with after signing in, until it ends for one of several reasons. */
export const session = machine({
  id: 'M02',
  name: 'session',
  title: 'Staff session',
  table: 'session',
  key: 'session_no',
  status: 'session_status',
  dict: 'SESSION_STATUS',
  states: {
    active: { tone: 'good' },
    idle_expired: { tone: 'ended', terminal: true },
    absolute_expired: { tone: 'ended', terminal: true },
    signed_out: { tone: 'ended', terminal: true },
    revoked: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'session.create', to: 'active', perm: 'anon' },
    { from: ['active'], event: 'api.call', to: '=' },
    { from: ['active'], event: 'signOut', to: 'signed_out' },
    { from: ['active'], event: 'user.freeze', to: 'revoked', perm: 'user:freeze' },
    { from: ['active'], event: 'password.changed', to: 'revoked' },
    { from: ['active'], event: 'admin.revoke', to: 'revoked', perm: 'user:session:revoke' },
    { from: ['active'], event: 'perms.changed', to: '=', perm: 'role:manage' },
    { from: ['active'], event: 'clock.idle', to: 'idle_expired', perm: 'system' },
    { from: ['active'], event: 'clock.absolute', to: 'absolute_expired', perm: 'system' },
    { from: ['active'], event: 'session.overflow', to: 'revoked', perm: 'system' },
  ],
})
