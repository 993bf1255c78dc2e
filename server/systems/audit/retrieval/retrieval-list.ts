import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { listed } from '../../../lists/listed.ts'
import { peopleScope } from '../../../rights/people-scope.ts'
import { orderApproval, orderScope, refuseName } from '../../order/order/index.ts'
import { retrievalBlocks } from './retrieval-blocks.ts'

const { retrieval } = contract
export const page = 'order:salvage:page'

const numbers = (text: string) => [...new Set(text.split(/[\s,，;；]+/).filter(Boolean))].slice(0, 1_000)

/** Retrievals of orders within the data rule of the reader; numbers that are no order are seen by who entered them. */
export const items = listed({
  list: retrieval.items,
  source: ({ session }) => ({
    from: sql`order_retrieval r left join loan_order o on o.order_no = r.order_no`,
    joins: {
      c: sql`left join order_customer c on c.customer_no = o.customer_no and c.merchant_no = o.merchant_no`,
      m: sql`left join merchant m on m.merchant_no = o.merchant_no`,
      u: sql`left join app_user u on u.user_no = o.auditor_no`,
      rc: sql`left join refuse_code rc on rc.refuse_code = o.refuse_code`,
      cu: sql`join app_user cu on cu.user_no = r.created_by`,
    },
    where: sql`((r.order_no is null and r.created_by = ${session.userNo}) or (r.order_no is not null and ${orderScope(session, page)}))`,
    alias: 'r',
    key: sql`r.retrieval_no`,
    columns: {
      merchantName: sql`m.merchant_name`,
      merchantNo: sql`o.merchant_no`,
      customerName: sql`c.customer_name`,
      loanAmount: sql`o.loan_amount`,
      actualLoanAmount: sql`o.actual_loan_amount`,
      modelLevel: sql`o.model_level`,
      refuseCode: sql`o.refuse_code`,
      refuseReason: refuseName(session.language),
      orderStatus: sql`o.order_status`,
      createdByName: sql`cu.real_name`,
      auditorName: sql`u.real_name`,
      auditResult: sql`(
        select a.audit_result from audit_record a where a.order_no = r.order_no and a.submit_time > r.created_time order by a.submit_time desc limit 1)`,
      pendingApproval: orderApproval,
    },
    filters: { orderNo: text => sql`r.entered_no = any(${numbers(text)})` },
  }),
  blocked: (at, rows) =>
    retrievalBlocks.of(
      at,
      rows.map(row => row.retrievalNo),
    ),
})

/** Batches of the people whom the reader may see. */
export const batches = listed({
  list: retrieval.batches,
  source: ({ session }) => ({
    from: sql`retrieval_batch b join app_user u on u.user_no = b.created_by`,
    where: peopleScope(session, page),
    alias: 'b',
    key: sql`b.retrieval_batch_no`,
    columns: {
      createdByName: sql`u.real_name`,
      retrievedCount: sql`b.ok_count`,
      notRetrievedCount: sql`b.fail_count`,
    },
  }),
})
