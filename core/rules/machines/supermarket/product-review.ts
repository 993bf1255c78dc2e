import { machine } from '../machine.ts'

/** What a customer wrote; staff show or hide it and never change it. */
export const productReview = machine({
  id: 'M88',
  name: 'product_review',
  title: "Customer's review of a supermarket product",
  table: 'product_review',
  key: 'review_no',
  status: 'review_status',
  dict: 'REVIEW_STATUS',
  states: {
    pending: { tone: 'wait' },
    shown: { tone: 'good' },
    hidden: { tone: 'ended' },
  },
  rows: [
    { from: ['∅'], event: 'review.write', to: 'pending', perm: 'system' },
    { from: ['pending', 'hidden'], event: 'review.show', to: 'shown', as: 'person', perm: 'market:review:handle' },
    { from: ['pending'], event: 'review.show', to: 'shown', as: 'system', perm: 'system' },
    { from: ['pending', 'shown'], event: 'review.hide', to: 'hidden', perm: 'market:review:handle' },
    { from: ['shown', 'hidden'], event: 'review.edit', to: 'pending', perm: 'system' },
  ],
})
