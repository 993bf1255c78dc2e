import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import { contentOf } from '../../../core/rules/product/product-terms.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { applicant } from '../../simulators/people.ts'
import { orderAcquireModule } from '../../systems/merchant/order-acquire/order-acquire.ts'
import { productModules } from '../../systems/operation/product/product.ts'
import { handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { products } from '../world.ts'

const { orderAcquire, product } = contract
const [boda] = products
type Rule = { merchant: string; name: string; channel: string; more?: Record<string, unknown> }

const wide = { acceptFrom: '00:00', acceptTo: '23:59', dailyCap: 600, firstShare: 100, dedupeDays: 0 }
const refusedRows = 3_000

/** Twelve rules: one merchant's partner is at its cap, one of its channels is closed at this hour, and one is paused. */
const rules: readonly Rule[] = [
  { merchant: 'Boda Cash', name: 'BodaCash app', channel: 'app' },
  { merchant: 'Boda Cash', name: 'BodaCash partners', channel: 'partner', more: { dailyCap: 400 } },
  {
    merchant: 'Boda Cash',
    name: 'BodaCash website, first loans',
    channel: 'web',
    more: { loanKind: 'first', firstShare: 40 },
  },
  {
    merchant: 'Boda Cash',
    name: 'BodaCash website, repeat loans',
    channel: 'web',
    more: { loanKind: 'repeat', dedupeDays: 7 },
  },
  { merchant: 'Market Loan', name: 'MarketLoan app', channel: 'app' },
  { merchant: 'Market Loan', name: 'MarketLoan partners', channel: 'partner', more: { dailyCap: 500 } },
  { merchant: 'Market Loan', name: 'MarketLoan agents, paused', channel: 'agent' },
  { merchant: 'Shamba Advance', name: 'Shamba app', channel: 'app' },
  { merchant: 'Shamba Advance', name: 'Shamba partners', channel: 'partner', more: { dailyCap: 120 } },
  { merchant: 'Shamba Advance', name: 'Shamba website', channel: 'web', more: { dedupeDays: 30 } },
  { merchant: 'Kasa Loans', name: 'Kasa app', channel: 'app', more: { hourCap: 80 } },
  { merchant: 'First Step', name: 'First Step app', channel: 'app', more: { loanKind: 'first' } },
]

/** Brands that begin to lend have one product each before they take orders. */
const writeFirstProducts = async (tx: Tx, act: (call: unknown, input: object) => Promise<unknown>) => {
  const brands = await tx.rows(sql<{ merchantNo: string; appName: string }>`
    select merchant_no, app_name from merchant m where merchant_name in ('Kasa Loans', 'First Step')
      and not exists (select 1 from product p where p.merchant_no = m.merchant_no and p.deleted_time is null) order by 1`)
  for (const { merchantNo, appName } of brands)
    await act(product.save, { productName: `${appName} Start 14`, merchantNo, ...contentOf(boda.terms), term: 14 })
}

/** Orders came in under these rules, and were answered about as fast as they are. */
const placeTaken = (tx: Tx) =>
  tx.exec(sql`
    update acquire_log l set acquire_no = r.acquire_no, latency_ms = 40 + (ascii(right(l.order_no, 1)) * 7) % 90
    from acquire_rule r where l.order_no is not null and r.merchant_no = l.merchant_no and r.incoming_channel = l.incoming_channel and r.deleted_time is null`)

/** Applications that were refused in the last days, with every number that partners know. */
const writeRefused = (tx: Tx, acquireNos: readonly string[]) =>
  tx.exec(sql`
    insert into acquire_log (intake_no, merchant_no, intake_key, acquire_no, incoming_channel, third_order_no, loan_kind, intake_time, intake_result, intake_code, payload_hash, latency_ms, try_count)
    select 'INR' || lpad(n::text, 5, '0'), r.merchant_no, 'demo ' || n, case when c.code in ('101', '102') then null else r.acquire_no end, r.incoming_channel,
      case when c.code = '101' then null else 'TR' || lpad(n::text, 8, '0') end, case when n % 3 = 0 then 'repeat' else 'first' end,
      ${tx.now}::timestamptz - n * 2 * interval '1 minute' - interval '1 minute', case when c.code = '199' then 'error' else 'refused' end, c.code, encode(sha256(n::text::bytea), 'hex'), 6 + n % 30, 1 + n % 9 / 8
    from generate_series(1, ${refusedRows}::int) n
      join (select acquire_no, merchant_no, incoming_channel, row_number() over (order by acquire_no) - 1 as place from acquire_rule where acquire_no = any(${[...acquireNos]})) r on r.place = n % ${acquireNos.length}::int
      cross join lateral (select (array['106', '103', '108', '110', '106', '105', '107', '111', '102', '109', '101', '104', '112', '106', '103', '199', '108'])[1 + n % 17] as code) c`)

/** What some of them held: these can be let in by hand. */
const writePayloads = async (tx: Tx): Promise<void> => {
  const held = await tx.rows(sql<{
    intakeNo: string
    thirdOrderNo: string
    incomingChannel: string
    productNo: string
  }>`
    select l.intake_no, l.third_order_no, l.incoming_channel, r.product_nos[1] as product_no from acquire_log l join acquire_rule r using (acquire_no)
    where l.intake_code in ('105', '106', '107', '199') and l.intake_time > ${tx.now}::timestamptz - interval '20 hours' order by l.intake_time desc limit 40`)
  for (const [at, { intakeNo, thirdOrderNo, incomingChannel, productNo }] of held.entries()) {
    const sent = applicant(900_000 + at, { productNos: [productNo], at: tx.now.toISOString() })
    const payload = JSON.stringify({ ...sent, thirdOrderNo, incomingChannel })
    await tx.exec(sql`update acquire_log set payload = ${payload} where intake_no = ${intakeNo}`)
  }
}

const count = (tx: Tx) =>
  tx.exec(sql`
    insert into acquire_counter (acquire_no, business_date, hour, accepted)
    select acquire_no, d, coalesce(h, -1), count(*)::int
    from (select acquire_no, (intake_time at time zone 'Africa/Kampala')::date as d, extract(hour from intake_time at time zone 'Africa/Kampala')::int as h
      from acquire_log where acquire_no is not null and order_no is not null) t
    group by grouping sets ((acquire_no, d), (acquire_no, d, h))`)

/** Rules of intake, and what came of the applications of the last weeks. */
export const writeAcquireRules = async (tx: Tx): Promise<void> => {
  const hand = handFor([orderAcquireModule(), ...productModules()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const act = async (call: unknown, input: object) => {
    const answer = (await hand.call(tx, boss, call as never, input as never)) as { key: string }
    await tx.flush()
    return answer
  }
  const nos = new Map<string, string>()
  await writeFirstProducts(tx, act)
  for (const { merchant, name, channel, more } of rules) {
    const { merchantNo, productNos } = await tx.one(sql<{ merchantNo: string; productNos: string[] }>`
      select merchant_no, array_agg(product_no order by product_no) as product_nos from product join merchant using (merchant_no)
      where merchant_name = ${merchant} and product.deleted_time is null group by 1`)
    const input = { acquireName: name, merchantNo, incomingChannel: channel, productNos, ...wide, ...more }
    nos.set(name, (await act(orderAcquire.save, input)).key)
  }
  await placeTaken(tx)
  await writeRefused(tx, [...nos.values()])
  await writePayloads(tx)
  await count(tx)
  const partners = nos.get('Shamba partners') as string
  const { taken } = await tx.one(sql<{ taken: number }>`
    select coalesce(max(accepted), 0)::int as taken from acquire_counter where acquire_no = ${partners} and business_date = ${tx.today} and hour = -1`)
  await act(orderAcquire.today, { acquireNo: partners, version: 1, todayCap: taken })
  // At any hour one channel is outside its own.
  const website = nos.get('Shamba website') as string
  const morning = tx.now.getUTCHours() + 3 < 12
  await tx.exec(sql`
    update acquire_rule set accept_from = ${morning ? '13:00' : '00:00'}, accept_to = ${morning ? '23:00' : '11:00'} where acquire_no = ${website}`)
  await act(orderAcquire.state, { acquireNo: nos.get('MarketLoan agents, paused'), enabled: false, version: 1 })
}
