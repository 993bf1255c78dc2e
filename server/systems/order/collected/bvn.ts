import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OrderBvn } from '../../../../core/contract/order/collected.ts'
import { mask } from '../../../../core/rules/mask.ts'
import type { Tx } from '../../../db/database.ts'
import type { BvnAnswer, BvnService } from '../../../gateways/bvn/bvn-service.ts'
import { noteSeen } from '../../../http/defence/sensitive-reads.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serve, serveWork } from '../../../http/serve.ts'
import type { Session } from '../../../session/session.ts'
import { isSameName } from '../../after-loan/payout/index.ts'
import { findOrder, type Order } from '../order/index.ts'

const { orderCollected } = contract

/** Seconds until a number may be asked for again. */
const pause = 60

type Kept = Pick<OrderBvn, 'bvnResult' | 'bvnName' | 'bvnBirthDate' | 'askedByName' | 'bvnTime'> & {
  bvn: string
  bvnPhone: string | null
  askedTime: string | null
}
type Customer = { customerName: string; birthDate: string | null; phone: string }

const nothing: OrderBvn = {
  bvn: null,
  bvnResult: 'not_asked',
  bvnName: null,
  bvnBirthDate: null,
  nameMatch: null,
  birthDateMatch: null,
  phoneMatch: null,
  askedByName: null,
  bvnTime: null,
  waitSeconds: 0,
}

const keptOf = (tx: Tx, orderNo: string, lock = false) =>
  tx.maybe(sql<Kept>`
    select b.bvn, b.bvn_result, b.bvn_name, b.bvn_birth_date, b.bvn_phone, b.asked_time, b.answered_time as bvn_time,
      (select u.real_name from app_user u where u.user_no = b.asked_by) as asked_by_name
    from order_bvn b where b.order_no = ${orderNo} ${lock ? sql`for update` : sql``}`)

const customerOf = (tx: Tx, { customerNo, merchantNo }: Order) =>
  tx.one(sql<Customer>`
    select customer_name, birth_date, phone from order_customer where customer_no = ${customerNo} and merchant_no = ${merchantNo}`)

const waitOf = (tx: Tx, askedTime: string | null) =>
  askedTime ? Math.max(0, pause - Math.floor((tx.now.getTime() - Date.parse(askedTime)) / 1000)) : 0

const shown = async (tx: Tx, session: Session, order: Order): Promise<OrderBvn> => {
  const kept = await keptOf(tx, order.orderNo)
  if (!kept) return nothing
  const { bvn, bvnPhone, askedTime, ...rest } = kept
  const customer = await customerOf(tx, order)
  return {
    ...rest,
    bvn: session.desensitized || !session.sensitive.has('pii:unmask') ? mask(bvn) : bvn,
    nameMatch: rest.bvnName === null ? null : isSameName(rest.bvnName, customer.customerName),
    birthDateMatch: rest.bvnBirthDate === null ? null : rest.bvnBirthDate === customer.birthDate,
    phoneMatch: bvnPhone === null ? null : bvnPhone === customer.phone,
    waitSeconds: waitOf(tx, askedTime),
  }
}

/** Passed when name and day of birth are the applicant's own. A phone may change, so it decides nothing. */
const resultOf = (answer: BvnAnswer, { customerName, birthDate }: Customer): OrderBvn['bvnResult'] => {
  if (answer.is !== 'found') return answer.is
  return isSameName(answer.name, customerName) && answer.birthDate === birthDate ? 'passed' : 'failed'
}

const bvn = serve(orderCollected.bvn, async ({ tx, session, actor, input }) => {
  const order = await findOrder(tx, session, input.orderNo)
  await noteSeen(tx, actor, { objectType: 'order', objectNo: order.orderNo, kind: 'bvn' })
  return shown(tx, session, order)
})

type Asked = { bvn: string }

/** Asks the service; without one, or without an answer in time, the result is unknown and may be asked for again a minute later. */
const bvnQuery = (service: BvnService | undefined) =>
  serveWork(orderCollected.bvnQuery, {
    async before({ tx, session, actor, input }): Promise<Asked> {
      const { orderNo } = await findOrder(tx, session, input.orderNo)
      const kept = await keptOf(tx, orderNo, true)
      if (!kept) throw new Fault('validation', 'errors.noBvn')
      const seconds = waitOf(tx, kept.askedTime)
      if (seconds > 0) throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds })
      await tx.exec(sql`
        update order_bvn set asked_by = ${actor.no}, asked_time = ${tx.now}, version = version + 1 where order_no = ${orderNo}`)
      return { bvn: kept.bvn }
    },
    work: async ({ bvn: number }): Promise<BvnAnswer> =>
      service ? service.ask(number) : { is: 'unknown', reason: 'not set up' },
    async after({ tx, session, input, audit }, answer) {
      const order = await findOrder(tx, session, input.orderNo)
      const { orderNo } = order
      const before = await keptOf(tx, orderNo, true)
      if (!before) throw notFound()
      const result = resultOf(answer, await customerOf(tx, order))
      const found = answer.is === 'found' ? answer : null
      // What an earlier question found stays when a later one is not answered.
      if (result !== 'unknown' || !['passed', 'failed', 'none'].includes(before.bvnResult))
        await tx.exec(sql`
          update order_bvn set bvn_result = ${result}, bvn_name = ${found?.name ?? null}, bvn_birth_date = ${found?.birthDate ?? null},
            bvn_phone = ${found?.phone ?? null}, answered_time = ${result === 'unknown' ? null : tx.now}, version = version + 1 where order_no = ${orderNo}`)
      audit({
        objectType: 'order',
        objectNo: orderNo,
        orderNo,
        before: { bvnResult: before.bvnResult },
        after: { bvnResult: result },
      })
      return { ...(await shown(tx, session, order)), bvnResult: result }
    },
  })

export const bvnServed = (service: BvnService | undefined) => [bvn, bvnQuery(service)]
