import { machine } from '../machine.ts'

/** Reconciliation difference. */
export const reconItem = machine({
  id: 'M78',
  name: 'recon_item',
  title: 'Reconciliation difference',
  table: 'recon_item',
  key: 'recon_item_no',
  status: 'recon_status',
  dict: 'RECON_STATUS',
  states: {
    open: { tone: 'attention' },
    explained: { tone: 'good', terminal: true },
    adjusted: { tone: 'good', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'recon.diff', to: 'open', perm: 'system' },
    { from: ['open'], event: 'recon.explain', to: 'explained', perm: 'fund:recon:handle' },
    { from: ['open'], event: 'recon.adjust', to: 'adjusted', perm: 'fund:recon:handle' },
  ],
})
