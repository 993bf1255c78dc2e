import { lazy, type ReactNode, Suspense } from 'react'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { common, logCalls } from '../../core/contract/common/common.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { activities, activity } from '../../core/contract/operation/activity.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Words } from '../../core/engine/screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { shortTime } from '../../core/rules/time.ts'
import { Loading } from '../../core/ui/states.tsx'
import { ShareBar } from './activity/share-bar.tsx'

const parts = () => import('./activity/activity-parts.tsx')
const Funnel = lazy(async () => ({ default: (await parts()).Funnel }))
const BudgetByDay = lazy(async () => ({ default: (await parts()).BudgetByDay }))
const ActivityAwards = lazy(async () => ({ default: (await parts()).ActivityAwards }))
const AwardDetail = lazy(async () => ({ default: (await parts()).AwardDetail }))
const BudgetEffect = lazy(async () => ({ default: (await parts()).BudgetEffect }))

type Row = ConfigRow<typeof activities>
const later = (body: ReactNode) => <Suspense fallback={<Loading rows={4} />}>{body}</Suspense>

/** What customers may get by an activity, before it is switched on. */
const asksEnable = ([row]: readonly Row[]): Words => {
  const params = {
    activityName: row?.activityName ?? '',
    budgetAmount: formatMoney(row?.budgetAmount ?? '0'),
    from: shortTime(row?.startTime ?? ''),
    to: shortTime(row?.endTime ?? ''),
  }
  const [task, ...more] = row?.tasks ?? []
  if (!task?.awardAmount || more.length > 0) return { key: 'activity.confirmEnable', params }
  const award = { award: formatMoney(task.awardAmount), n: task.taskThreshold }
  return { key: `activity.enable.${task.taskKey}`, params: { ...params, ...award } }
}

const list = configScreen({
  config: activities,
  filters: ['activityName', 'activityType', 'activityState', 'merchantNo', 'appCode'],
  columns: [
    'activityNo',
    'activityName',
    'activityType',
    'activityState',
    { id: 'merchantNames', width: 150 },
    { id: 'appCodes', width: 120 },
    'startTime',
    'endTime',
    'budgetAmount',
    { id: 'budgetSpent', width: 150, cell: (row: Row) => <ShareBar part={row.budgetSpent} of={row.budgetAmount} /> },
    'participants',
    'awardCount',
    'heldCount',
    'costPerPayout',
  ],
  more: ['awardsPerCustomer'],
  settings: [
    'activityNo',
    'activityName',
    'activityType',
    'activityState',
    'merchantNames',
    'appCodes',
    'startTime',
    'endTime',
    'budgetAmount',
    'budgetSpent',
    'awardsPerCustomer',
    'tasks',
    'ruleText',
  ],
  tabs: [
    { name: 'funnel', label: 'activity.funnel', body: row => later(<Funnel activityNo={row.activityNo} />) },
    { name: 'awards', label: 'activity.awards', body: row => later(<ActivityAwards activityNo={row.activityNo} />) },
    { name: 'budget', label: 'activity.budgetByDay', body: row => later(<BudgetByDay activityNo={row.activityNo} />) },
  ],
  confirm: {
    enable: asksEnable,
    disable: ([row]) => ({
      key: 'activity.confirmDisable',
      params: { activityName: row?.activityName ?? '', n: row?.heldCount ?? 0 },
    }),
    delete: 'activity.confirmDelete',
  },
  row: [
    {
      run: activity.budget as Endpoint,
      label: 'activity.addBudget',
      input: rows => ({ activityNo: rows[0]?.activityNo, version: rows[0]?.version }),
      ask: ['addedAmount', 'reason'],
      when: row =>
        row.pendingApproval !== null
          ? ('errors.approvalWaits' as const)
          : Date.parse(row.endTime) > Date.now() || ('errors.activityOver' as const),
      preview: (values, rows) => (
        <Suspense fallback={null}>
          <BudgetEffect row={rows[0]} addedAmount={values.addedAmount} />
        </Suspense>
      ),
      confirm: 'activity.confirmBudget',
      done: 'config.sentForApproval',
    },
  ],
  also: [activity.stat, activity.awards, activity.budget, common.merchants, ...approvalCalls],
})

const awards = listScreen({
  list: activity.awards,
  rowKey: 'awardNo',
  filters: [
    'activityNo',
    'awardStatus',
    'phone',
    'awardTime',
    'awardKind',
    'taskKey',
    'awardHold',
    'clusterNo',
    'orderNo',
  ],
  start: { awardTime: 'last30' },
  presets: [
    { label: 'config.all', filters: {} },
    { label: 'activity.heldOnly', filters: { awardStatus: ['held'] }, counted: true },
  ],
  columns: [
    'awardTime',
    'activityName',
    'customerName',
    'phone',
    'taskKey',
    'awardKind',
    'awardAmount',
    'couponName',
    'orderNo',
    'awardStatus',
    'awardHold',
    'clusterNo',
  ],
  more: [
    'awardNo',
    'couponNo',
    'rewardNo',
    'inviteeNo',
    'merchantName',
    'decidedBy',
    'decidedTime',
    'decideReason',
    'undoneTime',
    'pendingApproval',
  ],
  rowAndBulk: act => [
    act(activity.decide, {
      label: 'activity.decide',
      ask: ['awardDecision', 'reason'],
      confirm: 'activity.confirmDecide',
    }),
    act(activity.reverse, {
      label: 'activity.reverse',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'activity.confirmReverse',
    }),
  ],
  detail: row => later(<AwardDetail row={row} />),
  also: [...logCalls],
})

/** Operations staff run activities that reward customers within a fixed budget; a second person agrees where money is given away. */
export default tabbed([
  { name: 'activities', label: 'activity.activities', screen: list },
  { name: 'awards', label: 'activity.awards', screen: awards },
])
