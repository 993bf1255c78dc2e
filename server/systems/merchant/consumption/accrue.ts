import { sql } from 'kysely'
import { type Money, neg } from '../../../../core/rules/money.ts'
import type { EatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { newRequestId } from '../../../http/request.ts'
import type { Scheduled } from '../../../module.ts'
import { account, post } from '../../../money/ledger.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { walletBalance } from './wallet.ts'

/** How many events are counted in one transaction. */
const chunk = 5000

type Group = {
  merchantNo: string
  typeNo: string
  /** The day whose price counts. */
  priceDate: EatDate
  /** The day of the record: that of the events, or today's where that one is posted. */
  businessDate: EatDate
  quantity: number
  eventNos: string[]
}
type Price = { versionNo: string; unitPrice: string }
type Stored = {
  consumptionNo: string
  consumptionStatus: string
  merchantNo: string
  quantity: number
  unitPrice: string
  consumptionAmount: Money
  version: number
}

/** What a unit cost a merchant on a business date, from its first moment on: its own price, else that for all. */
export const priceOn = (tx: Tx, of: { typeNo: string; merchantNo: string; date: EatDate }) =>
  tx.maybe(sql<Price>`
    select v.version_no, v.content ->> 'unitPrice' as unit_price
    from consumption_price p join consumption_price_version v using (price_no)
    where p.type_no = ${of.typeNo} and p.enabled = 'enabled' and p.deleted_time is null and (p.merchant_no is null or p.merchant_no = ${of.merchantNo})
      and v.version_status in ('effective', 'superseded', 'scheduled') and v.effective_time <= ${of.date}::timestamp at time zone 'Africa/Kampala'
      and (v.superseded_time is null or v.superseded_time > ${of.date}::timestamp at time zone 'Africa/Kampala')
    order by p.merchant_no is null, v.effective_time desc limit 1`)

const keep = async (tx: Tx, group: Group, price: Price | undefined) => {
  const { merchantNo, typeNo, businessDate, quantity } = group
  const [versionNo, unitPrice] = [price?.versionNo ?? null, price?.unitPrice ?? '0']
  const actor = system(newRequestId())
  const event = 'consumption.accrue'
  const held = await tx.maybe(sql<Stored>`
    select * from consumption_record where merchant_no = ${merchantNo} and type_no = ${typeNo} and price_version_no is not distinct from ${versionNo}
      and business_date = ${businessDate} for update`)
  const total = (held?.quantity ?? 0) + quantity
  const { amount } = await tx.one(
    sql<{ amount: Money }>`select round(${total}::int * ${unitPrice}::numeric(14,4), 2)::numeric(18,2) as amount`,
  )
  const set = { quantity: total, consumptionAmount: amount }
  if (held) {
    await transition(tx, 'consumptionRecord', held, { event, set }, actor)
    return held.consumptionNo
  }
  const consumptionNo = newNo('CS', tx.now)
  const row = { consumptionNo, merchantNo, typeNo, priceVersionNo: versionNo, unitPrice, businessDate, ...set }
  await create(tx, 'consumptionRecord', { ...row, createdTime: tx.now }, { event }, actor)
  return consumptionNo
}

/** Counts the events that wait into the records of their days; answers how many there were. Those of services that are not charged are left out for good. */
export const foldEvents = async (tx: Tx): Promise<number> => {
  await tx.flush()
  const open = await tx.rows(sql<{ no: string }>`
    select event_no::text as no from consumption_event where charge = 'open' order by event_no limit ${chunk} for update skip locked`)
  const nos = sql`any(${open.map(({ no }) => no)}::bigint[])`
  const sold = sql`exists (select 1 from consumption_type t where t.meter = e.meter and t.enabled = 'enabled' and t.deleted_time is null)`
  await tx.exec(sql`update consumption_event e set charge = 'off' where e.event_no = ${nos} and not ${sold}`)
  const posted = sql`exists (select 1 from consumption_record r where r.business_date >= e.business_date and r.posted_time is not null)`
  const groups = await tx.rows(sql<Group>`
    select e.merchant_no, t.type_no, e.business_date as price_date,
      case when e.business_date < ${tx.today}::date and ${posted} then ${tx.today}::date else e.business_date end as business_date,
      sum(e.quantity)::int as quantity, array_agg(e.event_no::text) as event_nos
    from consumption_event e join consumption_type t on t.meter = e.meter and t.enabled = 'enabled' and t.deleted_time is null
    where e.event_no = ${nos} and e.charge = 'open' group by 1, 2, 3, 4 order by 1, 2, 3, 4`)
  for (const group of groups) {
    const { typeNo, merchantNo, priceDate: date } = group
    const consumptionNo = await keep(tx, group, await priceOn(tx, { typeNo, merchantNo, date }))
    await tx.flush()
    await tx.exec(
      sql`update consumption_event set charge = 'charged', consumption_no = ${consumptionNo} where event_no = any(${group.eventNos}::bigint[])`,
    )
  }
  return open.length
}

/** Books what was used before a day, one journal a record; a record without an amount has none. */
export const postBefore = async (tx: Tx, date: EatDate): Promise<number> => {
  const due = await tx.rows(sql<Stored>`
    select * from consumption_record where consumption_status = 'accruing' and business_date < ${date} order by merchant_no, business_date, consumption_no for update`)
  const actor = system(newRequestId())
  for (const record of due) {
    const { consumptionNo, merchantNo, consumptionAmount: amount } = record
    const journalNo = await post(
      tx,
      {
        code: 'P13',
        cause: `consumption_record:${consumptionNo}`,
        keys: { merchantNo },
        lines: [
          { account: account.merchant(merchantNo), amount },
          { account: account.serviceIncome, amount: neg(amount) },
        ],
      },
      actor,
    )
    const set = { journalNo, balanceAfter: await walletBalance(tx, merchantNo), postedTime: tx.now }
    await transition(tx, 'consumptionRecord', record, { event: 'consumption.post', set }, actor)
  }
  return due.length
}

/** Today's records follow what happens; nobody waits for them, so that a merchant with many orders locks nothing. */
export const accrueJob: Scheduled = {
  job: 'consumption.accrue',
  every: { seconds: 60 },
  run: async tx => ({ events: await foldEvents(tx) }),
}

/** After midnight the day before is posted. */
export const postJob: Scheduled = {
  job: 'consumption.post',
  every: { dailyAt: '00:30' },
  run: async (tx, { date }) => {
    let events = 0
    for (let n = chunk; n === chunk; events += n) n = await foldEvents(tx)
    return { events, posted: await postBefore(tx, date) }
  },
}
