import { machine } from '../machine.ts'

/** A higher limit for a while, which the customer may have to agree to. */
export const tempQuotaGrant = machine({
  id: 'M53',
  name: 'temp_quota_grant',
  title: 'Temporary limit of a customer',
  table: 'temp_quota_grant',
  key: 'grant_no',
  status: 'grant_status',
  dict: 'TEMP_QUOTA_GRANT_STATUS',
  states: {
    waiting: { tone: 'wait' },
    waiting_consent: { tone: 'attention' },
    effective: { tone: 'good' },
    used: { tone: 'good' },
    expired: { tone: 'ended', terminal: true },
    revoked: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'grant.create', to: 'waiting', perm: 'system' },
    { from: ['waiting'], event: 'clock.start', to: 'effective', as: 'agreed', perm: 'system' },
    { from: ['waiting'], event: 'clock.start', to: 'waiting_consent', as: 'asks', perm: 'system' },
    { from: ['waiting'], event: 'consent.give', to: '=', as: 'customer', perm: 'system' },
    { from: ['waiting'], event: 'consent.give', to: '=', as: 'staff', perm: 'tempQuota:record' },
    { from: ['waiting_consent'], event: 'consent.give', to: 'effective', as: 'customer', perm: 'system' },
    { from: ['waiting_consent'], event: 'consent.give', to: 'effective', as: 'staff', perm: 'tempQuota:record' },
    { from: ['effective'], event: 'grant.use', to: 'used', perm: 'system' },
    { from: ['used'], event: 'grant.restore', to: 'effective', as: 'valid', perm: 'system' },
    { from: ['used'], event: 'grant.restore', to: 'expired', as: 'late', perm: 'system' },
    {
      from: ['waiting', 'waiting_consent', 'effective'],
      event: 'grant.revoke',
      to: 'revoked',
      perm: 'tempQuota:audit',
    },
    { from: ['waiting', 'waiting_consent', 'effective'], event: 'clock.expire', to: 'expired', perm: 'system' },
  ],
})
