import { lazy, Suspense } from 'react'
import { sensitiveInfo } from '../../core/contract/operation/sensitive-info.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { screen } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'
import { settingCalls } from '../shared/business-config-dialog.tsx'
import { SeenBy } from './sensitive-info/seen-by.tsx'

const FieldsTab = lazy(async () => ({ default: (await import('./sensitive-info/fields-tab.tsx')).FieldsTab }))
const PeopleTab = lazy(async () => ({ default: (await import('./sensitive-info/people-tab.tsx')).PeopleTab }))

const fields = screen(
  [...[sensitiveInfo.page, sensitiveInfo.detail, sensitiveInfo.effect, sensitiveInfo.save], ...settingCalls],
  () => (
    <Suspense fallback={<Loading rows={4} />}>
      <FieldsTab />
    </Suspense>
  ),
)

const log = listScreen({
  list: sensitiveInfo.revealLog,
  rowKey: 'accessNo',
  presets: [
    { label: 'sensitiveInfo.lastWeek', filters: { actTime: 'last7' } },
    { label: 'sensitiveInfo.overOnly', filters: { result: ['over_limit'] } },
    { label: 'sensitiveInfo.notReviewed', filters: { actTime: 'last7', reviewed: false } },
    { label: 'sensitiveInfo.all', filters: {} },
  ],
  filters: ['actTime', 'userNo', 'kind', 'customerNo', 'orderNo', 'result', 'reviewed'],
  columns: [
    ...(['actTime', 'realName', 'roleName', 'seenKinds', 'customerName', 'orderNo'] as const),
    ...(['route', 'reason', 'ip', 'result', 'reviewedBy'] as const),
  ],
  more: ['customerNo', 'accessKind', 'userNo', 'accessNo'],
  bulk: act => [
    act(sensitiveInfo.review, {
      label: 'sensitiveInfo.review',
      ask: ['remark'],
      confirm: 'sensitiveInfo.confirmReview',
    }),
  ],
  toolbar: () => [{ label: 'sensitiveInfo.seenBy', needs: { perm: sensitiveInfo.seenBy.perm }, dialog: SeenBy }],
  also: [sensitiveInfo.seenBy],
})

const people = screen([sensitiveInfo.revealStat], () => (
  <Suspense fallback={<Loading rows={4} />}>
    <PeopleTab />
  </Suspense>
))

/** The data-protection officer decides how sensitive values are guarded, and reads who has revealed them. */
export default tabbed([
  { name: 'fields', label: 'sensitiveInfo.fields', screen: fields },
  { name: 'log', label: 'sensitiveInfo.log', screen: log },
  { name: 'people', label: 'sensitiveInfo.people', screen: people },
])
