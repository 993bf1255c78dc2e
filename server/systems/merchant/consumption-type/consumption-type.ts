import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import {
  consumptionPrices,
  consumptionTypes,
  type PricedLine,
  prepaidFlaw,
} from '../../../../core/contract/merchant/consumption-type.ts'
import { addDays } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Module } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { foldEvents, merchantScope } from '../consumption/index.ts'

const { consumptionType } = contract
const perm = consumptionType.page.perm as string

/** What was used in the last 30 days of a service `type`. */
const used30 = (tx: Tx, what: RawBuilder<unknown>, type: RawBuilder<unknown>, session: Session) => sql`
  (select ${what} from consumption_record r where r.type_no = ${type} and r.business_date > ${addDays(tx.today, -30)} and ${merchantScope(session, 'r.merchant_no', perm)})`
const onDay = (tx: Tx, what: RawBuilder<unknown>, session: Session) => sql`
  (select ${what} from consumption_record r where r.type_no = x.type_no and r.business_date = ${addDays(tx.today, -1)} and ${merchantScope(session, 'r.merchant_no', perm)})`
const quantity = sql`coalesce(sum(r.quantity), 0)::int`
const amount = sql`coalesce(sum(r.consumption_amount), 0)::numeric(18,2)`

/** The price for all merchants that stands with a status. */
const forAll = (status: string, what: RawBuilder<unknown>) => sql`
  (select ${what} from consumption_price p join consumption_price_version v using (price_no)
    where p.type_no = x.type_no and p.merchant_no is null and p.enabled = 'enabled' and p.deleted_time is null and v.version_status = ${status})`
const price = sql`v.content ->> 'unitPrice'`

const within = (words: string) => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** What is charged is set for the company; people of a merchant read it. */
const headquarters = ({ session }: { session: Session }) =>
  session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly')

const types = serveConfig(consumptionTypes, {
  prefix: 'CT',
  unique: 'typeCode',
  exists: 'errors.typeOrMeterTaken',
  mayChange: headquarters,
  check: async (_call, form, before) => {
    const flaw = prepaidFlaw({ ...before, ...form })
    if (flaw) throw invalid(flaw.path, flaw.message as 'validation.neverPrepaid')
  },
  /** What happened so far is charged; from now on nothing is. */
  switches: async (tx, _item, to) => {
    if (to === 'disabled') while ((await foldEvents(tx)) > 0);
  },
  uses: async (tx, keys) =>
    tx.rows(sql`
      select 'consumptionPrice' as kind, p.price_no as no, coalesce(m.merchant_name, '*') as name, p.type_no as key
      from consumption_price p left join merchant m on m.merchant_no = p.merchant_no where p.type_no = any(${[...keys]}) and p.deleted_time is null
      union all
      (select distinct on (r.type_no) 'consumption', r.consumption_no, r.business_date::text, r.type_no from consumption_record r where r.type_no = any(${[...keys]}))`),
  source: ({ tx, session }) => ({
    columns: {
      unitPrice: forAll('effective', price),
      effectiveTime: forAll('effective', sql`v.effective_time`),
      nextPrice: forAll('scheduled', price),
      nextPriceTime: forAll('scheduled', sql`v.effective_time`),
      ownPrices: sql`(select count(*)::int from consumption_price p where p.type_no = x.type_no and p.merchant_no is not null and p.enabled = 'enabled' and p.deleted_time is null
        and ${merchantScope(session, 'p.merchant_no', perm)})`,
      quantity30: used30(tx, quantity, sql`x.type_no`, session),
      amount30: used30(tx, amount, sql`x.type_no`, session),
      yesterdayQuantity: onDay(tx, quantity, session),
      yesterdayAmount: onDay(tx, amount, session),
    },
    filters: {
      typeName: (words: unknown) =>
        sql`(x.type_code ilike ${within(String(words))} or exists (select 1 from jsonb_each_text(x.type_name) n where n.value ilike ${within(String(words))}))`,
    },
  }),
})

type Price = { typeNo: string; merchantNo: string | null; priceNo: string }

/** Merchants that a price is for, with what they used of the service in 30 days: those with a price of their own go by that. */
const billed = (price: Price, today: string, session: Session | null) => sql`
  select r.merchant_no, sum(r.quantity)::int as quantity, sum(r.consumption_amount)::numeric(18,2) as before
  from consumption_record r
  where r.type_no = ${price.typeNo} and r.business_date > ${addDays(today, -30)} and (${price.merchantNo}::text is null or r.merchant_no = ${price.merchantNo})
    and (${price.merchantNo}::text is not null or not exists (
      select 1 from consumption_price o where o.type_no = r.type_no and o.merchant_no = r.merchant_no and o.enabled = 'enabled' and o.deleted_time is null))
    and ${session ? merchantScope(session, 'r.merchant_no', perm) : sql`true`} group by 1`

const prices = serveConfig(consumptionPrices, {
  prefix: 'CP',
  unique: 'merchantNo',
  exists: 'errors.priceThere',
  mayChange: headquarters,
  made: async ({ tx, session }, form) => {
    const type = await tx.maybe(
      sql`select 1 from consumption_type where type_no = ${form.typeNo} and deleted_time is null`,
    )
    if (!type) throw invalid('typeNo', 'validation.wrongValue')
    const { merchantNo = null } = form
    const seen = await tx.maybe(
      sql`select 1 from merchant m where m.merchant_no = ${merchantNo} and m.deleted_time is null and ${merchantScope(session, 'm.merchant_no', perm)}`,
    )
    if (merchantNo && !seen) throw invalid('merchantNo', 'validation.wrongValue')
    return { rows: [{ ...form, merchantNo }], existing: 0 }
  },
  source: ({ tx, session }) => ({
    where: sql`(x.merchant_no is null or ${merchantScope(session, 'x.merchant_no', perm)})`,
    joins: {
      t: sql`join consumption_type t on t.type_no = x.type_no`,
      m: sql`left join merchant m on m.merchant_no = x.merchant_no`,
    },
    columns: {
      typeName: sql`t.type_name`,
      meter: sql`t.meter`,
      unit: sql`t.unit`,
      merchantName: sql`m.merchant_name`,
      quantity30: sql`coalesce((select sum(r.quantity)::int from consumption_record r join consumption_price_version w on w.version_no = r.price_version_no
        where w.price_no = x.price_no and r.business_date > ${addDays(tx.today, -30)} and ${merchantScope(session, 'r.merchant_no', perm)}), 0)`,
    },
  }),
  versions: {
    prefix: 'CV',
    byDay: true,
    /** Nothing is charged to a merchant that is closed: its price waits until it is open again. */
    holds: async (tx, { item }) => {
      const { merchantNo = null } = item
      const closed = await tx.maybe(
        sql`select 1 from merchant where merchant_no = ${merchantNo} and (enabled <> 'enabled' or deleted_time is not null)`,
      )
      return closed ? new Fault('stateConflict', 'errors.closedMerchant') : null
    },
    effect: (tx, { item, content }) =>
      tx.one(sql<{ quantity: number; before: string; after: string; merchants: number }>`
        select coalesce(sum(quantity), 0)::int as quantity, coalesce(sum(before), 0)::numeric(18,2) as before,
          coalesce(sum(round(quantity * ${content.unitPrice}::numeric, 2)), 0)::numeric(18,2) as after, count(*)::int as merchants
        from (${billed(item as unknown as Price, tx.today, null)}) b`),
  },
})

const typeSeen = async (tx: Tx, typeNo: string) => {
  const row = await tx.maybe(sql`select 1 from consumption_type where type_no = ${typeNo} and deleted_time is null`)
  if (!row) throw notFound()
}

const priceLines = serve(consumptionType.prices, async ({ tx, session, input: { typeNo } }) => {
  await typeSeen(tx, typeNo)
  const list = await tx.rows(sql<PricedLine>`
    select v.version_no, p.merchant_no, m.merchant_name, v.content ->> 'unitPrice' as unit_price, v.effective_time, v.superseded_time
    from consumption_price p join consumption_price_version v using (price_no) left join merchant m on m.merchant_no = p.merchant_no
    where p.type_no = ${typeNo} and p.deleted_time is null and v.version_status in ('scheduled', 'effective', 'superseded')
      and (p.merchant_no is null or ${merchantScope(session, 'p.merchant_no', perm)})
    order by p.merchant_no nulls first, v.effective_time limit 200`)
  return { list }
})

const simulate = serve(consumptionType.simulate, async ({ tx, session, input: { priceNo, unitPrice } }) => {
  const item = await tx.maybe(sql<Price>`
    select x.* from consumption_price x where x.price_no = ${priceNo} and x.deleted_time is null and (x.merchant_no is null or ${merchantScope(session, 'x.merchant_no', perm)})`)
  if (!item) throw notFound()
  const list = await tx.rows(sql<OutputOf<typeof consumptionType.simulate>['list'][number]>`
    select b.merchant_no, m.merchant_name, b.quantity, b.before, round(b.quantity * ${unitPrice}::numeric, 2)::numeric(18,2) as after
    from (${billed(item, tx.today, session)}) b join merchant m on m.merchant_no = b.merchant_no order by 5 desc, 1 limit 200`)
  return { list }
})

/** Services that are charged, and their prices. */
export const consumptionTypeModule = (): Module => ({
  served: [...types.served, ...prices.served, priceLines, simulate],
  lists: [...types.lists, ...prices.lists],
  approvals: [...types.approvals, ...prices.approvals],
  scheduled: prices.scheduled,
  warnings: prices.warnings,
  choices: [
    {
      key: 'CONSUMPTION_TYPE',
      list: ({ tx, session }) =>
        tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
          select type_no as value, coalesce(type_name ->> ${session.language}, type_name ->> 'en', type_code) as label, enabled = 'enabled' as enabled
          from consumption_type where deleted_time is null order by type_code`),
    },
  ],
})
