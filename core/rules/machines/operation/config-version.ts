import { machine } from '../machine.ts'

/** Terms, prices, rules or models from a time on; what was in force never changes. */
export const configVersion = machine({
  id: 'M86',
  name: 'config_version',
  title: 'Dated version of terms',
  table: '{item}_version',
  key: 'version_no',
  status: 'version_status',
  dict: 'CONFIG_VERSION_STATUS',
  states: {
    draft: { tone: 'wait' },
    pending: { tone: 'attention' },
    scheduled: { tone: 'progress' },
    effective: { tone: 'good' },
    rejected: { tone: 'bad' },
    superseded: { tone: 'ended', terminal: true },
    withdrawn: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅', 'draft', 'rejected'], event: 'version.save', to: 'draft', perm: '{area}:save' },
    { from: ['draft'], event: 'version.submit', to: 'pending', perm: '{area}:save' },
    { from: ['pending'], event: 'version.approve', to: 'effective', as: 'now', perm: '{area}:save:check' },
    { from: ['pending'], event: 'version.approve', to: 'scheduled', as: 'later', perm: '{area}:save:check' },
    { from: ['pending'], event: 'version.reject', to: 'rejected', perm: '{area}:save:check' },
    { from: ['pending'], event: 'version.withdraw', to: 'draft', as: 'person', perm: '{area}:save' },
    { from: ['pending'], event: 'version.withdraw', to: 'draft', as: 'system', perm: 'system' },
    { from: ['scheduled'], event: 'version.cancel', to: 'withdrawn', perm: '{area}:save:check' },
    { from: ['scheduled'], event: 'clock.start', to: 'effective', as: 'holds', perm: 'system' },
    { from: ['scheduled'], event: 'clock.start', to: '=', as: 'fails', perm: 'system' },
    { from: ['∅'], event: 'version.emergency', to: 'effective', perm: '{area}:emergency' },
    { from: ['effective'], event: 'version.keep', to: '=', perm: '{area}:save:check' },
    { from: ['effective'], event: 'version.fallback', to: 'superseded', perm: 'system' },
    { from: ['effective'], event: 'version.supersede', to: 'superseded', perm: 'system' },
  ],
})
