import { useRead } from '../../core/client/providers.tsx'
import { logCalls } from '../../core/contract/common/common.ts'
import { type ApplyRow, serviceCoupon } from '../../core/contract/service/service-coupon.ts'
import { useText } from '../../core/element/i18n.ts'
import { Facts } from '../../core/engine/drawer/facts.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { listed } from '../../core/engine/table/columns.ts'
import { Text } from '../../core/ui/basics.ts'
import { RecordLog } from '../shared/record-log.tsx'
import { ApplyAgainDialog, ApplyDialog } from './coupon/apply-dialog.tsx'

/** How many applications are left today, by settings. */
const Quota = () => {
  const t = useText()
  const { data } = useRead(serviceCoupon.quota, {}, { follows: true })
  if (!data?.list.length) return null
  const parts = data.list.map(one => t('serviceCoupon.quotaLine', { name: one.configName, left: one.applicationsLeft }))
  return (
    <Text as="p" size="2" color="gray">
      {t('fields.applicationsLeft')} {listed(t, parts)}
    </Text>
  )
}

const names = [
  'couponApplyStatus',
  'configName',
  'couponType',
  'customerName',
  'phone',
  'orderNo',
  'faceAmount',
  'couponCount',
  'totalAmount',
  'reason',
  'applyTime',
  'auditorName',
  'auditTime',
  'auditRemark',
  'couponNos',
]
const detail = (row: ApplyRow) => (
  <>
    <Facts schema={serviceCoupon.my.row} value={row} names={names} />
    <RecordLog of={{ objectType: 'couponApplication', objectNo: row.applyNo }} />
  </>
)

/** Agents ask for coupons for the customer on the line, and follow what became of it. */
export default listScreen({
  list: serviceCoupon.my,
  rowKey: 'applyNo',
  start: { applyTime: 'last30' },
  presets: [
    { label: 'serviceCoupon.pending', filters: { couponApplyStatus: ['pending'] } },
    { label: 'serviceCoupon.decided', filters: { couponApplyStatus: ['approved', 'rejected'] } },
  ],
  filters: ['applyNo', 'phone', 'couponApplyStatus', 'applyTime', 'couponType'],
  columns: [
    'applyNo',
    'couponType',
    'customerName',
    'faceAmount',
    'couponCount',
    'totalAmount',
    'couponApplyStatus',
    'auditorName',
    'auditRemark',
    'applyTime',
  ],
  more: ['configName', 'couponRepayType', 'phone', 'reason', 'auditTime', 'couponNos'],
  above: () => <Quota />,
  toolbar: () => [{ label: 'serviceCoupon.apply', needs: { perm: serviceCoupon.apply.perm }, dialog: ApplyDialog }],
  row: act => [
    act(serviceCoupon.withdraw, {
      label: 'actions.withdrawApplication',
      tone: 'danger',
      confirm: 'serviceCoupon.confirmWithdraw',
    }),
    {
      label: 'serviceCoupon.applyAgain',
      needs: { perm: serviceCoupon.apply.perm },
      when: row => row.couponApplyStatus === 'rejected',
      dialog: ApplyAgainDialog,
    },
  ],
  detail,
  also: [...logCalls, serviceCoupon.quota, serviceCoupon.check, serviceCoupon.apply],
})
