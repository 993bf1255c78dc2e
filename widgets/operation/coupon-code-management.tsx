import { lazy, Suspense } from 'react'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { businessConfig } from '../../core/contract/common/business-config.ts'
import { common, logCalls } from '../../core/contract/common/common.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { coupon, couponTemplates } from '../../core/contract/operation/coupon.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Action, CallAction, DialogProps } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'
import { CodesEffect, IssueEffect } from './coupon/issue-effect.tsx'

const parts = () => import('./coupon/coupon-parts.tsx')
const CouponDetail = lazy(async () => ({ default: (await parts()).CouponDetail }))
const BatchDetail = lazy(async () => ({ default: (await parts()).BatchDetail }))
const TemplateStat = lazy(async () => ({ default: (await parts()).TemplateStat }))
const Caps = lazy(async () => ({ default: (await import('./coupon/caps-dialog.tsx')).CapsDialog }))

type Row = ConfigRow<typeof couponTemplates>

const CapsDialog = (props: DialogProps<never>) => (
  <Suspense fallback={null}>
    <Caps {...props} />
  </Suspense>
)
const caps: Action<never> = {
  label: 'coupon.caps',
  needs: { perm: 'operation:coupon:caps', audit: businessConfig.update.audit },
  dialog: CapsDialog,
}

/** Begins with the kind of the row that it was opened for. */
const ofRow = (rows: readonly Row[]) => ({ couponTemplateNo: rows[0]?.couponTemplateNo })
const on = (row: Row) => row.enabled === 'enabled' || ('errors.couponTemplateOff' as const)

const issue: Omit<CallAction<Row>, 'from' | 'when'> = {
  run: coupon.issue as Endpoint,
  label: 'coupon.issue',
  input: () => ({}),
  ask: ['couponTemplateNo', 'customers', 'startDate', 'reason'],
  preview: values => <IssueEffect {...values} />,
  confirm: 'coupon.issueHint',
  done: 'config.sentForApproval',
}
const generate: Omit<CallAction<Row>, 'from' | 'when'> = {
  run: coupon.generate as Endpoint,
  label: 'coupon.generate',
  input: () => ({}),
  ask: ['couponTemplateNo', 'codeCount', 'commonCode', 'maxUses', 'startTime', 'endTime', 'reason'],
  preview: values => <CodesEffect {...values} />,
  confirm: 'coupon.generateHint',
  done: 'config.sentForApproval',
}

const templates = configScreen({
  config: couponTemplates,
  filters: ['couponName', 'couponType', 'couponRepayType', 'merchantNo'],
  columns: [
    'couponTemplateNo',
    'couponName',
    'couponType',
    'couponRepayType',
    'faceAmount',
    'minOrderAmount',
    'validityDays',
    'issuedCount',
    'couponUses',
    'usedShare',
    'budgetAmount',
    'issuedAmount',
    'spentAmount',
  ],
  more: ['merchantNames', 'issueCapPerCustomer'],
  settings: [
    'couponTemplateNo',
    'couponName',
    'couponType',
    'couponRepayType',
    'merchantNames',
    'faceAmount',
    'minOrderAmount',
    'validityDays',
    'issueCapPerCustomer',
    'budgetAmount',
    'issuedAmount',
    'spentAmount',
  ],
  tabs: [
    {
      name: 'stat',
      label: 'coupon.stat',
      body: row => (
        <Suspense fallback={<Loading rows={3} />}>
          <TemplateStat couponTemplateNo={row.couponTemplateNo} />
        </Suspense>
      ),
    },
  ],
  confirm: { enable: 'coupon.confirmEnable', disable: 'coupon.confirmDisable', delete: 'coupon.confirmDelete' },
  row: [
    { ...issue, from: ofRow, when: on },
    { ...generate, from: ofRow, when: on },
  ],
  toolbar: [caps],
  also: [
    coupon.stat,
    coupon.effect,
    coupon.issue,
    coupon.generate,
    businessConfig.get,
    businessConfig.update,
    common.merchants,
    ...approvalCalls,
  ],
})

const coupons = listScreen({
  list: coupon.coupons,
  rowKey: 'couponNo',
  filters: [
    'couponStatus',
    'couponType',
    'phone',
    'createdTime',
    'couponNo',
    'boundOrderNo',
    'couponTemplateNo',
    'couponSource',
    'sourceNo',
  ],
  start: { createdTime: 'last30' },
  columns: [
    'couponNo',
    'couponName',
    'couponType',
    'couponStatus',
    'faceAmount',
    'customerName',
    'phone',
    'startTime',
    'expireTime',
    'boundOrderNo',
    'couponSource',
    'createdTime',
  ],
  more: ['couponTemplateNo', 'couponRepayType', 'merchantName', 'usedTime', 'takenOff', 'sourceNo', 'pendingApproval'],
  rowAndBulk: act => [
    act(coupon.revoke, {
      label: 'coupon.revoke',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'coupon.confirmRevoke',
    }),
  ],
  detail: row => (
    <Suspense fallback={<Loading rows={4} />}>
      <CouponDetail row={row} />
    </Suspense>
  ),
  also: [...logCalls],
})

const batches = listScreen({
  list: coupon.batches,
  rowKey: 'issueBatchNo',
  filters: ['issueBatchStatus', 'couponTemplateNo', 'createdTime', 'issueBatchNo'],
  columns: [
    'issueBatchNo',
    'couponName',
    'issueBatchStatus',
    'issueCount',
    'totalAmount',
    'issuedOk',
    'issuedFailed',
    'makerName',
    'checkerName',
    'createdTime',
    'finishTime',
  ],
  more: ['faceAmount', 'startTime', 'reason', 'couponTemplateNo'],
  toolbar: act => [
    act(coupon.issue, {
      label: 'coupon.issue',
      ask: ['couponTemplateNo', 'customers', 'startDate', 'reason'],
      preview: values => <IssueEffect {...values} />,
      confirm: 'coupon.issueHint',
      done: 'config.sentForApproval',
    }),
  ],
  detail: row => (
    <Suspense fallback={<Loading rows={4} />}>
      <BatchDetail row={row} />
    </Suspense>
  ),
  also: [coupon.effect, coupon.batchRows, ...logCalls],
})

const codes = listScreen({
  list: coupon.codes,
  rowKey: 'promoCode',
  filters: ['promoState', 'couponTemplateNo', 'createdTime', 'promoCode'],
  columns: [
    'promoCode',
    'couponName',
    'promoState',
    'faceAmount',
    { id: 'codeUses', cell: row => `${row.codeUses} / ${row.maxUses}` },
    'startTime',
    'endTime',
    'makerName',
    'createdTime',
  ],
  more: ['maxUses', 'stoppedTime', 'stoppedBy', 'couponTemplateNo'],
  row: act => [
    act(coupon.stopCode, {
      label: 'coupon.stopCode',
      tone: 'danger',
      input: rows => ({ promoCode: rows[0]?.promoCode, version: rows[0]?.version }),
      confirm: 'coupon.confirmStop',
    }),
  ],
  toolbar: act => [
    act(coupon.generate, {
      label: 'coupon.generate',
      ask: ['couponTemplateNo', 'codeCount', 'commonCode', 'maxUses', 'startTime', 'endTime', 'reason'],
      preview: values => <CodesEffect {...values} />,
      confirm: 'coupon.generateHint',
      done: 'config.sentForApproval',
    }),
  ],
})

/** Operations staff define coupons, give them to customers or behind a code, and follow what they cost; a second person lets them go. */
export default tabbed([
  { name: 'templates', label: 'coupon.templates', screen: templates },
  { name: 'coupons', label: 'coupon.coupons', screen: coupons },
  { name: 'batches', label: 'coupon.batches', screen: batches },
  { name: 'codes', label: 'coupon.codes', screen: codes },
])
