import { machine } from '../machine.ts'

/** Coupons of one kind for many customers, agreed to by a second person. */
export const couponIssueBatch = machine({
  id: 'M96',
  name: 'coupon_issue_batch',
  title: 'Issue of coupons to many customers',
  table: 'coupon_issue_batch',
  key: 'issue_batch_no',
  status: 'issue_batch_status',
  dict: 'COUPON_BATCH_STATUS',
  states: {
    pending: { tone: 'wait' },
    running: { tone: 'progress' },
    done: { tone: 'good', terminal: true },
    partial: { tone: 'attention', terminal: true },
    rejected: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'batch.submit', to: 'pending', perm: 'operation:coupon:issue' },
    { from: ['pending'], event: 'batch.approve', to: 'running', perm: 'operation:coupon:issue:check' },
    { from: ['pending'], event: 'batch.reject', to: 'rejected', as: 'checker', perm: 'operation:coupon:issue:check' },
    { from: ['pending'], event: 'batch.reject', to: 'rejected', as: 'maker', perm: 'operation:coupon:issue' },
    { from: ['pending'], event: 'batch.reject', to: 'rejected', as: 'system', perm: 'system' },
    { from: ['running'], event: 'batch.end', to: 'done', as: 'all', perm: 'system' },
    { from: ['running'], event: 'batch.end', to: 'partial', as: 'some', perm: 'system' },
  ],
})
