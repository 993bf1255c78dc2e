import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { listed } from '../../../lists/listed.ts'
import { orderScope } from '../../order/order/index.ts'
import { modelsSeen } from './seen.ts'

const { riskModel } = contract

/** Scores of the orders that the reader sees, with what cost most points. */
export const scoreList = listed({
  list: riskModel.scores,
  source: ({ session }) => ({
    from: sql`risk_model_score s join loan_order o using (order_no)`,
    alias: 's',
    key: sql`s.score_no`,
    where: sql`${modelsSeen(session)} and ${orderScope(session, riskModel.scores.perm as string)}`,
    joins: {
      v: sql`join risk_model v on v.model_version_no = s.model_version_no`,
      p: sql`join product p on p.product_no = o.product_no`,
      m: sql`join merchant m on m.merchant_no = o.merchant_no`,
      k: sql`left join risk_outcome k on k.order_no = s.order_no`,
    },
    columns: {
      modelName: sql`v.model_name`,
      modelVersion: sql`v.model_version`,
      merchantNo: sql`o.merchant_no`,
      merchantName: sql`m.merchant_name`,
      productNo: sql`o.product_no`,
      productName: sql`p.product_name`,
      loanKind: sql`o.loan_kind`,
      scoreReasons: sql`(select string_agg(reason, ', ' order by place) from jsonb_array_elements_text(s.reasons) with ordinality r (reason, place))`,
      missingFacts: sql`nullif(array_to_string(s.missing_facts, ', '), '')`,
      wentBad: sql`k.bad`,
    },
  }),
})
