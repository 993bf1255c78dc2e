import { lazy } from 'react'
import { Dict } from '../../core/engine/table/value.tsx'
import { formatMoney } from '../../core/rules/amount.ts'

/** An order in short, for a drawer; fetched when one opens. */
export const OrderBrief = lazy(async () => ({ default: (await import('./order-brief-body.tsx')).OrderBrief }))

/** Status and amount beside the key of a drawer. */
export const orderHead = (row: { orderStatus: string; loanAmount: string }) => (
  <>
    <Dict dict="ORDER_STATUS" value={row.orderStatus} />
    <span>UGX {formatMoney(row.loanAmount)}</span>
  </>
)
