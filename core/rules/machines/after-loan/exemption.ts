import { machine } from '../machine.ts'

/** An amount other than principal that the customer need not pay. */
export const exemption = machine({
  id: 'M37',
  name: 'exemption',
  title: 'Exemption from penalty, fees or interest',
  table: 'exemption',
  key: 'exemption_no',
  status: 'exemption_status',
  dict: 'EXEMPTION_STATUS',
  states: {
    pending: { tone: 'wait' },
    passed: { tone: 'good' },
    rejected: { tone: 'bad', terminal: true },
    applied: { tone: 'good' },
    expired: { tone: 'ended', terminal: true },
    revoked: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'exemption.apply', to: 'pending', perm: '{ns}:exemption:apply' },
    { from: ['∅'], event: 'strategy.grant', to: 'passed', perm: 'system' },
    { from: ['pending'], event: 'exemption.audit', to: 'passed', as: 'pass', perm: '{ns}:exemption:audit' },
    { from: ['pending'], event: 'exemption.audit', to: 'rejected', as: 'reject', perm: '{ns}:exemption:audit' },
    { from: ['passed'], event: 'exemption.use', to: 'applied', perm: '{ns}:repay:commit' },
    { from: ['applied'], event: 'exemption.restore', to: 'passed', perm: '{ns}:rollback:full' },
    { from: ['pending'], event: 'exemption.revoke', to: 'revoked', as: 'maker', perm: '{ns}:exemption:apply' },
    { from: ['passed'], event: 'exemption.revoke', to: 'revoked', as: 'checker', perm: '{ns}:exemption:audit' },
    { from: ['pending', 'passed'], event: 'exemption.revoke', to: 'revoked', as: 'system', perm: 'system' },
    { from: ['passed'], event: 'clock.expire', to: 'expired', perm: 'system' },
  ],
})
