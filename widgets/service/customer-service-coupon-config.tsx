import type { ConfigRow } from '../../core/contract/config.ts'
import { serviceCouponConfigs } from '../../core/contract/service/service-coupon.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { formatMoney } from '../../core/rules/amount.ts'

type Row = ConfigRow<typeof serviceCouponConfigs>

const both = (least: string | null, most: string | null, face: string) =>
  least === null || most === null ? formatMoney(face) : `${formatMoney(least)}–${formatMoney(most)}`

/** The head of service and finance say which coupons agents may ask for, how much, how many, within which budget of a month. */
export default configScreen({
  config: serviceCouponConfigs,
  filters: ['configName', 'couponType', 'couponRepayType', 'merchantNo'],
  columns: [
    'serviceConfigNo',
    'configName',
    'couponName',
    'couponType',
    'merchantNames',
    {
      id: 'faceAmount',
      cell: ({ amountMin, amountMax, faceAmount }: Row) => <>{both(amountMin, amountMax, faceAmount)}</>,
    },
    'countMax',
    'perAgentDaily',
    'usedBudget',
    'pendingBudget',
    'monthlyBudget',
  ],
  more: ['couponRepayType', 'validityDays', 'perCustomer30Days', 'minReasonLength', 'pendingCount'],
  settings: [
    ...(['configName', 'couponName', 'couponType', 'couponRepayType', 'merchantNames', 'faceAmount'] as const),
    ...(['amountMin', 'amountMax', 'countMax', 'perAgentDaily', 'perCustomer30Days'] as const),
    ...(['monthlyBudget', 'usedBudget', 'pendingBudget', 'minReasonLength', 'validityDays'] as const),
  ],
  confirm: {
    enable: 'serviceCoupon.confirmEnable',
    disable: 'serviceCoupon.confirmDisable',
    delete: 'serviceCoupon.confirmDelete',
  },
})
