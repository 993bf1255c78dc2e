import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { addDays } from '../../../../core/rules/time.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Reader } from '../../../lists/listed.ts'
import { walletJoin } from '../consumption/index.ts'
import { keysOf } from './keys.ts'
import { daysLeft, seenBy } from './source.ts'

const { merchantConfig } = contract
type Wallet = OutputOf<typeof merchantConfig.wallet>
type Integration = OutputOf<typeof merchantConfig.integration>

const checkSeen = async ({ tx, session }: Reader, merchantNo: string) => {
  const seen = await tx.maybe(sql<{ version: number }>`
    select x.version from merchant_config x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)}`)
  if (!seen) throw notFound()
  return seen
}

const integration = serve(merchantConfig.integration, async ({ tx, session, input: { merchantNo } }) => {
  const { version } = await checkSeen({ tx, session }, merchantNo)
  const times = await tx.one(sql<Omit<Integration, 'keys' | 'version'>>`
    select (select min(u.used_time) from merchant_credential_use u join merchant_credential k using (api_key_id) where k.merchant_no = ${merchantNo}) as key_used_time,
      (select min(b.delivered_time) from merchant_callback b where b.merchant_no = ${merchantNo}) as callback_answered_time,
      min(o.apply_time) as first_order_time, min(o.settled_time) as first_settled_time
    from loan_order o where o.merchant_no = ${merchantNo}`)
  return { version, ...times, keys: await keysOf(tx, merchantNo) }
})

const shownDays = 30

const wallet = serve(merchantConfig.wallet, async ({ tx, session, input: { merchantNo } }) => {
  await checkSeen({ tx, session }, merchantNo)
  const now = await tx.one(sql<Omit<Wallet, 'emptyDate' | 'balanceDays' | 'recentTopUps' | 'usedByService'>>`
    select w.balance as wallet_balance, w.accrued as accrued_today, w.available as available_balance, x.credit_floor, x.low_balance,
      w.per_day as mean_per_day, ${daysLeft} as days_left
    from merchant_config x ${walletJoin(tx, sql`x.merchant_no`)} where x.merchant_no = ${merchantNo}`)
  const first = addDays(tx.today, 1 - shownDays)
  const balanceDays = await tx.rows(sql<Wallet['balanceDays'][number]>`
    with booked as (
      select j.business_date as day, -sum(l.amount) as amount from journal_line l join journal j using (journal_no)
      where l.account_code = ${`merchant:${merchantNo}`} group by 1)
    select d::date::text as date, coalesce((select sum(amount) from booked where day <= d), 0)::numeric(18,2)::text as balance
    from generate_series(${first}::date, ${tx.today}::date, interval '1 day') d order by 1`)
  const recentTopUps = await tx.rows(sql<Wallet['recentTopUps'][number]>`
    select recharge_no, recharge_amount, bank_entry_time from merchant_recharge
    where merchant_no = ${merchantNo} and recharge_status = 'confirmed' order by created_time desc, recharge_no limit 5`)
  const usedByService = await tx.rows(sql<Wallet['usedByService'][number]>`
    select t.meter, sum(r.quantity - r.reversed_quantity)::int as quantity, sum(r.consumption_amount - r.reversed_amount)::numeric(18,2)::text as amount
    from consumption_record r join consumption_type t using (type_no) where r.merchant_no = ${merchantNo} and r.business_date >= ${first}
    group by 1 order by sum(r.consumption_amount - r.reversed_amount) desc, 1`)
  const emptyDate = now.daysLeft === null ? null : addDays(tx.today, now.daysLeft)
  return { ...now, emptyDate, balanceDays, recentTopUps, usedByService }
})

/** What people read of one merchant's connection and wallet. */
export const configReads = [integration, wallet]
