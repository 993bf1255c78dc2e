import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { ineligible, ruleJoin } from './eligibility.ts'

const { reReview } = contract
type Facts = { orderNo: string; orderStatus: string; reason: string | null; waits: boolean }

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const rows = await tx.rows(sql<Facts>`
    select o.order_no, o.order_status, ${ineligible(tx)} as reason, exists (
      select 1 from approval a where a.approval_status = 'pending' and (a.order_no = o.order_no or (a.object_type = 'order' and a.object_no = o.order_no))) as waits
    from loan_order o ${ruleJoin} where o.order_no = any(${[...keys]})`)
  return new Map(rows.map(row => [row.orderNo, row]))
}

/** Why a rejected order is not asked for: that it was today already, or what its rule says. */
const refuses = ({ reason, orderStatus }: Facts): Fault | null => {
  if (!reason || !['approval_rejected', 'machine_refused'].includes(orderStatus)) return null
  if (reason === 'today') return new Fault('stateConflict', 'errors.dataExists')
  return new Fault('stateConflict', 'errors.reReviewIneligible', { reason: `dict.RE_REVIEW_INELIGIBLE.${reason}` })
}

/** Why a rejected order does not take an application. */
export const reReviewBlocks = blocks<Facts>({
  read,
  states: ({ orderStatus }) => ({ order: orderStatus }),
  waits: ({ waits }) => waits,
  commands: [{ command: reReview.apply, refuses }],
})
