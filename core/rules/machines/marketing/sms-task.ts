import { machine } from '../machine.ts'

/** One text to many customers. */
export const smsTask = machine({
  id: 'M60',
  name: 'sms_task',
  title: 'Campaign by SMS',
  table: 'sms_task',
  key: 'task_no',
  status: 'sms_task_status',
  dict: 'SMS_TASK_STATUS',
  states: {
    created: { tone: 'wait' },
    sending: { tone: 'progress' },
    done: { tone: 'good', terminal: true },
    partial: { tone: 'attention', terminal: true },
    failed: { tone: 'bad' },
    cancelled: { tone: 'ended', terminal: true },
  },
  rows: [
    { from: ['∅'], event: 'sms.create', to: 'created', perm: 'mkt:sms:save' },
    { from: ['created'], event: 'sms.start', to: 'sending', perm: 'system' },
    { from: ['sending'], event: 'sms.stop', to: 'partial', perm: 'mkt:sms:save' },
    { from: ['sending'], event: 'sms.end', to: 'done', as: 'all', perm: 'system' },
    { from: ['sending'], event: 'sms.end', to: 'partial', as: 'some', perm: 'system' },
    { from: ['sending'], event: 'sms.end', to: 'failed', as: 'none', perm: 'system' },
    { from: ['failed'], event: 'sms.retry', to: 'sending', perm: 'mkt:sms:save' },
    { from: ['created'], event: 'sms.cancel', to: 'cancelled', perm: 'mkt:sms:save' },
  ],
})
