import { machine } from '../machine.ts'

/** Whether a person may sign in. */
export const userAccount = machine({
  id: 'M04',
  name: 'user_account',
  title: 'Account of a person of the staff',
  table: 'app_user',
  key: 'user_no',
  status: 'user_status',
  dict: 'AUTH_USER_STATUS',
  states: {
    normal: { tone: 'good' },
    frozen: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'user.add', to: 'normal', perm: 'user:add' },
    { from: ['normal'], event: 'user.update', to: '=', perm: 'user:update' },
    { from: ['normal'], event: 'user.freeze', to: 'frozen', as: 'person', perm: 'user:freeze' },
    { from: ['normal'], event: 'user.freeze', to: 'frozen', as: 'system', perm: 'system' },
    { from: ['frozen'], event: 'user.unfreeze', to: 'normal', perm: 'user:unfreeze' },
    { from: ['frozen'], event: 'user.update', to: '=', perm: 'user:update' },
    { from: ['normal', 'frozen'], event: 'user.resetPwd', to: '=', perm: 'user:resetPwd' },
    { from: ['normal'], event: 'appUser.expire', to: '=', perm: 'user:appUserExpiry' },
  ],
})
