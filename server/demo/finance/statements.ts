import { sql } from 'kysely'
import { add, isNegative, type Money, neg, sum } from '../../../core/rules/money.ts'
import { addDays, startOfEatDay } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import type { StatementLine } from '../../gateways/gateway.ts'
import { system } from '../../rights/actor.ts'
import { reconQueue } from '../../systems/after-loan/reconciliation/recon-run.ts'
import { signedOf, takeStatement } from '../../systems/after-loan/reconciliation/statement-store.ts'
import { at } from '../hand.ts'

const days = 7
type Own = { fundAccountNo: string; channel: string }
type Booked = { amount: Money; postingCode: string; time: string; serialNo: string; reference: string | null }

/** What the network would list of a day: every booking that was not a send that failed. */
const bookedOn = (tx: Tx, { fundAccountNo }: Own, date: string) =>
  tx.rows(sql<Booked>`
    select l.amount, j.posting_code, j.posted_time as time, coalesce(f.serial_no, lc.serial_no, (
        select a.serial_no from gateway_attempt a where a.parent_no = split_part(j.cause, ':', 2) and a.serial_no is not null limit 1), (
        select t.serial_no from transfer_apply t where j.cause = 'transfer_apply:' || t.transfer_no), 'N' || l.line_no) as serial_no, coalesce(f.payment_code, lc.loan_code) as reference
    from journal_line l join journal j using (journal_no)
      left join repay_flow f on f.flow_no = l.flow_no and j.posting_code = 'P3' left join loan_code lc on lc.loan_code = l.loan_code
    where l.account_code = ${`bank:${fundAccountNo}`} and j.business_date = ${date} and j.posting_code not in ('P1c', 'P-REV', 'P7d', 'P11c', 'P12c', 'P14c')
      and not (j.posting_code = 'P1a' and lc.loan_code_status not in ('success', 'reversing')) and not (j.posting_code = 'P14a' and exists (select 1 from phone_recharge b where j.cause = 'phone_recharge:' || b.phone_bill_no and b.phone_bill_status <> 'success'))
      and not exists (select 1 from journal r where r.reverses_journal_no = j.journal_no)
    order by l.line_no`)

const lineOf = ({ amount, postingCode, time, serialNo, reference }: Booked): StatementLine => ({
  serialNo,
  direction: isNegative(amount) ? 'out' : 'in',
  lineKind: postingCode === 'P16' ? 'fee' : 'payment',
  amount: isNegative(amount) ? neg(amount) : amount,
  time,
  reference,
  relatesTo: null,
  payerAccount: null,
  narrative: null,
})

/** Money that the books do not know: nobody has said yet what it is for. */
const stranger = (date: string): StatementLine => ({
  serialNo: '7480990017',
  direction: 'in',
  lineKind: 'payment',
  amount: '7000.00',
  time: startOfEatDay(date),
  reference: 'rent',
  relatesTo: null,
  payerAccount: null,
  narrative: 'cash at the counter',
})

const openingOf = async (tx: Tx, { fundAccountNo }: Own, date: string): Promise<Money> =>
  (
    await tx.one(sql<{ opening: Money }>`
      select coalesce(sum(l.amount), 0)::numeric(18,2) as opening from journal_line l join journal j using (journal_no)
      where l.account_code = ${`bank:${fundAccountNo}`} and j.business_date < ${date}`)
  ).opening

/** A week of statements of the networks, each compared with the books; one line belongs to nobody. */
export const writeStatements = async (tx: Tx): Promise<void> => {
  const accounts = await tx.rows(sql<Own>`
    select fund_account_no, channel from fund_account where enabled = 'enabled' and channel <> 'bank_file' order by fund_account_no`)
  for (const [place, own] of accounts.entries()) {
    let opening = await openingOf(tx, own, addDays(tx.today, -days))
    for (let back = days; back >= 1; back--) {
      const date = addDays(tx.today, -back)
      const now = at(tx, new Date(Date.parse(startOfEatDay(addDays(date, 1))) + 5.5 * 3_600_000))
      const lines = [
        ...(await bookedOn(tx, own, date)).map(lineOf),
        ...(place === 0 && back === 2 ? [stranger(date)] : []),
      ]
      const closing = add(opening, sum(lines.map(signedOf)))
      const statement = { opening, closing, lines }
      await takeStatement(now, { ...own, date, statement, source: 'channel' }, system('demo statements'))
      await tx.flush()
      const job = { jobKey: date, payload: { fundAccountNo: own.fundAccountNo, date } }
      while (await reconQueue.step(now, job)) await tx.flush()
      await tx.flush()
      opening = closing
    }
  }
}
