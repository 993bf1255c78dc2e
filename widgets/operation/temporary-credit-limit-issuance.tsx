import { approvalCalls } from '../../core/contract/common/approval.ts'
import { businessConfig } from '../../core/contract/common/business-config.ts'
import { common, logCalls } from '../../core/contract/common/common.ts'
import { type QuotaTask, tempQuota } from '../../core/contract/operation/temp-quota.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Act, Action } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { GrantPhone } from './temp-quota/grant-phone.tsx'
import { GrantDetail, TaskDetail } from './temp-quota/quota-detail.tsx'
import { QuotaEffect } from './temp-quota/quota-effect.tsx'
import { CapsDialog, ConsentDialog } from './temp-quota/settings.tsx'

const needs = { perm: 'tempQuota:limits', audit: businessConfig.update.audit }
const settings: readonly Action<never>[] = [
  { label: 'quota.caps', needs, dialog: CapsDialog },
  { label: 'quota.consentSetting', needs, dialog: ConsentDialog },
]

const decisions = (act: Act<QuotaTask>) => [
  act(tempQuota.audit, {
    label: 'quota.approve',
    input: ([row]) => ({ quotaTaskNo: row?.quotaTaskNo, version: row?.version, decision: 'approve' as const }),
    confirm: ([row]) => ({
      key: 'quota.confirmApprove',
      params: {
        customerCount: row?.quotaCustomers ?? 0,
        amount: formatMoney(row?.quotaAmount ?? '0.00'),
        total: formatMoney(row?.totalAmount ?? '0.00'),
      },
    }),
  }),
  act(tempQuota.audit, {
    label: 'quota.reject',
    tone: 'danger',
    ask: ['auditReason'],
    input: ([row]) => ({ quotaTaskNo: row?.quotaTaskNo, version: row?.version, decision: 'reject' as const }),
    confirm: 'quota.confirmReject',
  }),
  act(tempQuota.remove, { label: 'quota.remove', tone: 'danger', confirm: 'quota.confirmRemove' }),
]

const tasks = listScreen({
  list: tempQuota.tasks,
  rowKey: 'quotaTaskNo',
  start: { createdTime: 'last30' },
  presets: [{ label: 'quota.toCheck', filters: { quotaTaskStatus: ['pending'], mine: false } }],
  filters: ['quotaTaskNo', 'applicantName', 'quotaTaskStatus', 'createdTime', 'merchantNo', 'mine'],
  columns: [
    'quotaTaskNo',
    'merchantName',
    'quotaAmount',
    'quotaCustomers',
    'totalAmount',
    'startDate',
    'validityDays',
    'quotaTaskStatus',
    'granted',
    'consented',
    'usedGrants',
    'applicantName',
    'createdTime',
  ],
  more: ['reason', 'leftOutRows', 'checkerName', 'auditTime', 'auditReason'],
  row: decisions,
  toolbar: act => [
    act(tempQuota.create, {
      label: 'quota.create',
      ask: ['merchantNo', 'quotaAmount', 'customers', 'userGroupNo', 'startDate', 'validityDays', 'reason'],
      preview: (values, _, put) => <QuotaEffect {...values} put={put} />,
      confirm: 'quota.createHint',
    }),
    ...settings,
  ],
  detail: row => <TaskDetail row={row} />,
  also: [
    tempQuota.detail,
    tempQuota.rows,
    tempQuota.effect,
    businessConfig.get,
    businessConfig.update,
    common.merchants,
    ...approvalCalls,
    ...logCalls,
  ],
})

const records = listScreen({
  list: tempQuota.records,
  rowKey: 'grantNo',
  filters: ['phone', 'grantStatus', 'customerNo', 'quotaTaskNo', 'startTime', 'endTime', 'consent', 'grantNo'],
  columns: [
    'grantNo',
    'customerName',
    { id: 'phone', cell: row => <GrantPhone row={row} /> },
    'ownLimit',
    'quotaAmount',
    'grantStatus',
    'startTime',
    'endTime',
    'agreedTime',
    'grantOrderNo',
    'beyondAmount',
    'quotaTaskNo',
  ],
  more: [
    'customerNo',
    'merchantName',
    'consentSource',
    'recordingNo',
    'grantUsedTime',
    'revokeReason',
    'pendingApproval',
  ],
  row: act => [
    act(tempQuota.consent, {
      label: 'quota.consent',
      ask: ['recordingNo'],
      confirm: 'quota.confirmConsent',
    }),
  ],
  rowAndBulk: act => [
    act(tempQuota.revoke, {
      label: 'quota.revoke',
      tone: 'danger',
      ask: ['reason'],
      input: rows => ({ grantNos: rows.map(row => row.grantNo) }),
      confirm: 'quota.confirmRevoke',
      done: 'config.sentForApproval',
    }),
  ],
  detail: (row, reload) => <GrantDetail row={row} reload={reload} />,
  also: [tempQuota.phone, ...approvalCalls, ...logCalls],
})

/** Operations staff ask for higher limits for good customers; somebody else decides, customers agree, and one order uses each. */
export default tabbed([
  { name: 'tasks', label: 'quota.tasks', screen: tasks, counted: true },
  { name: 'records', label: 'quota.records', screen: records },
])
