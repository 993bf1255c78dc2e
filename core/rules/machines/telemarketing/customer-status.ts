import { machine } from '../machine.ts'

/** Follows from what the customer did and is never edited; the dictionary numbers these states 2, 4, 0, 1 and 3. */
export const customerStatus = machine({
  id: 'M65',
  name: 'customer_status',
  title: 'What a lead has become as a customer',
  table: 'list_entry',
  key: 'list_item_no',
  status: 'customer_status',
  dict: 'CUSTOMER_STATUS',
  states: {
    unregistered: { tone: 'wait' },
    unauthorized: { tone: 'attention' },
    not_incoming: { tone: 'wait' },
    incoming: { tone: 'good' },
    rejected: { tone: 'bad' },
  },
  rows: [
    { from: ['∅'], event: 'sync', to: 'unregistered', perm: 'system' },
    { from: ['unregistered'], event: 'customer.register', to: 'unauthorized', perm: 'system' },
    { from: ['unauthorized'], event: 'customer.authorise', to: 'not_incoming', perm: 'system' },
    { from: ['not_incoming'], event: 'order.create', to: 'incoming', perm: 'system' },
    { from: ['incoming'], event: 'order.refused', to: 'rejected', perm: 'system' },
    { from: ['rejected'], event: 'order.create', to: 'incoming', perm: 'system' },
    { from: ['incoming'], event: 'order.finished', to: 'not_incoming', perm: 'system' },
    { from: ['not_incoming', 'rejected'], event: 'customer.revokeAuth', to: 'unauthorized', perm: 'system' },
  ],
})
