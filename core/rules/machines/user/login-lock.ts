import { machine } from '../machine.ts'

/** Failures of one login name, whether there is such a person or not. */
export const loginLock = machine({
  id: 'M05',
  name: 'login_lock',
  title: 'Lock of a login name after failures',
  table: 'login_throttle',
  key: 'login_id',
  status: 'lock_status',
  dict: 'LOGIN_LOCK_STATUS',
  states: {
    open: { tone: 'good' },
    locked: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'name.seen', to: 'open', perm: 'anon' },
    { from: ['open'], event: 'fail', to: '=', as: 'few', perm: 'anon' },
    { from: ['open'], event: 'fail', to: 'locked', as: 'many', perm: 'anon' },
    { from: ['locked'], event: 'fail', to: '=', perm: 'anon' },
    { from: ['locked'], event: 'clock.unlock', to: 'open', perm: 'system' },
    { from: ['open', 'locked'], event: 'login.success', to: 'open', perm: 'anon' },
    { from: ['locked'], event: 'lock.reset', to: 'open', perm: 'user:unfreeze' },
  ],
})
