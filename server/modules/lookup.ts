import { sql } from 'kysely'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { contract } from '../../core/contract/contract.ts'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import { Fault } from '../fault.ts'
import type { Module } from '../module.ts'
import { serve } from '../serve.ts'
import { orderScope } from './order-source.ts'

const { common } = contract
type Found = OutputOf<typeof common.lookup>['list'][number]

const perMinute = 30
const atMost = 8

/** Orders by one of their numbers, typed in full. Guessing is slow, and only what the caller may see is found. */
export const lookupModule = (): Module => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const take = (userNo: string) =>
    limiter.consume(userNo).catch((limit: RateLimiterRes) => {
      throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds: Math.ceil(limit.msBeforeNext / 1000) })
    })
  return {
    served: [
      serve(common.lookup, async ({ tx, session, input }) => {
        await take(session.userNo)
        const typed = input.text
        return {
          list: await tx.rows(sql<Found>`
            select o.order_no, c.customer_name, o.order_status
            from (
              select order_no from loan_order where order_no in (${typed}, ${typed.toUpperCase()})
              union select order_no from merchant join loan_order using (merchant_no) where third_order_no = ${typed}
              union select order_no from loan_code where loan_code in (${typed}, ${typed.toUpperCase()})
            ) hit join loan_order o using (order_no) join customer c using (customer_no)
            where ${orderScope(session, common.lookup.perm)}
            order by o.order_no limit ${atMost}`),
        }
      }),
    ],
  }
}
