import { type RawBuilder, sql } from 'kysely'
import type { Meter } from '../../../../core/contract/merchant/meters.ts'
import { type Money, neg } from '../../../../core/rules/money.ts'
import { addDays } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'
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

const used = sql`(r.consumption_amount - r.reversed_amount)`

/** Wallet `w` of a merchant: what is in it, what was used and not posted, and the mean use of the last seven whole days. */
export const walletJoin = ({ today }: Pick<Tx, 'today'>, no: Frag): Frag => sql`cross join lateral (
  select b.balance, r.accrued, b.balance - r.accrued as available, round(r.week / 7, 2)::numeric(18,2) as per_day
  from (select ${walletOf(no)} as balance) b, (
    select coalesce(sum(${used}) filter (where r.consumption_status = 'accruing'), 0)::numeric(18,2) as accrued,
      coalesce(sum(${used}) filter (where r.business_date between ${addDays(today, -7)} and ${addDays(today, -1)}), 0) as week
    from consumption_record r
    where r.merchant_no = ${no} and (r.consumption_status = 'accruing' or r.business_date >= ${addDays(today, -7)})) r) w`

/** A merchant that pays in advance and is at its floor gets no more of a service that has to be paid in advance. */
export const isUsedUp = async (tx: Tx, meter: Meter, merchantNo: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from merchant_config x join consumption_type t on t.meter = ${meter} ${walletJoin(tx, sql`x.merchant_no`)}
    where x.merchant_no = ${merchantNo} and x.deleted_time is null and x.enabled = 'enabled' and x.settlement_mode = 'prepaid' and w.available <= x.credit_floor
      and t.prepaid_required and t.enabled = 'enabled' and t.deleted_time is null`)) !== undefined

/** Refuses a service to a merchant that has used up what it paid in. */
export const checkPaid = async (tx: Tx, meter: Meter, merchantNo: string): Promise<void> => {
  if (await isUsedUp(tx, meter, merchantNo)) throw new Fault('stateConflict', 'errors.walletUsedUp')
}

/** Merchants whose bills a person sees. */
export const merchantScope = (session: Session, merchant: string, perm?: string): Frag =>
  scope(session, { merchant, holder: () => sql`true`, perm })
