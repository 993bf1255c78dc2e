import { sql } from 'kysely'
import type { Application } from '../../../../core/contract/order/intake.ts'
import { eatDateTime } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'

/** The rule that an application falls under. */
export type AcquireRule = {
  acquireNo: string
  enabled: string
  acceptFrom: string
  acceptTo: string
  cap: number
  hourCap: number | null
  firstShare: number
  dedupeDays: number
}
export type LoanKind = 'first' | 'repeat'

/** First loans are counted among so many of the last orders that were taken. */
const shareOf = 100

/** Null where the merchant has set none for the channel, the kind of loan and the product: such an application is taken as it is. */
export const ruleFor = async (
  tx: Tx,
  merchantNo: string,
  { productNo, incomingChannel }: Pick<Application, 'productNo' | 'incomingChannel'>,
  loanKind: LoanKind,
): Promise<AcquireRule | null> =>
  (await tx.maybe(sql<AcquireRule>`
    select acquire_no, enabled, accept_from, accept_to, case when today_cap_date = ${tx.today} then today_cap else daily_cap end as cap, hour_cap, first_share, dedupe_days
    from acquire_rule where merchant_no = ${merchantNo} and lower(incoming_channel) = lower(${incomingChannel}) and (loan_kind is null or loan_kind = ${loanKind})
      and ${productNo} = any(product_nos) and deleted_time is null order by acquire_no limit 1`)) ?? null

const clockOf = (now: Date) => eatDateTime(now).slice(11, 16)
const hourOf = (now: Date) => Number(clockOf(now).slice(0, 2))
const full = () => new Fault('quota', 'errors.intakeCap')

/** A person is taken once in so many days, whatever the channel; the ID number and the phone both say who it is. */
export const checkPerson = async (
  tx: Tx,
  rule: AcquireRule | null,
  { merchantNo, idNumber, phone }: { merchantNo: string; idNumber: string; phone: string },
): Promise<void> => {
  if (!rule || rule.dedupeDays === 0) return
  const since = new Date(tx.now.getTime() - rule.dedupeDays * 86_400_000)
  const taken = await tx.maybe(sql`
    select 1 from merchant_customer mc join customer c using (customer_no) join loan_order o on o.customer_no = mc.customer_no and o.merchant_no = mc.merchant_no
    where mc.merchant_no = ${merchantNo} and (c.id_number = ${idNumber.toUpperCase()} or mc.phone = ${phone}) and o.apply_time > ${since} limit 1`)
  if (taken) throw new Fault('quota', 'errors.samePerson', { n: rule.dedupeDays })
}

export const checkRunning = (rule: AcquireRule | null): void => {
  if (rule && rule.enabled !== 'enabled') throw new Fault('forbidden', 'errors.merchantClosed')
}

export const checkHours = ({ now }: Pick<Tx, 'now'>, rule: AcquireRule | null): void => {
  const time = clockOf(now)
  if (rule && (time < rule.acceptFrom || time > rule.acceptTo))
    throw new Fault('quota', 'errors.outsideHours', { from: rule.acceptFrom, to: rule.acceptTo })
}

/** Looks whether there is room, and locks nothing: {@link takePlace} takes it. */
export const checkCap = async (tx: Tx, rule: AcquireRule | null): Promise<void> => {
  if (!rule) return
  const held = await tx.rows(sql<{ hour: number; accepted: number }>`
    select hour, accepted from acquire_counter where acquire_no = ${rule.acquireNo} and business_date = ${tx.today} and hour in (-1, ${hourOf(tx.now)}::int)`)
  const taken = (hour: number) => held.find(one => one.hour === hour)?.accepted ?? 0
  if (taken(-1) >= rule.cap || (rule.hourCap !== null && taken(hourOf(tx.now)) >= rule.hourCap)) throw full()
}

export const checkShare = async (tx: Tx, rule: AcquireRule | null, loanKind: LoanKind): Promise<void> => {
  if (!rule || loanKind !== 'first' || rule.firstShare === shareOf) return
  const { firsts } = await tx.one(sql<{ firsts: number }>`
    select count(*) filter (where t.loan_kind = 'first')::int as firsts from (
      select loan_kind from acquire_log where acquire_no = ${rule.acquireNo} and intake_result = 'accepted' order by intake_time desc limit ${shareOf}) t`)
  if (firsts >= rule.firstShare) throw new Fault('quota', 'errors.firstShare')
}

/**
 * Takes a place under the caps. Who comes at the same moment waits at the counter, so that neither the caps nor the share of first
 * loans is passed.
 */
export const takePlace = async (tx: Tx, rule: AcquireRule | null): Promise<void> => {
  if (!rule) return
  const place = async (hour: number, cap: number) => {
    const of = sql`acquire_no = ${rule.acquireNo} and business_date = ${tx.today} and hour = ${hour}`
    await tx.exec(sql`
      insert into acquire_counter (acquire_no, business_date, hour) values (${rule.acquireNo}, ${tx.today}, ${hour}) on conflict do nothing`)
    const taken = await tx.exec(
      sql`update acquire_counter set accepted = accepted + 1 where ${of} and accepted < ${cap}`,
    )
    if (taken === 0) throw full()
  }
  await place(-1, rule.cap)
  await place(hourOf(tx.now), rule.hourCap ?? 2_147_483_647)
}

/** Applications of one person come in one after the other: what one of them opens, the next one sees. */
export const onePersonAtATime = async (tx: Tx, idNumber: string, phone: string): Promise<void> => {
  for (const name of [`intake id ${idNumber.toUpperCase()}`, `intake phone ${phone}`])
    await tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}
