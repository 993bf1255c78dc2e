import { sql } from 'kysely'

/** Lines of the access log, `x`, each with the order `o` that its record belongs to, where there is one. */
export const accessLines = sql`access_log x left join loan_order o on o.order_no = case x.object_type
  when 'order' then x.object_no
  when 'loanCode' then (select lc.order_no from loan_code lc where lc.loan_code = x.object_no)
  when 'contact' then (select oc.order_no from order_contact oc where oc.contact_no = x.object_no)
  when 'repayment' then (select rr.order_no from repay_record rr where rr.repayment_no = x.object_no) end`
