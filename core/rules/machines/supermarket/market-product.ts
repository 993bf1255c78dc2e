import { machine } from '../machine.ts'

/** A product, or a recommendation, that customers see once operations agreed. */
export const marketProduct = machine({
  id: 'M71',
  name: 'market_product',
  title: 'Product of the loan supermarket',
  table: '{shelf}',
  key: 'market_product_no',
  status: 'product_status',
  dict: 'MARKET_PRODUCT_STATUS',
  states: {
    draft: { tone: 'wait' },
    submitted: { tone: 'attention' },
    online: { tone: 'good' },
    offline: { tone: 'ended' },
  },
  rows: [
    { from: ['∅'], event: 'product.save', to: 'draft', perm: '{shelf}:save' },
    { from: ['draft', 'offline'], event: 'product.save', to: '=', perm: '{shelf}:save' },
    { from: ['draft', 'offline'], event: 'product.submit', to: 'submitted', perm: '{shelf}:submit' },
    { from: ['submitted'], event: 'product.operate', to: 'online', as: 'accept', perm: '{shelf}:operate' },
    { from: ['submitted'], event: 'product.operate', to: 'draft', as: 'return', perm: '{shelf}:operate' },
    { from: ['online'], event: 'product.offline', to: 'offline', as: 'person', perm: '{shelf}:operate' },
    { from: ['online'], event: 'product.offline', to: 'offline', as: 'system', perm: 'system' },
  ],
})
