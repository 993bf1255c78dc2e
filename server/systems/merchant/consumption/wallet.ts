import { type RawBuilder, sql } from 'kysely'
import { type Money, neg } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { account, lockedBalance } from '../../../money/ledger.ts'
import { scope } from '../../../rights/scope.ts'
import type { Session } from '../../../session/session.ts'

type Frag = RawBuilder<unknown>

/** What a merchant paid in and has not used: the ledger keeps it as what is owed to it. `no` names the merchant. */
export const walletOf = (no: Frag): Frag =>
  sql`coalesce((select -b.balance from ledger_balance b where b.account_code = 'merchant:' || ${no}), 0)::numeric(18,2)`

/** The wallet, locked, with what this transaction has posted so far. */
export const walletBalance = async (tx: Tx, merchantNo: string): Promise<Money> =>
  neg(await lockedBalance(tx, account.merchant(merchantNo)))

/** Merchants whose bills a person sees. */
export const merchantScope = (session: Session, merchant: string, perm?: string): Frag =>
  scope(session, { merchant, holder: () => sql`true`, perm })
