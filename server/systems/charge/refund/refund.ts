import { sql } from 'kysely'
import { newRequestId } from '../../../http/request.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { type AskTimes, askTimes } from '../../after-loan/payout/index.ts'
import { auditServed } from './refund-audit.ts'
import { checkServed, detailServed } from './refund-detail.ts'
import { fromFlow } from './refund-from-flow.ts'
import { payoutServed } from './refund-payout.ts'
import { candidates, refunds, reviews } from './refund-source.ts'
import { lockRefund } from './refund-store.ts'
import { endRefund, submitServed } from './refund-submit.ts'
import { verifyServed } from './refund-verify.ts'

/** A rejected refund keeps its money for so long. */
const rejectedDays = 7

/** Rejected refunds that nobody corrected end, and their money is the customers' overflow again. */
export const closeRejected: Scheduled = {
  job: 'refund.autoClose',
  every: { dailyAt: '02:00' },
  run: async tx => {
    const due = await tx.rows(sql<{ refundNo: string }>`
      select refund_no from client_refund where refund_status = 'created' and audit_status = 'rejected'
        and audit_time < ${new Date(tx.now.getTime() - rejectedDays * 86_400_000)} order by refund_no limit 500`)
    for (const { refundNo } of due) {
      const held = await lockRefund(tx, null, refundNo)
      await endRefund(tx, held, { event: 'clock.autoClose' }, system(newRequestId()))
    }
    return { closed: due.length }
  },
}

/** Money that customers have back: asked for, checked, paid, and its fate known to the last shilling. */
export const refundModule = ({ payout }: Pick<Deps, 'payout'>, times: AskTimes = askTimes): Module => ({
  served: [
    serveListed(refunds),
    serveListed(reviews),
    serveListed(candidates),
    detailServed,
    checkServed,
    ...submitServed,
    ...verifyServed(payout),
    ...auditServed,
    ...payoutServed(payout, times),
    fromFlow,
  ],
  lists: [refunds, reviews, candidates],
  scheduled: [closeRejected],
})
