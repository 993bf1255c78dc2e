import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { platforms } from '../../../core/contract/supermarket/platform.ts'
import { addDays } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson, type Session } from '../../session/session.ts'
import { transition } from '../../states/transition.ts'
import { platformModule } from '../../systems/supermarket/platform/platform.ts'
import { marketProductModule } from '../../systems/supermarket/product/product.ts'
import { writeVipLadder } from '../../systems/supermarket/vip/seed.ts'
import { levelsInForce, measured, putLevel, review } from '../../systems/supermarket/vip/standing.ts'
import { at, type Hand, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'
import { writeRecommends, writeReviews } from './supermarket-shelf.ts'

const { platform, marketProduct } = contract
const secretKey = Buffer.alloc(32)
const day = 86_400_000

type Desk = { tx: Tx; hand: Hand; maker: Session; second: Session }
type Lender = { name: string; host: string; mode: 'cpa' | 'cps' | 'free'; ends: number; kind?: 'own'; fills?: true }

/** Our own brand and four partners: one fills in its form, and the licence of the last one has ended. */
const lenders: readonly Lender[] = [
  { name: 'Mkopo brands', host: 'apps.mkopo.example', mode: 'free', ends: 400, kind: 'own' },
  { name: 'QuickLend Uganda', host: 'apply.quicklend.example', mode: 'cps', ends: 240 },
  { name: 'Pesa Haraka', host: 'pesaharaka.example', mode: 'cpa', ends: 45 },
  { name: 'Kampala Credit', host: 'go.kampalacredit.example', mode: 'cpa', ends: 180, fills: true },
  { name: 'Nile Advance', host: 'nileadvance.example', mode: 'cps', ends: -3 },
]

type Standing = 'online' | 'submitted' | 'draft' | 'offline'
type Made = {
  of: number
  name: string
  max: number
  days: number
  rate: string
  allIn: string
  to: Standing
  cap?: number
  fault?: string
}

/** Products in every state: two wait, one has a link that fails, one is at its cap. */
const products: readonly Made[] = [
  { of: 1, name: 'QuickLend 30', max: 1_000_000, days: 30, rate: '2.4', allIn: '2.7', to: 'online', cap: 500 },
  { of: 1, name: 'QuickLend Boda', max: 600_000, days: 21, rate: '2.2', allIn: '2.6', to: 'online' },
  { of: 1, name: 'QuickLend Plus', max: 3_000_000, days: 90, rate: '2.0', allIn: '2.5', to: 'submitted' },
  { of: 2, name: 'Haraka 14', max: 300_000, days: 14, rate: '2.7', allIn: '2.8', to: 'online', cap: 20 },
  { of: 2, name: 'Haraka Soko', max: 500_000, days: 28, rate: '2.6', allIn: '2.8', to: 'online', fault: 'certificate' },
  { of: 2, name: 'Haraka School', max: 800_000, days: 60, rate: '2.3', allIn: '2.6', to: 'draft' },
  { of: 2, name: 'Haraka Women', max: 400_000, days: 30, rate: '2.4', allIn: '2.7', to: 'offline' },
  { of: 3, name: 'Kampala Starter', max: 250_000, days: 14, rate: '2.5', allIn: '2.8', to: 'online' },
  { of: 3, name: 'Kampala Trader', max: 2_000_000, days: 60, rate: '2.1', allIn: '2.5', to: 'online' },
  { of: 3, name: 'Kampala Salary', max: 1_500_000, days: 30, rate: '1.9', allIn: '2.3', to: 'submitted' },
  { of: 3, name: 'Kampala Farm', max: 1_200_000, days: 90, rate: '2.0', allIn: '2.4', to: 'draft' },
  { of: 4, name: 'Nile Advance 7', max: 200_000, days: 7, rate: '2.7', allIn: '2.8', to: 'draft' },
  { of: 4, name: 'Nile Advance 30', max: 900_000, days: 30, rate: '2.5', allIn: '2.7', to: 'draft' },
  { of: 0, name: 'Boda Cash 14', max: 800_000, days: 14, rate: '2.6', allIn: '2.8', to: 'online' },
]

const lines = (zh: string, en: string, sw: string) => ({ zh, en, sw })

const plainConsent = lines(
  '我同意前往合作方页面申请，本应用只提供点击编号。',
  'I agree to apply on the page of the partner. This app hands over the number of my click and nothing else.',
  'Nakubali kuomba kwenye ukurasa wa mshirika. Programu hii inatoa namba ya mbofyo wangu tu.',
)
const filledConsent = lines(
  '我同意将我的姓名和手机号提供给合作方，用于填写申请表。',
  'I agree that my name and my phone number go to the partner, to fill in its application form.',
  'Nakubali jina langu na namba yangu ya simu zitolewe kwa mshirika ili kujaza fomu ya maombi.',
)

const writePlatform = async (
  { tx, hand, maker }: Desk,
  { name, host, mode, ends, kind = undefined, fills = undefined }: Lender,
) => {
  const input = {
    platformName: name,
    platformKind: kind ?? 'partner',
    legalName: `${name} Limited`,
    licenceNo: `UMRA/TIER4/${host.length}${name.length}`,
    licenceExpiry: addDays(tx.today, Math.max(ends, 1)),
    contactPerson: 'Namono Ritah',
    contactEmail: `partners@${host}`,
    allowedHosts: host,
    settlementMode: mode,
    ...(mode === 'cpa' ? { unitPrice: '1500.00' } : {}),
    ...(mode === 'cps' ? { sharePercent: '2.5' } : {}),
    consentText: fills ? filledConsent : plainConsent,
    ...(fills ? { prefillUrl: `https://${host}/prefill`, prefillFields: ['customerName', 'phone'] } : {}),
  }
  const answer = await hand.call(tx, maker, platform.save, input as InputOf<typeof platform.save>)
  await tx.flush()
  const platformNo = String(answer.key)
  const row = await tx.one(
    sql<{
      platformNo: string
      version: number
      enabled: string
    }>`select platform_no, version, enabled from supermarket_platform where platform_no = ${platformNo}`,
  )
  await transition(tx, platforms.machine, row, { event: 'item.enable' }, system('demo'))
  await tx.exec(
    sql`update supermarket_platform set key_turn = 1, key_time = ${tx.now}, licence_expiry = ${addDays(tx.today, ends)} where platform_no = ${platformNo}`,
  )
  return platformNo
}

const versioned = async (tx: Tx, marketProductNo: string) => {
  await tx.flush()
  const { version } = await tx.one(
    sql<{ version: number }>`select version from market_product where market_product_no = ${marketProductNo}`,
  )
  return { marketProductNo, version }
}

const writeProduct = async ({ tx, hand, maker, second }: Desk, platformNo: string, one: Made, place: number) => {
  const host = lenders[one.of]?.host ?? ''
  const { marketProductNo: no } = await hand.call(tx, maker, marketProduct.save, {
    platformNo,
    marketProductName: one.name,
    slogan: lines('快速到账，费用透明', 'Fast, and no hidden fees', 'Haraka, bila ada zilizofichwa'),
    amountMin: '50000.00',
    amountMax: `${one.max}.00`,
    termMin: 7,
    termMax: one.days,
    termUnit: 'day',
    rateMonthMin: '1.5',
    rateMonthMax: one.rate,
    allInMonthRate: one.allIn,
    feeText: lines('费用已含在综合成本内', 'Fees are part of the all-in cost', 'Ada zimo ndani ya gharama yote'),
    conditions: lines(
      '18岁以上，持国民身份证',
      'From 18 years, with a national ID',
      'Kuanzia miaka 18, na kitambulisho cha taifa',
    ),
    requiredDocs: lines(
      '身份证、手机钱包',
      'National ID, mobile money account',
      'Kitambulisho, akaunti ya pesa ya simu',
    ),
    applyUrl: `https://${host}/apply/${one.name.toLowerCase().replaceAll(' ', '-')}`,
    handoff: lenders[one.of]?.fills ? 'prefill' : 'link',
  })
  await tx.flush()
  await tx.exec(sql`update market_product set logo = ${`LOGO-${no}`} where market_product_no = ${no}`)
  if (one.to === 'draft') return no
  await hand.call(tx, maker, marketProduct.submit, await versioned(tx, no))
  if (one.to === 'submitted') return no
  await hand.call(tx, second, marketProduct.operate, {
    ...(await versioned(tx, no)),
    appCodes: merchants.slice(0, 1 + (place % merchants.length)).map(of => of.appName),
    customerTypes: place % 3 === 0 ? ['new', 'old'] : ['new'],
    sort: place + 1,
    ...(one.cap ? { dailyClickCap: one.cap } : {}),
    textsRead: true,
    linkOpened: true,
    licenceSeen: true,
  })
  await tx.flush()
  if (one.to === 'offline')
    await hand.call(tx, second, marketProduct.offline, {
      marketProductNos: [no],
      reason: 'Complaints about late answers',
    })
  return no
}

/** Thirty days of what was shown, clicked and reported; the same numbers each time. */
const writeFigures = async (tx: Tx, nos: readonly string[]) => {
  const shelf = sql`select p.market_product_no, p.platform_no, p.app_codes[1] as app, row_number() over (order by p.market_product_no)::int as k from market_product p where p.market_product_no = any(${[...nos]})`
  await tx.exec(sql`
    insert into market_shown (business_date, market_product_no, app_code, slot, shown_count)
    select ${tx.today}::date - d, market_product_no, app, 'supermarket_list', 40 + (k * 17 + d * 5) % 60 from (${shelf}) p, generate_series(0, 29) d`)
  await tx.exec(sql`
    insert into market_click (click_id, market_product_no, platform_no, customer_no, app_code, slot, click_time, business_date)
    select 'demo-' || k || '-' || d || '-' || n, market_product_no, platform_no, c.customer_no, app, case when n % 3 = 0 then 'refused_page' else 'supermarket_list' end,
      ${tx.now}::timestamptz - d * interval '1 day' - (n * 7) * interval '1 minute', (((${tx.now}::timestamptz - d * interval '1 day' - (n * 7) * interval '1 minute')) at time zone 'Africa/Kampala')::date
    from (${shelf}) p, generate_series(0, 29) d, generate_series(1, 3) n
      join lateral (select customer_no from customer order by customer_no offset n limit 1) c on true`)
  await tx.exec(sql`
    insert into market_clicks_today (market_product_no, business_date, taken)
    select p.market_product_no, ${tx.today}, coalesce(p.daily_click_cap, 3) from market_product p where p.market_product_no = any(${[...nos]})
      and (p.daily_click_cap is null or p.daily_click_cap < 100)`)
  // Of those whose form is filled in, every second customer agreed to it.
  await tx.exec(sql`
    update market_click c set consent_version = f.consent_version, prefilled = f.prefill_fields
    from market_product p join supermarket_platform f using (platform_no)
    where p.market_product_no = c.market_product_no and p.handoff = 'prefill' and f.prefill_url is not null and c.click_id ~ '[02468]$'`)
  const said = (event: string, every: number, result = 'accepted') => sql`
    insert into market_postback (postback_no, platform_no, event_id, click_id, market_event, postback_result, amount, revenue_amount, received_time)
    select 'PB-' || ${event}::text || '-' || ${result}::text || '-' || c.click_id, c.platform_no, ${event}::text || '-' || c.click_id, c.click_id, ${event}, ${result},
      case when ${event} = 'payout' then 180000 end,
      case when ${result} <> 'accepted' then 0 when f.settlement_mode = 'cpa' and ${event} = 'apply' then f.unit_price when f.settlement_mode = 'cps' and ${event} = 'payout' then 180000 * f.share_percent / 100 else 0 end,
      c.click_time + interval '40 minutes'
    from (select x.*, row_number() over (order by x.click_id)::int as k from market_click x) c join supermarket_platform f using (platform_no) where c.k % ${every}::int = 0`
  await tx.exec(said('apply', 2))
  await tx.exec(said('approve', 4))
  await tx.exec(said('payout', 6))
  await tx.exec(said('payout', 35, 'wrong_key'))
}

/** Customers have the levels that they have earned, and a few of them one by hand. */
const writeLevels = async (tx: Tx) => {
  await writeVipLadder(tx)
  const levels = await levelsInForce(tx)
  const customers = await measured(tx, sql`true order by c.customer_no`)
  const actor = system('demo')
  await review(tx, customers, { levels, down: true, date: tx.today }, actor)
  for (const one of customers.slice(0, 12))
    if (one.memberLevel < 'V3') await putLevel(tx, one, 'V3', { reason: 'manual', until: addDays(tx.today, 60) }, actor)
}

/** The loan supermarket: five platforms, fourteen products in every state, and a month of numbers. */
export const writeSupermarket = async (tx: Tx): Promise<void> => {
  const hand = handFor([platformModule({ secretKey }), marketProductModule({ secretKey, demo: true })])
  const maker = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const other = await rightsOfPerson(tx, userNoOf('audit.lead'), 'en')
  const second = { ...other, perms: maker.perms }
  const desk = { tx: at(tx, new Date(tx.now.getTime() - 20 * day)), hand, maker, second }
  const platformNos: string[] = []
  for (const lender of lenders) platformNos.push(await writePlatform(desk, lender))
  const online: string[] = []
  for (const [place, one] of products.entries()) {
    const no = await writeProduct(desk, String(platformNos[one.of]), one, place)
    if (one.to === 'online') online.push(no)
    if (one.fault)
      await tx.exec(
        sql`update market_product set link_fault = ${one.fault}, link_failures = 1 where market_product_no = ${no}`,
      )
  }
  await tx.exec(sql`update market_product set link_time = ${tx.now} where market_product_no = any(${online})`)
  await writeFigures(tx, online)
  await writeRecommends({ tx, maker, second }, online)
  await writeReviews({ tx, maker, second })
  await writeLevels(tx)
}
