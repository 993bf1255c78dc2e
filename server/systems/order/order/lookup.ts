import { sql } from 'kysely'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { idNumberFormat, phoneFormat } from '../../../../core/rules/text/formats.ts'
import { Fault } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { nameFilter } from '../../../lists/list.ts'
import { flowRoute, orderRoute } from '../../../messages/message.ts'
import type { Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'
import { noteSearch, orderScope } from './order-source.ts'

const { common } = contract
type Found = OutputOf<typeof common.lookup>['list'][number]
type Asked = Pick<Call, 'tx' | 'session'> & { text: string }

const perMinute = 30
const atMost = 8
const orderPerm = 'order:detail:view'
const flowPerm = 'repay:flow:list'

/** Letters alone are the beginning of a name, letters and digits may be that of an order number. */
const nameFormat = /^\p{L}[\p{L}\p{M}'’. -]*$/u
const beginningFormat = /^(?=.*\d)[A-Z0-9]{4,}$/

/** Whom a text names: by phone or national ID in full, by the beginning of the name as far as the caller may see it. */
const customerOf = (session: Session, text: string) => {
  if (phoneFormat.test(text)) return sql`c.phone = ${text}`
  if (idNumberFormat.test(text)) return sql`c.id_number = ${text.toUpperCase()}`
  return nameFormat.test(text) ? nameFilter(session)(text) : sql`false`
}

/** Orders that a text names: the beginning of their number, the merchant's number, a loan code, a serial number of a payout, or their customer. */
const orders = async ({ tx, session, text }: Asked): Promise<Found[]> => {
  const upper = text.toUpperCase()
  const customer = customerOf(session, text)
  const begins = beginningFormat.test(upper) ? sql`order_no like ${`${upper}%`}` : sql`false`
  const rows = await tx.rows(sql<Pick<Found, 'objectNo' | 'customerName' | 'orderStatus'>>`
    select o.order_no as object_no, c.customer_name, o.order_status
    from (
      select order_no from loan_order where order_no in (${text}, ${upper}) or ${begins}
      union select order_no from merchant join loan_order using (merchant_no) where third_order_no = ${text}
      union select order_no from loan_code where loan_code in (${text}, ${upper}) or serial_no = ${text}
      union select o.order_no from order_customer c join loan_order o using (customer_no, merchant_no) where ${customer}
    ) hit join loan_order o using (order_no) join order_customer c using (customer_no, merchant_no)
    where ${orderScope(session, orderPerm)}
    order by o.apply_time desc, o.order_no limit ${atMost}`)
  return rows.map(row => ({ ...row, objectType: 'order', flowStatus: null, route: orderRoute(row.objectNo) }))
}

/** Receipts that a text names. */
const flows = async ({ tx, session, text }: Asked): Promise<Found[]> => {
  const rows = await tx.rows(sql<Pick<Found, 'objectNo' | 'flowStatus'>>`
    select f.flow_no as object_no, f.flow_status from repay_flow f
    where f.flow_no in (
        select flow_no from repay_flow where flow_no in (${text}, ${text.toUpperCase()})
        union select flow_no from repay_flow where serial_no = ${text} and flow_status <> 'void'
        union select flow_no from repay_flow where serial_no = ${text} and flow_status = 'void')
      and ${scope(session, { merchant: 'f.merchant_no', holder: person => person(sql`f.created_by`), perm: flowPerm })}
    order by f.entry_time desc, f.flow_no limit ${atMost}`)
  return rows.map(row => ({
    ...row,
    objectType: 'flow',
    customerName: null,
    orderStatus: null,
    route: flowRoute(row.objectNo),
  }))
}

/** Records by what names them: order numbers and names by their beginning, all else typed in full. Guessing is slow, only what the caller may see is found, and looking for a person is noted. */
export const lookupModule = (): Module => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const take = (userNo: string) =>
    limiter.consume(userNo).catch((limit: RateLimiterRes) => {
      throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds: Math.ceil(limit.msBeforeNext / 1000) })
    })
  return {
    served: [
      serve(common.lookup, async call => {
        const { tx, session, input } = call
        await take(session.userNo)
        const asked = { tx, session, text: input.text }
        const isPhone = phoneFormat.test(input.text)
        if (isPhone || idNumberFormat.test(input.text))
          noteSearch({ ...call, input: isPhone ? { phone: input.text } : { idNumber: input.text } })
        const found = [
          ...(session.perms.has(orderPerm) ? await orders(asked) : []),
          ...(session.perms.has(flowPerm) ? await flows(asked) : []),
        ]
        return { list: found.slice(0, atMost) }
      }),
    ],
  }
}
