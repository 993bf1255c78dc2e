import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
import { payingAccount as accountOf, needSending, type PayingAccount } from '../../charge/send/index.ts'

/** The account of ours that pays airtime: the one that has most of those that send now, else any. */
export const payingAccount: RawBuilder<unknown> = sql`(
  select fa.fund_account_no, fa.account_name, coalesce(b.balance, 0)::numeric(18,2) as balance
  from fund_account fa left join ledger_balance b on b.account_code = 'bank:' || fa.fund_account_no
  where fa.channel = 'airtime' and fa.enabled = 'enabled' and fa.deleted_time is null and fa.account_role in ('payout', 'both')
  order by fa.short_amount is null desc, coalesce(b.balance, 0) desc, fa.fund_account_no limit 1)`

/** The account that pays. @throws {Fault} where there is none that sends */
export const payer = async (tx: Tx): Promise<PayingAccount> => {
  const found = await tx.maybe(sql<{ fundAccountNo: string }>`select a.fund_account_no from ${payingAccount} a`)
  const from = found && (await accountOf(tx, found.fundAccountNo))
  if (!from) throw new Fault('stateConflict', 'errors.phoneBillNoAccount')
  needSending(from)
  return from
}

/** Why no airtime can be paid now; null where it can. */
export const payerFault = (tx: Tx): Promise<Fault | null> =>
  payer(tx).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Fault) return error
      throw error
    },
  )
