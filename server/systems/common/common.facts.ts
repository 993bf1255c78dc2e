import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { facts } from '../../testing/facts.ts'
import { holdersOf } from '../../testing/order-lists.ts'
import { accessLines } from './access-lines.ts'

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
    {
      list: common.accessLog,
      key: 'accessNo',
      ownedBy: 'objectNo',
      fill: async (fixture, { waiting, paid }) => {
        await fixture.exec(sql`
          insert into access_log (user_no, access_kind, object_type, object_no, field, kind, at, ip, request_id, result)
          select (array['U1', ${fixture.boss.userNo}])[1 + n % 2], (array['reveal', 'view', 'search', 'download'])[1 + n % 4], 'order', (array[${waiting}, ${paid}]::text[])[1 + n % 2],
            'phone', 'phone', ${fixture.clock.now()}::timestamptz - make_interval(mins => n / 2), '10.0.0.1', 'test', (array['shown', 'empty', 'over_limit'])[1 + n % 3]
          from generate_series(1, 45) n`)
      },
      holds: {
        key: 'accessNo',
        query: sql`select x.access_no, o.order_no from ${accessLines}`,
      },
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
      unheld: true,
      owners: sql`select merchant_no as no, merchant_no, ${noHolders} from merchant`,
    },
    {
      fields: ['productNo'],
      table: 'product',
      key: 'product_no',
      unheld: true,
      owners: sql`select product_no as no, merchant_no, ${noHolders} from product`,
    },
    { fields: ['fundAccountNo'], table: 'fund_account', key: 'fund_account_no' },
  ],
  calls: [
    { call: common.roles, about: 'names of roles, which belong to no merchant' },
    { call: common.reveal, needs: () => ({ kind: 'phone', objectType: 'order', field: 'phone' }) },
  ],
})
