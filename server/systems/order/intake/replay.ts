import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { Application } from '../../../../core/contract/order/intake.ts'
import { Fault, notFound } from '../../../http/fault.ts'
import { serveEach } from '../../../http/serve.ts'
import { acquireSeenBy, mayReplay } from '../../merchant/order-acquire/index.ts'
import type { ListValues } from '../../risk/name-list/index.ts'
import { asMerchant, merchantOf, take } from './take.ts'

const { orderAcquire } = contract

/** Lets an application in that was refused for the time or for how many came: all that it is asked is asked again, today's caps too. */
export const replay = (lists: ListValues) =>
  serveEach(orderAcquire.replay, {
    ids: ({ intakeNos }) => intakeNos,
    async row(intakeNo, call) {
      const { tx, session, actor, audit } = call
      const held = await tx.maybe(sql<{ merchantNo: string; payload: string; payloadHash: string; may: boolean }>`
        select x.merchant_no, x.payload, x.payload_hash, ${mayReplay(tx)} as may from acquire_log x where x.intake_no = ${intakeNo} and ${acquireSeenBy(session)}`)
      if (!held) throw notFound()
      if (!held.may) throw new Fault('stateConflict', 'errors.noReplay')
      const merchant = await merchantOf(tx, held.merchantNo)
      const input = Application.parse(JSON.parse(held.payload))
      const { answer, isNew } = await take(
        { ...call, input, actor: asMerchant(actor, merchant) },
        { merchant, lists, payloadHash: held.payloadHash },
      )
      if (!isNew) throw new Fault('stateConflict', 'errors.noReplay')
      audit({
        objectType: 'acquire_log',
        objectNo: intakeNo,
        orderNo: answer.orderNo,
        after: { orderNo: answer.orderNo },
      })
    },
  })
