import { machine } from '../machine.ts'

/** How far the order came that a telemarketer is credited with. */
export const attribution = machine({
  id: 'M93',
  name: 'attribution',
  title: 'Order credited to a telemarketer: stage',
  table: 'tele_attribution',
  key: 'attribution_no',
  status: 'attribution_stage',
  dict: 'ATTRIBUTION_STAGE',
  states: {
    incoming: { tone: 'progress' },
    loan: { tone: 'good' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'attribution.create', to: 'incoming', perm: 'system' },
    { from: ['incoming'], event: 'attribution.loan', to: 'loan', perm: 'system' },
    { from: ['incoming', 'loan'], event: 'attribution.cancel', to: 'cancelled', perm: 'system' },
  ],
})
