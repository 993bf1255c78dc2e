import { machine } from '../machine.ts'

/** A sample of somebody's work, judged, and judged again when they object. */
export const qualityCheck = machine({
  id: 'M49',
  name: 'quality_check',
  title: 'Quality check of a call or a case',
  table: 'quality_item',
  key: 'quality_no',
  status: 'quality_status',
  dict: 'QUALITY_STATUS',
  states: {
    unchecked: { tone: 'wait' },
    checking: { tone: 'progress' },
    passed: { tone: 'good', terminal: true },
    violated: { tone: 'bad' },
    appealed: { tone: 'attention' },
    closed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'quality.sample', to: 'unchecked', as: 'person', perm: '{ns}:quality:flag or quality:flag' },
    { from: ['∅'], event: 'quality.sample', to: 'unchecked', as: 'system', perm: 'system' },
    { from: ['unchecked'], event: 'quality.claim', to: 'checking', perm: 'quality:check' },
    { from: ['checking'], event: 'quality.release', to: 'unchecked', as: 'system', perm: 'system' },
    { from: ['checking'], event: 'quality.release', to: 'unchecked', as: 'person', perm: 'quality:check' },
    { from: ['checking'], event: 'quality.pass', to: 'passed', perm: 'quality:check' },
    { from: ['checking'], event: 'quality.violate', to: 'violated', perm: 'quality:check' },
    { from: ['violated'], event: 'quality.appeal', to: 'appealed' },
    { from: ['appealed'], event: 'quality.decide', to: 'closed', perm: 'quality:review' },
    { from: ['violated'], event: 'clock.close', to: 'closed', perm: 'system' },
  ],
})
