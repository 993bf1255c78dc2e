import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import { bookReceipt, enterFlow } from '../flow/flow-store.ts'
import { matchReturn } from '../payout/payout-reverse.ts'
import { lockLine, matchUp, openLines, receiptBooking } from './recon-booking.ts'
import { aboutSend, type Own } from './recon-match.ts'
import type { Line } from './statement-store.ts'

type Return = Line & { loanCode: string; merchantNo: string; customerNo: string }

/** Most returns of one account that are looked at in a step. */
const most = 200

/** Lines by which payouts came back, whole, that two people have agreed to take back, the oldest first. */
const returnsOf = (tx: Tx, { fundAccountNo, channel }: Own): Promise<Return[]> =>
  tx.rows(sql<Return>`
    select l.*, c.loan_code, o.merchant_no, o.customer_no from (${openLines(fundAccountNo)}) l join gateway_attempt a on ${aboutSend}
      join loan_code c on a.parent_kind = 'loanCode' and c.loan_code = a.parent_no join loan_order o using (order_no)
    where l.line_kind = 'reversal' and l.direction = 'in' and c.loan_code_status = 'reversing' and c.actual_loan_amount = l.amount
      and not exists (select 1 from repay_flow f where f.channel = ${channel} and f.serial_no = l.serial_no)
      and not exists (select 1 from repay_record r where r.order_no = c.order_no and r.record_status = 'posted')
    order by l.entry_time, l.line_no limit ${most}`)

/** Books one of them (P3) and ends its loan with it (P1d); false where somebody has moved on meanwhile: then it stays a difference. */
const takeOne = async (tx: Tx, { fundAccountNo, channel }: Own, found: Return, actor: Actor): Promise<boolean> => {
  const { lineNo, serialNo, amount, entryTime, payerAccount, loanCode, merchantNo, customerNo } = found
  try {
    await tx.attempt(async inner => {
      const account = { channel, fundAccountNo, merchantNo, customerNo, payerAccount }
      const entered = { ...account, serialNo, amount, entryTime, source: 'import', isrecord: true }
      const flow = await enterFlow(inner, 'import.row', entered, actor)
      await bookReceipt(inner, flow, actor)
      await inner.flush()
      await matchReturn(inner, flow, loanCode, actor)
      const bookingNos = [await receiptBooking(inner, flow.flowNo, fundAccountNo)]
      const lines = [await lockLine(inner, lineNo)]
      await matchUp(inner, { fundAccountNo, lines, bookingNos, as: 'system' }, actor)
    })
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/**
 * Takes the first payout that came back and can be taken; one that cannot holds back no other. Answers whether there was one.
 * The account is locked for matching.
 */
export const takeReturn = async (tx: Tx, own: Own, actor: Actor): Promise<boolean> => {
  for (const found of await returnsOf(tx, own)) if (await takeOne(tx, own, found, actor)) return true
  return false
}
