import { machine } from '../machine.ts'

/** Announcement to staff or to users of an app. */
export const announcement = machine({
  id: 'M56',
  name: 'announcement',
  title: 'Announcement (staff or app)',
  table: 'announcement',
  key: 'announcement_no',
  status: 'announcement_status',
  dict: 'ANNOUNCEMENT_STATUS',
  states: {
    draft: { tone: 'wait' },
    scheduled: { tone: 'progress' },
    published: { tone: 'good' },
    abolished: { tone: 'ended' },
    expired: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'ann.save', to: 'draft', perm: 'ops:announcement:save' },
    { from: ['draft'], event: 'ann.save', to: '=', perm: 'ops:announcement:save' },
    { from: ['draft'], event: 'ann.publish', to: 'scheduled', perm: 'ops:announcement:publish' },
    { from: ['draft'], event: 'ann.publishNow', to: 'published', perm: 'ops:announcement:publish' },
    { from: ['scheduled'], event: 'clock.start', to: 'published', perm: 'system' },
    { from: ['scheduled', 'published'], event: 'ann.abolish', to: 'abolished', perm: 'ops:announcement:publish' },
    { from: ['abolished'], event: 'ann.restart', to: 'published', as: 'now', perm: 'ops:announcement:publish' },
    { from: ['abolished'], event: 'ann.restart', to: 'scheduled', as: 'later', perm: 'ops:announcement:publish' },
    { from: ['published', 'abolished', 'scheduled'], event: 'clock.end', to: 'expired', perm: 'system' },
    { from: ['draft'], event: 'ann.delete', to: 'expired', perm: 'ops:announcement:save' },
  ],
})
