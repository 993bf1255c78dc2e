import { lazy, Suspense } from 'react'
import { attach } from '../../core/contract/common/attachment.ts'
import { common } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { type RechargeRow, recharge } from '../../core/contract/merchant/recharge.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { Dict } from '../../core/engine/table/value.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { shortTime } from '../../core/rules/time.ts'
import { Loading } from '../../core/ui/states.tsx'

const Detail = lazy(async () => ({ default: (await import('./recharge/recharge-detail.tsx')).RechargeDetail }))
const Book = lazy(async () => ({ default: (await import('./recharge/book-line.tsx')).BookLine }))
const soon = <Loading rows={4} />

const asked = [
  'merchantNo',
  'fundAccountNo',
  'rechargeAmount',
  'serialNo',
  'payerName',
  'bankEntryTime',
  'receipt',
  'remark',
] as const

/** What the checker acts on: who pays how much by which line of the bank, and the wallet before and after. */
const numbers = ([row]: readonly RechargeRow[]) => ({
  merchantName: row?.merchantName ?? '',
  amount: formatMoney(row?.rechargeAmount ?? '0.00'),
  serialNo: row?.serialNo ?? '',
  time: row ? shortTime(row.bankEntryTime) : '',
  before: formatMoney(row?.walletBalance ?? '0.00'),
  after: formatMoney(row?.balanceThen ?? '0.00'),
})

const topUps = listScreen({
  list: recharge.page,
  rowKey: 'rechargeNo',
  start: { createdTime: 'last30' },
  filters: [
    'merchantNo',
    'rechargeStatus',
    'fundAccountNo',
    'createdTime',
    'serialNo',
    'bankEntryTime',
    'mine',
    'noBankLine',
  ],
  presets: [
    { label: 'common.last30', filters: { createdTime: 'last30' } },
    { label: 'recharge.waitingForMe', filters: { rechargeStatus: ['pending'], mine: false }, counted: true },
    { label: 'recharge.noBankLine', filters: { noBankLine: true } },
  ],
  columns: [
    'rechargeNo',
    'merchantName',
    'rechargeAmount',
    'rechargeStatus',
    'bankLine',
    'accountName',
    'serialNo',
    'payerName',
    'bankEntryTime',
    'makerName',
    'checkerName',
    'auditTime',
    'balanceAfter',
  ],
  more: ['createdTime', 'auditReason', 'remark', 'reverseReason', 'walletBalance', 'pendingApproval'],
  toolbar: act => [act(recharge.submit, { label: 'recharge.submit', ask: asked, confirm: 'recharge.confirmSubmit' })],
  row: act => [
    act(recharge.approve, {
      label: 'recharge.approve',
      shortcut: 'acknowledge',
      ask: ['reason'],
      confirm: rows => ({
        key: rows[0]?.bankLine ? 'recharge.confirmApprove' : 'recharge.confirmApproveNoLine',
        params: numbers(rows),
      }),
    }),
    act(recharge.reject, {
      label: 'recharge.reject',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'recharge.confirmReject',
    }),
    act(recharge.resubmit, {
      label: 'recharge.resubmit',
      ask: asked,
      from: 'row',
      confirm: 'recharge.confirmResubmit',
    }),
    act(recharge.reverse, {
      label: 'recharge.reverse',
      tone: 'danger',
      ask: ['reason', 'evidence'],
      confirm: rows => ({ key: 'recharge.confirmReverse', params: numbers(rows) }),
      done: 'config.sentForApproval',
    }),
  ],
  head: row => (
    <>
      <Dict dict="RECHARGE_STATUS" value={row.rechargeStatus} />
      <span>UGX {formatMoney(row.rechargeAmount)}</span>
    </>
  ),
  detail: (row, reload) => (
    <Suspense fallback={soon}>
      <Detail key={row.rechargeNo} rechargeNo={row.rechargeNo} reload={reload} />
    </Suspense>
  ),
  also: [
    recharge.detail,
    attach.list,
    upload.token,
    upload.file,
    common.approvals,
    common.approve,
    common.reject,
    common.withdraw,
  ],
})

const lines = listScreen({
  list: recharge.bankLines,
  rowKey: 'lineNo',
  filters: ['fundAccountNo', 'entryTime', 'amount', 'likely'],
  presets: [
    { label: 'recharge.allLines', filters: {} },
    { label: 'recharge.likely', filters: { likely: true }, counted: true },
  ],
  columns: ['lineNo', 'entryTime', 'amount', 'payerName', 'merchantName', 'serialNo', 'fundAccountNo', 'likely'],
  row: () => [
    {
      label: 'recharge.book',
      needs: { perm: recharge.submit.perm, audit: recharge.submit.audit },
      dialog: ({ rows: [line], close }) => (
        <Suspense fallback={soon}>
          <Book line={line} names={asked} close={close} />
        </Suspense>
      ),
    },
  ],
  also: [recharge.submit, upload.token, upload.file],
})

/** Finance books what merchants pay in into their wallets; a second person confirms it by the bank's own line. */
export default tabbed([
  { name: 'topUps', label: 'recharge.topUps', screen: topUps },
  { name: 'bankLines', label: 'recharge.notBooked', screen: lines },
])
