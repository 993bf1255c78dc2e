import { machine } from '../machine.ts'

/** Import of a file. */
export const importJob = machine({
  id: 'M66',
  name: 'import_job',
  title: 'File import (released orders, bank flows, lists, blacklists, schedules, retrieval, phone bills)',
  table: 'import_job',
  key: 'import_no',
  status: 'import_status',
  dict: 'IMPORT_STATUS',
  states: {
    uploaded: { tone: 'wait' },
    validating: { tone: 'progress' },
    preview: { tone: 'attention' },
    running: { tone: 'progress' },
    success: { tone: 'good', terminal: true },
    partial: { tone: 'attention', terminal: true },
    failure: { tone: 'bad', terminal: true },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'import.upload', to: 'uploaded', perm: '{area}:import' },
    { from: ['uploaded'], event: 'import.validate', to: 'validating', perm: 'system' },
    { from: ['validating'], event: 'import.ok', to: 'preview', perm: 'system' },
    { from: ['validating'], event: 'import.bad', to: 'failure', perm: 'system' },
    { from: ['preview'], event: 'import.confirm', to: 'running', perm: '{area}:import' },
    { from: ['preview', 'uploaded'], event: 'import.cancel', to: 'cancelled', perm: '{area}:import' },
    { from: ['running'], event: 'import.end', to: 'success', as: 'all', perm: 'system' },
    { from: ['running'], event: 'import.end', to: 'partial', as: 'some', perm: 'system' },
    { from: ['running'], event: 'import.end', to: 'failure', as: 'none', perm: 'system' },
    { from: ['running'], event: 'worker.crash', to: '=', perm: 'system' },
  ],
})
