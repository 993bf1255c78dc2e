import { machine } from '../machine.ts'

/** Whether a password may be used, or must be changed at the next sign-in. */
export const password = machine({
  id: 'M08',
  name: 'password',
  title: 'Password of a person of the staff',
  table: 'app_user',
  key: 'user_no',
  status: 'password_status',
  dict: 'PASSWORD_STATUS',
  states: {
    initial: { tone: 'attention' },
    valid: { tone: 'good' },
    compromised: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'user.add', to: 'initial', perm: 'user:add' },
    { from: ['initial'], event: 'changePwd', to: 'valid' },
    { from: ['valid'], event: 'changePwd', to: '=' },
    { from: ['compromised'], event: 'changePwd', to: 'valid' },
    { from: ['valid', 'compromised', 'initial'], event: 'resetPwd', to: 'initial', perm: 'user:resetPwd' },
    { from: ['valid'], event: 'password.flag', to: 'compromised', perm: 'user:resetPwd' },
    { from: ['initial'], event: 'clock.ttl', to: '=', perm: 'system' },
  ],
})
