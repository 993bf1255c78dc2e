import { machine } from '../machine.ts'

/** What a customer earned by taking part. */
export const activityAward = machine({
  id: 'M97',
  name: 'activity_award',
  title: 'Award of an activity',
  table: 'activity_award',
  key: 'award_no',
  status: 'award_status',
  dict: 'AWARD_STATUS',
  states: {
    held: { tone: 'attention' },
    given: { tone: 'good' },
    refused: { tone: 'bad', terminal: true },
    reversed: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'award.earn', to: 'given', as: 'given', perm: 'system' },
    { from: ['∅'], event: 'award.earn', to: 'held', as: 'held', perm: 'system' },
    { from: ['held'], event: 'award.decide', to: 'given', as: 'release', perm: 'org:taskAward:award' },
    { from: ['held'], event: 'award.decide', to: 'refused', as: 'refuse', perm: 'org:taskAward:award' },
    { from: ['given'], event: 'award.reverse', to: 'reversed', as: 'person', perm: 'org:taskAward:award' },
    { from: ['given'], event: 'award.reverse', to: 'reversed', as: 'system', perm: 'system' },
  ],
})
