import { sql } from 'kysely'
import type { retrieval } from '../../../../core/contract/audit/retrieval.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import type { Tx } from '../../../db/database.ts'
import type { Session } from '../../../session/session.ts'
import { orderScope } from '../../order/order/index.ts'
import { isBarred } from '../../risk/name-list/index.ts'

export type Looked = OutputOf<typeof retrieval.preview>['list'][number]
type Found = Looked & { orderNo: string }

const daysKey = 'RETRIEVAL_DAYS'
const defaultDays = 30

/** What of some numbers can be retrieved by a person, and why the others cannot; a number out of reach is not found. */
export const lookAt = async (tx: Tx, session: Session, entered: readonly string[]): Promise<Looked[]> => {
  const rows = await tx.rows(sql<Found>`
    select o.order_no, o.order_no as entered_no, m.merchant_name, c.customer_name, o.loan_amount, o.order_status,
      case
        when o.order_status not in ('machine_refused', 'approval_rejected') then case when exists (
          select 1 from order_retrieval r where r.order_no = o.order_no and r.retrieval_status = 'retrieved') then 'open_exists' else 'wrong_status' end
        when exists (select 1 from order_retrieval r where r.order_no = o.order_no and r.retrieval_status = 'retrieved') then 'open_exists'
        when o.status_time < ${tx.now}::timestamptz - coalesce((
          select (config_value #>> '{}')::int from business_config where config_key = ${daysKey}), ${defaultDays}) * interval '1 day' then 'too_old'
        when ${isBarred(tx, { orderNo: sql`o.order_no`, merchantNo: sql`o.merchant_no` })} then 'blacklisted'
      end as fail_reason
    from loan_order o join order_customer c using (customer_no, merchant_no) join merchant m on m.merchant_no = o.merchant_no
    where o.order_no = any(${[...new Set(entered)]}) and ${orderScope(session, 'order:salvage:page')}`)
  const known = new Map(rows.map(row => [row.orderNo, row]))
  const seen = new Set<string>()
  return entered.map(enteredNo => {
    const found = known.get(enteredNo)
    const again = seen.has(enteredNo)
    seen.add(enteredNo)
    if (!found)
      return {
        enteredNo,
        orderNo: null,
        merchantName: null,
        customerName: null,
        loanAmount: null,
        orderStatus: null,
        failReason: again ? 'duplicate' : 'not_found',
      }
    return { ...found, failReason: again ? 'duplicate' : found.failReason }
  })
}
