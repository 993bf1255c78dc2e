import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { facts } from '../../testing/facts.ts'
import { holdersOf } from '../../testing/order-lists.ts'

const { common } = contract
const noHolders = sql`'{}'::text[] as holders`

export default facts({
  lists: [
    {
      list: common.auditLog,
      key: 'auditNo',
      ownedBy: 'orderNo',
      holds: { key: 'auditNo', query: sql`select audit_no, order_no, object_type, object_no from audit_log` },
    },
  ],
  records: [
    {
      fields: ['auditNo'],
      table: 'audit_log',
      key: 'audit_no',
      owners: sql`select audit_no::text as no, merchant_no, ${holdersOf} as holders from audit_log join loan_order o using (order_no)`,
    },
    {
      fields: ['merchantNo'],
      table: 'merchant',
      key: 'merchant_no',
      owners: sql`select merchant_no as no, merchant_no, ${noHolders} from merchant`,
    },
    {
      fields: ['productNo'],
      table: 'product',
      key: 'product_no',
      owners: sql`select product_no as no, merchant_no, ${noHolders} from product`,
    },
    { fields: ['fundAccountNo'], table: 'fund_account', key: 'fund_account_no' },
  ],
  calls: [
    { call: common.roles, about: 'names of roles, which belong to no merchant' },
    { call: common.reveal, needs: () => ({ kind: 'phone', objectType: 'order', field: 'phone' }) },
  ],
})
