import { machine } from '../machine.ts'

/** A text with places for values, of campaigns and of business nodes. */
export const smsTemplate = machine({
  id: 'M59',
  name: 'sms_template',
  title: 'Text of messages to customers',
  table: '{tpl}_template',
  key: 'template_no',
  status: 'template_status',
  dict: 'TEMPLATE_STATUS',
  states: {
    draft: { tone: 'wait' },
    enabled: { tone: 'good' },
    disabled: { tone: 'ended' },
  },
  rows: [
    { from: ['∅'], event: 'tpl.save', to: 'draft', perm: '{tpl}:save' },
    { from: ['draft', 'disabled'], event: 'tpl.enable', to: 'enabled', perm: '{tpl}:enable' },
    { from: ['enabled'], event: 'tpl.disable', to: 'disabled', perm: '{tpl}:enable' },
    { from: ['draft', 'disabled'], event: 'tpl.update', to: 'draft', perm: '{tpl}:save' },
    { from: ['enabled', 'disabled', 'draft'], event: 'tpl.copy', to: '=', perm: '{tpl}:copy' },
  ],
})
