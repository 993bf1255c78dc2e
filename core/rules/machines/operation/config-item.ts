import { machine } from '../machine.ts'

/** A menu, a product, a channel, a template or whatever else is switched on and off. */
export const configItem = machine({
  id: 'M69',
  name: 'config_item',
  title: 'Item that is on or off',
  table: '{item}',
  key: '{item}_no',
  status: 'enabled',
  dict: 'CONFIG_ITEM_STATUS',
  states: {
    disabled: { tone: 'ended' },
    enabled: { tone: 'good' },
  },
  rows: [
    { from: ['∅'], event: 'item.create', to: 'disabled', perm: '{area}:save' },
    { from: ['disabled'], event: 'item.enable', to: 'enabled', perm: '{area}:enable' },
    { from: ['enabled'], event: 'item.disable', to: 'disabled', perm: '{area}:enable' },
    { from: ['disabled', 'enabled'], event: 'item.update', to: '=', perm: '{area}:save' },
    { from: ['disabled'], event: 'item.delete', to: '=', perm: '{area}:delete' },
  ],
})
