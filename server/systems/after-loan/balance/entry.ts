import { type RawBuilder, sql } from 'kysely'
import type { balanceSources } from '../../../../core/contract/after-loan/balance.ts'
import type { ValueOf } from '../../../../core/contract/fields.ts'
import { isZero, type Money, sub } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/faults.ts'
import { invalid, notFound } from '../../../http/fault.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { create } from '../../../states/transition.ts'
import { accountScope } from '../fund-account/index.ts'
import { openDifference } from '../reconciliation/index.ts'

type Frag = RawBuilder<unknown>
/** What requests about entries are kept under. */
export const objectType = 'balanceEntry'

export type OwnAccount = {
  fundAccountNo: string
  accountName: string
  channel: string
  accountRole: string
  enabled: string
}

/** An account of ours within reach, locked, so that entries of it come one after the other. */
export const lockAccount = async (
  tx: Tx,
  session: Session | null,
  fundAccountNo: string,
  perm?: string,
): Promise<OwnAccount> => {
  const found = await tx.maybe(sql<OwnAccount>`
    select x.fund_account_no, x.account_name, x.channel, x.account_role, x.enabled from fund_account x
    where x.fund_account_no = ${fundAccountNo} and x.deleted_time is null and ${session ? accountScope(session, sql`x.fund_account_no`, perm) : sql`true`}
    for no key update`)
  if (!found) throw notFound()
  return found
}

/** What the books say of account `no` at a time. */
const ledgerAt = (no: Frag, time: Frag): Frag => sql`coalesce((
  select sum(l.amount) from journal_line l join journal j using (journal_no)
  where l.account_code = 'bank:' || ${no} and j.posted_time <= ${time}), 0)::numeric(18,2)`

/** What had left the books of account `no` at a time, and had no outcome: withdrawals leave them only when they arrive. */
const inFlightAt = (no: Frag, time: Frag): Frag => sql`coalesce((
  select sum(g.amount) from gateway_attempt g where g.fund_account_no = ${no} and g.parent_kind <> 'withdrawal' and g.created_time <= ${time}
    and (g.attempt_status in ('prepared', 'sent', 'unknown') or g.answer_time > ${time})), 0)::numeric(18,2)`

/** What an account should hold at a time: its books, and what is still on its way out of it. */
export const booksAt = (tx: Tx, fundAccountNo: string, at: Date) => {
  const [no, time] = [sql`${fundAccountNo}::text`, sql`${at}::timestamptz`]
  return tx.one(
    sql<{
      ledgerThen: Money
      inFlightThen: Money
    }>`select ${ledgerAt(no, time)} as ledger_then, ${inFlightAt(no, time)} as in_flight_then`,
  )
}

type Given = {
  account: Pick<OwnAccount, 'fundAccountNo' | 'channel'>
  lastBalance: Money
  entryDate: Date
  balanceSource: ValueOf<typeof balanceSources>
  remark?: string | null
  correctsNo?: string
  correctReason?: string
}
export type Entered = { balanceEntryNo: string; difference: Money; backfilled: boolean }

/**
 * Notes a balance beside what the books said at that time. What a person read and the books do not explain is a difference; what a channel
 * answers in the middle of payouts is shown only.
 * @throws {Fault} 40001 *data already exists* for a second balance of the same time
 */
export const noteBalance = async (tx: Tx, o: Given, actor: Actor): Promise<Entered> => {
  const { fundAccountNo, channel } = o.account
  const { ledgerThen, inFlightThen } = await booksAt(tx, fundAccountNo, o.entryDate)
  const { backfilled } = await tx.one(sql<{ backfilled: boolean }>`
    select exists (
      select 1 from balance_entry where fund_account_no = ${fundAccountNo} and balance_entry_status = 'entered' and entry_date > ${o.entryDate}) as backfilled`)
  const balanceEntryNo = newNo('BE', tx.now)
  const difference = sub(sub(o.lastBalance, ledgerThen), inFlightThen)
  const row = {
    balanceEntryNo,
    fundAccountNo,
    lastBalance: o.lastBalance,
    entryDate: o.entryDate,
    balanceSource: o.balanceSource,
    enteredBy: actor.no,
    enteredName: actor.name,
    createdTime: tx.now,
    ledgerThen,
    inFlightThen,
    difference,
    backfilled,
    remark: o.remark ?? null,
    correctsNo: o.correctsNo ?? null,
    correctReason: o.correctReason ?? null,
  }
  try {
    await create(tx, 'balanceEntry', row, { event: 'balance.enter' }, actor)
  } catch (error) {
    if (violatedConstraint(error) === 'balance_entry_time') throw invalid('entryDate', 'errors.dataExists')
    throw error
  }
  if (o.balanceSource === 'typed' && !isZero(difference))
    await openDifference(
      tx,
      {
        kind: 'balance_differs',
        fundAccountNo,
        channel,
        reference: balanceEntryNo,
        amount: o.lastBalance,
        difference,
        objectType,
        objectNo: balanceEntryNo,
      },
      actor,
    )
  return { balanceEntryNo, difference, backfilled }
}
