import { machine } from '../machine.ts'

/** A rejected order that somebody asks to have reviewed once more. */
export const reReviewApplication = machine({
  id: 'M14',
  name: 're_review_application',
  title: 'Request to review a rejected order again',
  table: 're_review_apply',
  key: 're_review_no',
  status: 're_review_status',
  dict: 'RE_REVIEW_STATUS',
  states: {
    submitted: { tone: 'wait' },
    passed: { tone: 'good', terminal: true },
    refused: { tone: 'bad', terminal: true },
    void: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'reReview.apply', to: 'submitted', perm: 'order:review:apply' },
    { from: ['submitted'], event: 'order.approved', to: 'passed', perm: 'system' },
    { from: ['submitted'], event: 'order.refused', to: 'refused', perm: 'system' },
    { from: ['submitted'], event: 'order.cancelled', to: 'void', perm: 'system' },
  ],
})
