import { lazy, type ReactNode, Suspense } from 'react'
import type { ConfigRow } from '../../core/contract/config.ts'
import { acquireRules, orderAcquire, replayRefusal } from '../../core/contract/merchant/order-acquire.ts'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { DialogProps } from '../../core/engine/screen.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { Loading } from '../../core/ui/states.tsx'

const parts = () => import('./order-acquire/parts.tsx')
const Today = lazy(async () => ({ default: (await parts()).TodayTab }))
const Detail = lazy(async () => ({ default: (await parts()).IntakeDetail }))
const Live = lazy(async () => ({ default: (await parts()).Live }))
const Sample = lazy(async () => ({ default: (await import('./order-acquire/sample-dialog.tsx')).SampleDialog }))

type Row = ConfigRow<typeof acquireRules>
const Soon = ({ children }: { children: ReactNode }) => <Suspense fallback={<Loading rows={4} />}>{children}</Suspense>
/** What came of what may come today; a cap that is reached stands out. */
const Room = ({ row: { todayAccepted, capToday } }: { row: Row }) => (
  <span className="mk-load">
    <meter min={0} max={Math.max(1, capToday)} high={Math.max(1, capToday) - 0.5} optimum={0} value={todayAccepted}>
      {todayAccepted}
    </meter>{' '}
    {todayAccepted} / {capToday}
  </span>
)
const ordersOf = (row: Row | undefined) => ({
  merchantName: row?.merchantName ?? '',
  channel: row?.incomingChannel ?? '',
  n: row?.todayAccepted ?? 0,
  cap: row?.capToday ?? 0,
})

const rules = configScreen({
  config: acquireRules,
  filters: ['merchantNo', 'incomingChannel', 'loanKind', 'productNo'],
  columns: [
    'acquireName',
    'merchantName',
    'incomingChannel',
    'loanKind',
    'productNames',
    { id: 'acceptFrom', cell: (row: Row) => `${row.acceptFrom}–${row.acceptTo}` },
    { id: 'capToday', width: 150, cell: (row: Row) => <Room row={row} /> },
    'hourCap',
    { id: 'firstShare', cell: (row: Row) => `${row.firstShare} %` },
    'dedupeDays',
    'price',
    { id: 'todayShare', cell: ({ todayShare }: Row) => (todayShare === null ? '–' : `${todayShare} %`) },
    'topCode',
  ],
  more: ['acquireNo', 'dailyCap', 'todayOnly', 'todayAccepted', 'todayRefused', 'hourAccepted'],
  settings: [
    'acquireNo',
    'acquireName',
    'merchantName',
    'incomingChannel',
    'loanKind',
    'productNames',
    'acceptFrom',
    'acceptTo',
    'dailyCap',
    'capToday',
    'todayOnly',
    'hourCap',
    'firstShare',
    'dedupeDays',
    'price',
  ],
  tabs: [
    {
      name: 'today',
      label: 'orderAcquire.byHour',
      body: row => (
        <Soon>
          <Today row={row} />
        </Soon>
      ),
    },
  ],
  confirm: {
    enable: ([row]) => ({ key: 'orderAcquire.confirmResume', params: ordersOf(row) }),
    disable: ([row]) => ({ key: 'orderAcquire.confirmPause', params: ordersOf(row) }),
    delete: 'orderAcquire.confirmDelete',
  },
  confirmMany: {
    enable: 'orderAcquire.confirmResumeMany',
    disable: 'orderAcquire.confirmPauseMany',
    delete: 'orderAcquire.confirmDeleteMany',
  },
  row: [
    {
      run: orderAcquire.today,
      label: 'orderAcquire.todayOnly',
      ask: ['todayCap'],
      from: (rows: readonly Row[]) => ({ todayCap: rows[0]?.capToday }),
      confirm: 'orderAcquire.confirmToday',
      done: 'config.saved',
    },
  ],
  toolbar: [
    {
      label: 'orderAcquire.sample',
      needs: { perm: orderAcquire.sample.perm },
      dialog: ({ close }: DialogProps<never>) => (
        <Soon>
          <Sample close={close} />
        </Soon>
      ),
    },
  ],
  also: [orderAcquire.today, orderAcquire.stat, orderAcquire.sample],
})

const log = listScreen({
  list: orderAcquire.log,
  rowKey: 'intakeNo',
  start: { intakeTime: 'today' },
  filters: [
    'thirdOrderNo',
    'merchantNo',
    'intakeCode',
    'intakeTime',
    'intakeResult',
    'incomingChannel',
    'orderNo',
    'acquireNo',
  ],
  presets: [
    { label: 'orderAcquire.allToday', filters: { intakeTime: 'today' } },
    { label: 'orderAcquire.refusedToday', filters: { intakeTime: 'today', intakeResult: ['refused', 'error'] } },
    { label: 'orderAcquire.overCap', filters: { intakeTime: 'today', intakeCode: ['106'] } },
  ],
  columns: [
    'intakeNo',
    'intakeTime',
    'merchantName',
    'incomingChannel',
    'thirdOrderNo',
    'orderNo',
    'intakeResult',
    'partnerCode',
    'intakeCode',
    'latencyMs',
    'customerName',
    'charged',
  ],
  more: ['acquireName', 'loanKind', 'tryCount', 'customerNo', 'mayReplay'],
  above: filters => (
    <Suspense fallback={null}>
      <Live merchantNo={filters.merchantNo} acquireNo={filters.acquireNo} />
    </Suspense>
  ),
  rowAndBulk: act => [
    act(orderAcquire.replay, {
      label: 'orderAcquire.replay',
      when: row => row.mayReplay || replayRefusal(row, new Date()),
      input: rows => ({ intakeNos: rows.map(row => row.intakeNo) }),
      confirm: (rows, left) => ({
        key: left ? 'orderAcquire.confirmReplayOf' : 'orderAcquire.confirmReplay',
        params: { n: rows.length, all: rows.length + left },
      }),
    }),
  ],
  head: row => <Dict dict="INTAKE_RESULT" value={row.intakeResult} />,
  detail: row => (
    <Soon>
      <Detail key={row.intakeNo} row={row} />
    </Soon>
  ),
  also: [orderAcquire.logDetail, orderAcquire.stat, orderBrief.summary, orderBrief.steps],
})

/** Merchant operations set how many and which orders a merchant takes from each channel, and explain why an application was refused. */
export default tabbed([
  { name: 'rules', label: 'orderAcquire.rules', screen: rules },
  { name: 'log', label: 'orderAcquire.log', screen: log },
])
