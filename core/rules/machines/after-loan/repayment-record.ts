import { machine } from '../machine.ts'

/** One write-off. */
export const repaymentRecord = machine({
  id: 'M32',
  name: 'repayment_record',
  title: 'One write-off',
  table: 'repay_record',
  key: 'repayment_no',
  status: 'record_status',
  dict: 'REPAY_RECORD_STATUS',
  states: {
    posted: { tone: 'good' },
    rolled_back: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'repay.settle', to: 'posted', perm: '{ns}:repay:commit' },
    { from: ['∅'], event: 'repay.partial', to: 'posted', perm: '{ns}:repay:commit' },
    { from: ['∅'], event: 'repay.extension', to: 'posted', perm: '{ns}:repay:commit' },
    { from: ['∅'], event: 'repay.overpayment', to: 'posted', perm: '{ns}:repay:commit' },
    { from: ['∅'], event: 'repay.zeroSettle', to: 'posted', perm: 'repay:settle:small' },
    { from: ['∅'], event: 'repay.auto', to: 'posted', perm: 'system' },
    { from: ['posted'], event: 'rollback.settle', to: 'rolled_back', perm: '{ns}:rollback:settle' },
    { from: ['posted'], event: 'rollback.full', to: 'rolled_back', perm: '{ns}:rollback:full' },
    { from: ['posted'], event: 'rollback.extensionToSettle', to: 'rolled_back', perm: '{ns}:rollback:settle' },
    { from: ['posted'], event: 'rollback.partialToExtension', to: 'rolled_back', perm: '{ns}:rollback:full' },
    { from: ['posted'], event: 'rollback.flowPart', to: '=', perm: '{ns}:rollback:full', refused: true },
  ],
})
