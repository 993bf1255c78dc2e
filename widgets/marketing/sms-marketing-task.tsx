import { approvalCalls } from '../../core/contract/common/approval.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { optOuts } from '../../core/contract/marketing/opt-out.ts'
import { smsTasks } from '../../core/contract/marketing/sms-task.ts'
import { userGroups } from '../../core/contract/marketing/user-group.ts'
import { contactBlock } from '../../core/contract/merchant/contact-block.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { settingCalls } from '../shared/business-config-dialog.tsx'
import { OptOutShare, Progress, Standing } from './task/cells.tsx'
import { BudgetRules, CapRules, CopyTask, HourRules, NewTask } from './task/dialogs.tsx'
import { TaskDetail } from './task/task-detail.tsx'

const { create, stop, cancel, retry, page, messages } = smsTasks
const reads = { perm: page.perm }

const tasks = listScreen({
  list: page,
  rowKey: 'taskNo',
  start: { createdTime: 'last30' },
  filters: [
    ...(['taskName', 'smsTaskStatus', 'merchantNo', 'createdTime', 'sendTime'] as const),
    ...(['taskNo', 'templateNo', 'userGroupNo', 'audienceSource', 'createdBy'] as const),
  ],
  presets: [
    { label: 'smsTask.running', filters: { smsTaskStatus: ['created', 'sending'] } },
    { label: 'smsTask.notWhole', filters: { smsTaskStatus: ['partial', 'failed'] } },
  ],
  columns: [
    'taskNo',
    'taskName',
    'merchantName',
    'templateName',
    'audienceSource',
    { id: 'smsTaskStatus', cell: row => <Standing row={row} /> },
    { id: 'handledCount', cell: row => <Progress row={row} /> },
    'recipientCount',
    'textsTaken',
    'textsArrived',
    'deliveredShare',
    'failedCount',
    { id: 'optOutCount', cell: row => <OptOutShare row={row} /> },
    'appliedCount',
    'paidOutCount',
    'paidOutAmount',
    'costActual',
    'sendTime',
    'createdBy',
    'createdTime',
  ],
  more: [
    ...(['templateVersion', 'userGroupNo', 'customersMatched', 'customersLeftOut', 'textsRefused'] as const),
    ...(['textsUnknown', 'cancelledCount', 'segmentsTotal', 'costEstimate', 'ratePerMinute'] as const),
    ...(['beganTime', 'overTime'] as const),
  ],
  toolbar: () => [
    { label: 'smsTask.hours', needs: reads, dialog: HourRules },
    { label: 'smsTask.caps', needs: reads, dialog: CapRules },
    { label: 'smsTask.budget', needs: reads, dialog: BudgetRules },
    { label: 'actions.newTask', needs: { perm: create.perm, audit: create.audit }, dialog: NewTask },
  ],
  row: act => [
    act(stop, {
      label: 'actions.stopTask',
      tone: 'danger',
      confirm: ([row]) => ({
        key: 'smsTask.confirmStop',
        params: {
          taskName: row?.taskName ?? '',
          sent: row?.handledCount ?? 0,
          left: (row?.recipientCount ?? 0) - (row?.handledCount ?? 0),
        },
      }),
    }),
    act(cancel, { label: 'actions.cancelTask', tone: 'danger', confirm: 'smsTask.confirmCancel' }),
    act(retry, { label: 'actions.retryTask', confirm: 'smsTask.confirmRetry' }),
    { label: 'actions.copyTask', needs: { perm: create.perm, audit: create.audit }, dialog: CopyTask },
  ],
  detail: (row, reload) => <TaskDetail row={row} reload={reload} />,
  also: [
    ...[
      smsTasks.detail,
      smsTasks.messages,
      smsTasks.preview,
      smsTasks.test,
      smsTasks.tested,
      create,
      userGroups.verify,
    ],
    ...[...settingCalls, ...approvalCalls, ...logCalls],
  ],
})

const texts = listScreen({
  list: messages,
  rowKey: 'messageNo',
  filters: ['taskNo', 'messageStatus', 'failReason', 'heldReason', 'phone'],
  columns: [
    ...(['messageNo', 'taskNo', 'phone', 'language', 'network', 'messageStatus', 'failReason', 'heldReason'] as const),
    ...(['segments', 'messageCost', 'triedTimes', 'createdTime', 'submitTime', 'deliverTime'] as const),
  ],
  more: ['customerNo', 'accountName'],
})

const groups = listScreen({
  list: userGroups.page,
  rowKey: 'userGroupNo',
  filters: ['userGroupName', 'userGroupKind', 'userGroupNo', 'createdTime'],
  columns: [
    ...(['userGroupNo', 'userGroupName', 'userGroupKind', 'groupMembers', 'refreshTime', 'expireTime'] as const),
    ...(['createdBy', 'createdTime'] as const),
  ],
})

const stops = listScreen({
  list: optOuts.page,
  rowKey: 'blockNo',
  filters: ['phone', 'blockScope', 'blockSource', 'blockStatus', 'merchantNo', 'createdTime', 'expireTime'],
  columns: [
    ...(['blockNo', 'phone', 'blockScope', 'merchantName', 'blockSource', 'blockStatus', 'createdByName'] as const),
    ...(['createdTime', 'blockedCount', 'endedTime', 'endedByName'] as const),
  ],
  more: ['endReason', 'lastBlocked', 'expireTime', 'pendingApproval'],
  toolbar: act => [
    act(optOuts.add, {
      label: 'actions.addOptOut',
      ask: ['phone', 'blockScope', 'merchantNo', 'remark'],
      confirm: 'optOut.addHint',
    }),
  ],
  row: act => [
    act(contactBlock.remove, {
      label: 'actions.endOptOut',
      tone: 'danger',
      ask: ['reason', 'proofFile'],
      confirm: 'optOut.endHint',
      done: 'config.sentForApproval',
    }),
  ],
})

/** Marketing staff send a text to many customers within hours, caps and budget, watch it arrive, and read what it brought. */
export default tabbed([
  { name: 'tasks', label: 'smsTask.tasks', screen: tasks },
  { name: 'messages', label: 'smsTask.messages', screen: texts },
  { name: 'groups', label: 'smsTask.groups', screen: groups },
  { name: 'optOuts', label: 'smsTask.optOuts', screen: stops },
])
