import { machine } from '../machine.ts'

/** What is offered to phones for download. */
export const appVersion = machine({
  id: 'M80',
  name: 'app_version',
  title: 'Version of an app or of the console',
  table: 'app_version',
  key: 'version_no',
  status: 'version_status',
  dict: 'APP_VERSION_STATUS',
  states: {
    draft: { tone: 'wait' },
    released: { tone: 'good' },
    withdrawn: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'version.save', to: 'draft', perm: 'app:version:update' },
    { from: ['draft'], event: 'version.release', to: 'released', perm: 'app:version:update' },
    { from: ['released'], event: 'version.widen', to: '=', perm: 'app:version:update' },
    { from: ['released'], event: 'version.withdraw', to: 'withdrawn', perm: 'app:version:update' },
  ],
})
