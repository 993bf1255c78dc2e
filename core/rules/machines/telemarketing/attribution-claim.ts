import { machine } from '../machine.ts'

/** Whether a credit was attributed by rule or claimed, and the state of the claim. */
export const attributionClaim = machine({
  id: 'M94',
  name: 'attribution_claim',
  title: 'Order credited to a telemarketer: claim',
  table: 'tele_attribution',
  key: 'attribution_no',
  status: 'attribution_status',
  dict: 'ATTRIBUTION_STATUS',
  states: {
    auto: { tone: 'good', terminal: true },
    claimed: { tone: 'wait' },
    approved: { tone: 'good', terminal: true },
    rejected: { tone: 'bad', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'attribution.create', to: 'auto', perm: 'system' },
    { from: ['∅'], event: 'claim.submit', to: 'claimed', perm: 'tele:incoming:claim' },
    { from: ['claimed'], event: 'claim.decide', to: 'approved', as: 'approve', perm: 'tele:follow:approve' },
    { from: ['claimed'], event: 'claim.decide', to: 'rejected', as: 'reject', perm: 'tele:follow:approve' },
  ],
})
