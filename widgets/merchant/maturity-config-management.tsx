import { lazy, Suspense } from 'react'
import { businessConfig } from '../../core/contract/common/business-config.ts'
import { common } from '../../core/contract/common/common.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { maturities, maturity } from '../../core/contract/merchant/maturity.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'

const DueLoad = lazy(async () => ({ default: (await import('./maturity/due-load.tsx')).DueLoad }))
const Preview = lazy(async () => ({ default: (await import('./maturity/preview.tsx')).Preview }))
const Holidays = lazy(async () => ({ default: (await import('./maturity/holidays.tsx')).Holidays }))

type Row = ConfigRow<typeof maturities>
const ForAll = ({ name }: { name: string | null }) => name ?? useText()('config.forAll')

const Reminders = ({ row: { reminderPlan } }: { row: Row }) =>
  reminderPlan?.map(({ dayOffset, time }) => `${dayOffset} ${time}`).join(', ') || '–'

const configs = configScreen({
  config: maturities,
  filters: ['merchantNo', 'productNo', 'dueShift'],
  columns: [
    'maturityNo',
    { id: 'merchantName', cell: (row: Row) => <ForAll name={row.merchantName} /> },
    { id: 'productName', cell: (row: Row) => <ForAll name={row.productName} /> },
    'dueShift',
    { id: 'reminderPlan', cell: (row: Row) => <Reminders row={row} /> },
    {
      id: 'extension',
      label: 'maturity.extensionOffered',
      cell: (row: Row) => (row.extensionToDay === null ? '–' : `${row.extensionFromDay ?? 0} … +${row.extensionToDay}`),
    },
    'versionNo',
    'billsDue',
  ],
  settings: ['merchantName', 'productName', 'dueShift', 'reminderPlan', 'extensionFromDay', 'extensionToDay'],
  confirm: {
    enable: 'maturity.confirmEnable',
    disable: 'maturity.confirmDisable',
    delete: 'maturity.confirmDelete',
  },
  effect: 'maturity.effect',
  tabs: [
    { name: 'load', label: 'maturity.load', body: row => <DueLoad maturityNo={row.maturityNo} /> },
    { name: 'preview', label: 'maturity.preview', body: row => <Preview row={row} /> },
  ],
  also: [maturity.load, maturity.preview],
})

const load = screen([maturity.load], () => (
  <Suspense fallback={<Loading rows={4} />}>
    <DueLoad />
  </Suspense>
))

const holidays = screen(
  [businessConfig.get, businessConfig.update, common.approvals, common.approve, common.reject, common.withdraw],
  () => (
    <Suspense fallback={<Loading rows={4} />}>
      <Holidays />
    </Suspense>
  ),
)

/** Product and collection staff decide what happens around the due date, and keep the calendar of public holidays. */
export default tabbed([
  { name: 'configs', label: 'maturity.configs', screen: configs },
  { name: 'load', label: 'maturity.load', screen: load },
  { name: 'holidays', label: 'maturity.holidays', screen: holidays },
])
