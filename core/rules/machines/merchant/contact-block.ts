import { machine } from '../machine.ts'

/** A number on the contact blacklist or on that of telemarketing. */
export const contactBlock = machine({
  id: 'M99',
  name: 'contact_block',
  title: 'Number that must not be contacted',
  table: 'contact_block',
  key: 'block_no',
  status: 'block_status',
  dict: 'CONTACT_BLOCK_STATUS',
  states: {
    active: { tone: 'bad' },
    ended: { tone: 'ended', terminal: true },
    expired: { tone: 'ended', terminal: true },
  },
  rows: [
    {
      from: ['∅'],
      event: 'block.add',
      to: 'active',
      as: 'person',
      perm: 'contact:blacklist:save or mkt:optout:save or tele:blacklist:update',
    },
    { from: ['∅'], event: 'block.add', to: 'active', as: 'system', perm: 'system' },
    { from: ['active'], event: 'block.change', to: '=', perm: 'contact:blacklist:save' },
    {
      from: ['active'],
      event: 'block.end',
      to: 'ended',
      as: 'person',
      perm: 'contact:blacklist:remove or tele:blacklist:delete',
    },
    { from: ['active'], event: 'block.end', to: 'ended', as: 'system', perm: 'system' },
    { from: ['active'], event: 'clock.expire', to: 'expired', perm: 'system' },
  ],
})
