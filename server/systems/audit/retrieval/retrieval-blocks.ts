import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { can } from '../../../../core/rules/machines/machine.ts'
import { order } from '../../../../core/rules/machines/order/order.ts'
import { blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'

const { retrieval } = contract

type Facts = {
  retrievalNo: string
  retrievalStatus: string
  orderStatus: string | null
  repaid: boolean
  reversing: boolean
  waits: boolean
}

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Facts>> => {
  const rows = await tx.rows(sql<Facts>`
    select r.retrieval_no, r.retrieval_status, o.order_status,
      exists (select 1 from repay_record p where p.order_no = o.order_no and p.record_status = 'posted') as repaid,
      exists (select 1 from loan_code lc where lc.order_no = o.order_no and lc.loan_code_status = 'reversing') as reversing,
      exists (select 1 from approval a where a.approval_status = 'pending' and (a.order_no = o.order_no or (a.object_type = 'order' and a.object_no = o.order_no))) as waits
    from order_retrieval r left join loan_order o on o.order_no = r.order_no where r.retrieval_no = any(${[...keys]})`)
  return new Map(rows.map(row => [row.retrievalNo, row]))
}

const refuses = ({ retrievalStatus, orderStatus, repaid, reversing }: Facts): Fault | null => {
  if (retrievalStatus !== 'retrieved' || orderStatus === null) return null
  if (!can(order, orderStatus, 'retrieval.revert')) return stateConflict(orderStatus, 'ORDER_STATUS')
  if (orderStatus !== 'funds_disbursed') return null
  if (repaid) return new Fault('stateConflict', 'errors.repaymentExists')
  return reversing ? new Fault('stateConflict', 'errors.moneyComingBack') : null
}

/** Why a retrieved order is not put back: what became of it, money that was repaid, a request that waits. */
export const retrievalBlocks = blocks<Facts>({
  read,
  states: ({ retrievalStatus }) => ({ retrievalItem: retrievalStatus as never }),
  waits: ({ waits }) => waits,
  commands: [{ command: retrieval.revert, refuses }],
})
