import { sql } from 'kysely'
import { paymentDisplays } from '../../../../core/contract/merchant/payment-display.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Module } from '../../../module.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

const seenBy = (session: Session, column = 'x.merchant_no') =>
  scope(session, { merchant: column, holder: () => sql`true`, perm: paymentDisplays.codes.page })

/** Ways to be paid and to pay, as the apps of merchants show them. */
export const paymentDisplayModule = (): Module =>
  serveConfig(paymentDisplays, {
    prefix: 'PD',
    unique: 'channel',
    startsEnabled: () => true,
    async check({ tx, session }, form, before) {
      const merchantNo = before ? before.merchantNo : form.merchantNo
      const seen = await tx.maybe(sql`
        select 1 from merchant m where m.merchant_no = ${merchantNo} and m.deleted_time is null and ${seenBy(session, 'm.merchant_no')}`)
      if (!seen) throw invalid('merchantNo', 'validation.wrongValue')
      const { fundAccountNo } = form
      if (fundAccountNo == null) return
      const serves = await tx.maybe(sql`
        select 1 from fund_account_merchant where fund_account_no = ${fundAccountNo} and merchant_no = ${merchantNo}`)
      if (!serves) throw invalid('fundAccountNo', 'validation.wrongValue')
    },
    /** An app without a way to be paid, or to pay, is of no use. */
    async switches(tx, { displayNo, merchantNo, direction }, to) {
      if (to === 'enabled') return
      // The rows of a direction are locked in one order, so that two people do not hide the last two at once.
      const shown = await tx.rows(sql<{ no: string }>`
        select display_no as no from payment_display where merchant_no = ${merchantNo} and direction = ${direction} and enabled = 'enabled' and deleted_time is null
        order by display_no for update`)
      if (shown.every(({ no }) => no === displayNo)) throw new Fault('stateConflict', 'errors.lastPayWay')
    },
    source: ({ session }) => ({
      where: seenBy(session),
      joins: { m: sql`join merchant m on m.merchant_no = x.merchant_no` },
      columns: { merchantName: sql`m.merchant_name` },
    }),
  })
