import { lazy, Suspense } from 'react'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { businessConfig, businessConfigs } from '../../core/contract/common/business-config.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { type PhoneBillRow, phoneBill } from '../../core/contract/operation/phone-bill.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { Act, DialogProps, Words } from '../../core/engine/screen.ts'
import { formatMoney, sum } from '../../core/rules/amount.ts'
import { Loading } from '../../core/ui/states.tsx'
import { BillDetail, billHead } from './phone-bill/bill-detail.tsx'

const Apply = lazy(async () => ({ default: (await import('./phone-bill/apply-dialog.tsx')).ApplyDialog }))
const Caps = lazy(async () => ({ default: (await import('./phone-bill/caps-dialog.tsx')).CapsDialog }))
const Sheet = lazy(async () => ({ default: (await import('./phone-bill/sheet-dialog.tsx')).SheetDialog }))
const soon = <Loading rows={4} />

/** A dialog that is fetched when it is opened. */
const later = (Body: typeof Apply) => (props: DialogProps<never>) => (
  <Suspense fallback={soon}>
    <Body {...props} />
  </Suspense>
)

const confirmApprove = (rows: readonly PhoneBillRow[]): Words => ({
  key: rows.some(row => row.phoneDiffers) ? 'phoneBill.confirmApproveDiffers' : 'phoneBill.confirmApprove',
  params: {
    amount: formatMoney(sum(rows.map(row => row.amount))),
    account: rows[0]?.payingAccount ?? '–',
    balance: formatMoney(rows[0]?.payingBalance ?? '0.00'),
  },
})

const several = (act: Act<PhoneBillRow>) => [
  act(phoneBill.approve, { label: 'actions.approveAirtime', shortcut: 'acknowledge', confirm: confirmApprove }),
  act(phoneBill.reject, {
    label: 'actions.rejectAirtime',
    tone: 'danger',
    ask: ['reason'],
    confirm: 'phoneBill.confirmReject',
  }),
]

/** Team assistants apply for airtime of the staff once a month; a second person of finance approves it, and it is paid. */
export default listScreen({
  list: phoneBill.page,
  rowKey: 'phoneBillNo',
  start: { purposeMonth: 'thisMonth' },
  presets: [
    { label: 'common.thisMonth', filters: { purposeMonth: 'thisMonth' } },
    { label: 'common.lastMonth', filters: { purposeMonth: 'lastMonth' } },
    { label: 'phoneBill.waiting', filters: { phoneBillStatus: ['pending'] }, sort: 'createdTime', counted: true },
    { label: 'phoneBill.failed', filters: { phoneBillStatus: ['failed'] }, counted: true },
    { label: 'phoneBill.forFinance', filters: { forFinance: true }, sort: 'createdTime', counted: true },
    { label: 'phoneBill.differs', filters: { phoneDiffers: true, phoneBillStatus: ['pending'] } },
  ],
  filters: [
    'purposeMonth',
    'phoneBillStatus',
    'deptNo',
    'userNo',
    'jobNo',
    'network',
    'createdTime',
    'phoneBillNo',
    'forFinance',
    'phoneDiffers',
  ],
  columns: [
    'phoneBillNo',
    'purposeMonth',
    'realName',
    'jobNo',
    'deptName',
    'post',
    'phone',
    'phoneDiffers',
    'network',
    'amount',
    'monthUsed',
    'monthCap',
    'phoneBillStatus',
    'attemptStatus',
    'forFinance',
    'makerName',
    'checkerName',
    'serialNo',
    'finishTime',
    'failReason',
    'remark',
  ],
  more: [
    'runningMinutes',
    'attemptNo',
    'failType',
    'auditTime',
    'auditReason',
    'createdTime',
    'batchNo',
    'payingAccount',
    'payingBalance',
  ],
  toolbar: () => [
    {
      label: 'actions.applyAirtime',
      needs: { perm: phoneBill.submit.perm, audit: phoneBill.submit.audit },
      dialog: later(Apply),
    },
    { label: 'actions.airtimeSheet', needs: { perm: phoneBill.summary.perm }, dialog: later(Sheet) },
    {
      label: 'actions.airtimeCaps',
      needs: { perm: businessConfigs.PHONE_BILL_CAPS.save, audit: businessConfig.update.audit },
      dialog: later(Caps),
    },
  ],
  rowAndBulk: several,
  row: act => [
    act(phoneBill.retry, { label: 'actions.retryAirtime', confirm: 'phoneBill.confirmRetry' }),
    act(phoneBill.confirm, {
      label: 'actions.confirmAirtime',
      ask: ['result', 'serialNo', 'statementDate', 'evidence'],
      confirm: 'phoneBill.confirmOutcome',
    }),
  ],
  head: billHead,
  detail: row => <BillDetail phoneBillNo={row.phoneBillNo} />,
  also: [
    phoneBill.detail,
    phoneBill.summary,
    phoneBill.lastList,
    phoneBill.check,
    phoneBill.submit,
    businessConfig.get,
    businessConfig.update,
    ...approvalCalls,
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
  refresh: 15_000,
})
