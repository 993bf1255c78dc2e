import { sql } from 'kysely'
import { countOf, many, rows } from '../../../../tests/races/resource.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'
import { application, send } from '../../../testing/partner.ts'

let applicants = 0
const applied = (fixture: Fixture, n: number, body: unknown) => many(n, () => () => send(fixture, body))

export default facts({
  races: [
    {
      name: 'the order behind a number of a partner',
      rule: 'M10: an application under one number is one order',
      available: 1,
      async make(fixture, parallel) {
        const body = application(90_000 + ++applicants)
        return {
          tries: applied(fixture, parallel, body),
          taken: () => countOf(fixture, sql`select 1 from loan_order where third_order_no = ${body.thirdOrderNo}`),
        }
      },
      at: /insert into idempotency/,
      kept: {
        by: rows,
        at: /select o\.order_no, o\.product_no, o\.requested_amount/,
        drop: [
          'alter table idempotency drop constraint if exists idempotency_pkey',
          'alter table loan_order drop constraint loan_order_merchant_no_third_order_no_key',
          'drop trigger acquire_log_taken on acquire_log',
        ],
      },
    },
  ],
})
