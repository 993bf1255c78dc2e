import { machine } from '../machine.ts'

/** A file on its way from a person to a record. */
export const upload = machine({
  id: 'M68',
  name: 'upload',
  title: 'File upload (token fetch → chunks → complete)',
  table: 'upload',
  key: 'upload_no',
  status: 'upload_status',
  dict: 'UPLOAD_STATUS',
  states: {
    token_issued: { tone: 'wait' },
    receiving: { tone: 'progress' },
    verifying: { tone: 'progress' },
    ready: { tone: 'good' },
    attached: { tone: 'good' },
    rejected: { tone: 'bad', terminal: true },
    purged: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'upload.token', to: 'token_issued', perm: 'common:upload' },
    { from: ['token_issued'], event: 'upload.chunk', to: 'receiving', perm: 'common:upload' },
    { from: ['receiving'], event: 'upload.chunk', to: '=', perm: 'common:upload' },
    { from: ['receiving'], event: 'upload.complete', to: 'verifying', perm: 'common:upload' },
    { from: ['verifying'], event: 'scan.ok', to: 'ready', perm: 'system' },
    { from: ['verifying'], event: 'scan.bad', to: 'rejected', perm: 'system' },
    { from: ['ready'], event: 'attach', to: 'attached', perm: 'common:attach' },
    { from: ['attached'], event: 'detach', to: 'ready', perm: 'common:attach' },
    { from: ['token_issued', 'receiving', 'ready'], event: 'clock.gc', to: 'purged', perm: 'system' },
  ],
})
