import { machine } from '../machine.ts'

/** A language that people may choose, one of them the default. */
export const language = machine({
  id: 'M70',
  name: 'language',
  title: 'Language of the console',
  table: 'language',
  key: 'language_code',
  status: 'language_status',
  dict: 'LANGUAGE_STATUS',
  states: {
    draft: { tone: 'wait' },
    enabled: { tone: 'good' },
    default: { tone: 'good' },
  },
  rows: [
    { from: ['∅'], event: 'lang.save', to: 'draft', perm: 'language:save' },
    { from: ['draft'], event: 'lang.state', to: 'enabled', perm: 'language:state' },
    { from: ['enabled'], event: 'lang.state', to: 'draft', perm: 'language:state' },
    { from: ['enabled'], event: 'lang.default', to: 'default', perm: 'language:default' },
    { from: ['default'], event: 'lang.state', to: '=', perm: 'language:state', refused: true },
    { from: ['default'], event: 'lang.demote', to: 'enabled', perm: 'language:default' },
    { from: ['draft'], event: 'lang.delete', to: '=', perm: 'language:delete' },
  ],
})
