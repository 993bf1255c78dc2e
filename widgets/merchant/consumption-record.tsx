import { lazy, Suspense } from 'react'
import { attach } from '../../core/contract/common/attachment.ts'
import { common } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { consumption } from '../../core/contract/merchant/consumption.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { Loading } from '../../core/ui/states.tsx'

const Detail = lazy(async () => ({ default: (await import('./consumption/record-detail.tsx')).RecordDetail }))
const Summary = lazy(async () => ({ default: (await import('./consumption/summary.tsx')).Summary }))
const Statement = lazy(async () => ({ default: (await import('./consumption/statement-dialog.tsx')).StatementDialog }))
const soon = <Loading rows={4} />

const records = listScreen({
  list: consumption.page,
  rowKey: 'consumptionNo',
  start: { businessDate: 'last30' },
  filters: ['merchantNo', 'meter', 'businessDate', 'consumptionStatus', 'typeNo', 'orgNo', 'unpriced', 'consumptionNo'],
  presets: [
    { label: 'common.last30', filters: { businessDate: 'last30' } },
    { label: 'consumption.today', filters: { consumptionStatus: ['accruing'] } },
    { label: 'consumption.unpriced', filters: { unpriced: true } },
  ],
  columns: [
    'consumptionNo',
    'businessDate',
    'merchantName',
    'meter',
    'unit',
    'unitPrice',
    'quantity',
    'consumptionAmount',
    'consumptionStatus',
    'journalNo',
    'balanceAfter',
  ],
  more: ['orgName', 'unpriced', 'reversedQuantity', 'reversedAmount', 'postedTime', 'walletBalance', 'pendingApproval'],
  row: act => [
    act(consumption.reverse, {
      label: 'consumption.reverse',
      tone: 'danger',
      ask: ['quantity', 'reason', 'evidence'],
      from: rows => ({ quantity: rows[0]?.leftQuantity }),
      confirm: 'consumption.confirmReverse',
      done: 'config.sentForApproval',
    }),
  ],
  toolbar: () => [
    {
      label: 'consumption.statement',
      needs: { perm: consumption.statement.perm },
      dialog: ({ close }) => (
        <Suspense fallback={soon}>
          <Statement close={close} />
        </Suspense>
      ),
    },
  ],
  head: row => <Dict dict="CONSUMPTION_STATUS" value={row.consumptionStatus} />,
  detail: (row, reload) => (
    <Suspense fallback={soon}>
      <Detail key={row.consumptionNo} consumptionNo={row.consumptionNo} reload={reload} />
    </Suspense>
  ),
  also: [
    consumption.detail,
    consumption.events,
    consumption.statement,
    consumption.statementFile,
    attach.list,
    upload.token,
    upload.file,
    common.approvals,
    common.approve,
    common.reject,
    common.withdraw,
  ],
})

const summary = screen([consumption.summary, consumption.dearest], () => (
  <Suspense fallback={soon}>
    <Summary />
  </Suspense>
))

/** Platform finance bills merchants for what they used; merchants check their bill down to the single event. */
export default tabbed([
  { name: 'records', label: 'consumption.records', screen: records },
  { name: 'summary', label: 'consumption.summary', screen: summary },
])
