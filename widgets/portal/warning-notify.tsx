import { logCalls } from '../../core/contract/common/common.ts'
import { type WarningRow, warning } from '../../core/contract/portal/warning.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { AckDialog } from './warning-ack.tsx'
import { WarningDetail, warningHead } from './warning-detail.tsx'
import { Level, RecordLink, targetOf } from './warning-parts.tsx'

/** Duty leads and finance see what costs money or stops work, take it on, and record the result. */
export default listScreen({
  list: warning.page,
  rowKey: 'warningNo',
  start: { warningStatus: ['open', 'acknowledged'], firstTime: 'last30' },
  filters: ['warningLevel', 'warningType', 'warningStatus', 'merchantNo', 'firstTime', 'warningNo'],
  columns: [
    'warningNo',
    { id: 'warningLevel', cell: (row: WarningRow) => <Level value={row.warningLevel} /> },
    'warningType',
    { id: 'title', width: 260 },
    { id: 'objectNo', cell: (row: WarningRow) => <RecordLink of={row} /> },
    'merchantName',
    'warningStatus',
    'firstTime',
    'lastTime',
    'occurCount',
    'ageMinutes',
    'ackName',
    'ackTime',
  ],
  rowAndBulk: () => [
    { label: 'actions.acknowledge', needs: warning.ack, dialog: AckDialog, shortcut: 'acknowledge' as const },
  ],
  row: act => [
    {
      label: 'actions.goToRecord',
      when: row => (row.route ? true : 'errors.noRecordPage'),
      go: row => targetOf(row.route),
    },
    act(warning.resolve, { label: 'actions.resolve', ask: ['remark'], confirm: 'warning.confirmResolve' }),
  ],
  head: warningHead,
  detail: row => <WarningDetail row={row} />,
  also: [warning.detail, warning.occurrences, warning.ack, ...logCalls],
  refresh: 60_000,
})
