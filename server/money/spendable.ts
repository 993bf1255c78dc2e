import { type RawBuilder, sql } from 'kysely'
import { type Money, sub } from '../../core/rules/money.ts'
import type { Tx } from '../db/database.ts'
import { account, lockedBalance } from './ledger.ts'

/** What withdrawals of rewards are taking out of an account: they are posted only when they arrive, so its balance does not know of them yet. */
export const leaving = (fundAccountNo: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select sum(w.amount) from gateway_attempt w
  where w.parent_kind = 'withdrawal' and w.fund_account_no = ${fundAccountNo} and w.attempt_status in ('prepared', 'sent', 'unknown')), 0)::numeric(18,2)`

/** Locks the balance of an account of ours and answers what of it may be sent: nothing that is on its way already. */
export const spendable = async (tx: Tx, fundAccountNo: string): Promise<Money> => {
  const balance = await lockedBalance(tx, account.bank(fundAccountNo))
  const { amount } = await tx.one(sql<{ amount: Money }>`select ${leaving(sql`${fundAccountNo}::text`)} as amount`)
  return sub(balance, amount)
}
