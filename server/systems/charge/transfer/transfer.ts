import { sql } from 'kysely'
import { type Money, neg } from '../../../../core/rules/money.ts'
import { newRequestId } from '../../../http/request.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { type AskTimes, askTimes } from '../../after-loan/payout/index.ts'
import { openDifference } from '../../after-loan/reconciliation/index.ts'
import { applyServed } from './transfer-apply.ts'
import { auditServed } from './transfer-audit.ts'
import { accountsServed, detailServed } from './transfer-detail.ts'
import { payoutServed } from './transfer-payout.ts'
import { reviews, transfers } from './transfer-source.ts'

/** A statement has so long to show that a transfer arrived. */
const arrivalDays = 2

type Late = { transferNo: string; toAccountNo: string; channel: string; transferAmount: Money }

/** What was paid and stands on no statement of the receiving account is a difference that somebody works off. */
export const missArrivals: Scheduled = {
  job: 'transfer.arrivals',
  every: { seconds: 3600 },
  run: async tx => {
    const late = await tx.rows(sql<Late>`
      select t.transfer_no, t.to_account_no, g.channel, t.transfer_amount from transfer_apply t join fund_account g on g.fund_account_no = t.to_account_no
      where t.transfer_status = 'paid' and t.arrive_time is null and t.pay_time < ${new Date(tx.now.getTime() - arrivalDays * 86_400_000)}
        and not exists (select 1 from recon_item i where i.recon_kind = 'transfer_not_arrived' and i.reference = t.transfer_no)
        and not exists (
          select 1 from journal j join journal_line l using (journal_no) join recon_item i on i.booking_no = l.line_no where j.cause = 'transfer_apply:' || t.transfer_no)
      order by t.transfer_no limit 500`)
    const actor = system(newRequestId())
    for (const { transferNo, toAccountNo, channel, transferAmount } of late)
      await openDifference(
        tx,
        {
          kind: 'transfer_not_arrived',
          fundAccountNo: toAccountNo,
          channel,
          reference: transferNo,
          amount: transferAmount,
          difference: neg(transferAmount),
          objectType: 'transfer',
          objectNo: transferNo,
        },
        actor,
      )
    return { late: late.length }
  },
}

/** Own money on its way between accounts: asked for, agreed to, paid, and arrived. */
export const transferModule = ({ payout }: Pick<Deps, 'payout'>, times: AskTimes = askTimes): Module => ({
  served: [
    serveListed(transfers),
    serveListed(reviews),
    accountsServed,
    detailServed,
    ...applyServed,
    ...auditServed,
    ...payoutServed(payout, times),
  ],
  lists: [transfers, reviews],
  scheduled: [missArrivals],
})
