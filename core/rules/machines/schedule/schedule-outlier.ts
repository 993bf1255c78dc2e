import { machine } from '../machine.ts'

/** Something odd in the shifts that somebody explains or repairs. */
export const scheduleOutlier = machine({
  id: 'M106',
  name: 'schedule_outlier',
  title: 'Anomaly of a schedule',
  table: 'schedule_outlier',
  key: 'outlier_no',
  status: 'outlier_status',
  dict: 'OUTLIER_STATUS',
  states: {
    open: { tone: 'attention' },
    explained: { tone: 'good' },
    gone: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'outlier.find', to: 'open', perm: 'system' },
    { from: ['open'], event: 'outlier.explain', to: 'explained', perm: 'schedule:outlier:update' },
    { from: ['explained'], event: 'outlier.worsen', to: 'open', perm: 'system' },
    { from: ['open', 'explained'], event: 'outlier.clear', to: 'gone', perm: 'system' },
  ],
})
