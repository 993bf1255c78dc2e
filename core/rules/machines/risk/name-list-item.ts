import { machine } from '../machine.ts'

/** A person, a phone or a device on a black, grey or white list. */
export const nameListItem = machine({
  id: 'M98',
  name: 'name_list_item',
  title: 'Entry of a risk list',
  table: 'name_list_item',
  key: 'item_no',
  status: 'item_status',
  dict: 'NAME_LIST_ITEM_STATUS',
  states: {
    active: { tone: 'good' },
    expired: { tone: 'ended' },
    removed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'item.add', to: 'active', as: 'person', perm: 'risk:list:item or loans:blacklist' },
    { from: ['∅'], event: 'item.add', to: 'active', as: 'system', perm: 'system' },
    { from: ['active', 'expired'], event: 'item.extend', to: 'active', perm: 'risk:list:item or loans:blacklist' },
    {
      from: ['active', 'expired'],
      event: 'item.remove',
      to: 'removed',
      as: 'person',
      perm: 'risk:list:remove or loans:blacklist:remove',
    },
    { from: ['active', 'expired'], event: 'item.remove', to: 'removed', as: 'system', perm: 'system' },
    { from: ['active'], event: 'clock.expire', to: 'expired', perm: 'system' },
  ],
})
