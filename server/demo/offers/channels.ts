import { sql } from 'kysely'
import { contract } from '../../../core/contract/contract.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { addDays } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { system } from '../../rights/actor.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { writeBusinessConfig } from '../../systems/common/business-config.ts'
import { launchModule } from '../../systems/operation/launch/launch.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'
import { merchants } from '../world.ts'

const { launch } = contract
const shownDays = 30
type Channel = {
  code: string
  name: string
  media: 'radio' | 'facebook' | 'agent'
  mode: 'cpa' | 'cps' | 'cpc' | 'fixed'
  price: number
  /** Clicks of a usual day. */
  clicks: number
  budget?: number
  /** Its network does not answer. */
  failing?: true
  off?: true
  /** Registrations of a day at most; as many came today. */
  cap?: number
}

/** Eight channels over three media: one has spent its budget, one is at its cap, the network of one does not answer, one is off. */
const channels: readonly Channel[] = [
  { code: 'radio-07', name: 'Radio Simba, mornings', media: 'radio', mode: 'fixed', price: 0, clicks: 90 },
  { code: 'radio-11', name: 'CBS evenings', media: 'radio', mode: 'fixed', price: 0, clicks: 60, budget: 150_000 },
  { code: 'radio-gulu', name: 'Mega FM Gulu', media: 'radio', mode: 'fixed', price: 0, clicks: 35, off: true },
  { code: 'fb-kla', name: 'Facebook Kampala', media: 'facebook', mode: 'cpc', price: 350, clicks: 240 },
  { code: 'fb-mbr', name: 'Facebook Mbarara', media: 'facebook', mode: 'cpc', price: 300, clicks: 120 },
  {
    code: 'fb-lookalike',
    name: 'Facebook lookalike',
    media: 'facebook',
    mode: 'cpa',
    price: 2_500,
    clicks: 160,
    failing: true,
  },
  { code: 'agent-owino', name: 'Agents Owino market', media: 'agent', mode: 'cps', price: 6_000, clicks: 40 },
  { code: 'agent-jinja', name: 'Agents Jinja', media: 'agent', mode: 'cps', price: 6_000, clicks: 25, cap: 3 },
]

const postbackUrl = 'https://track.network.example/pb?cid={clickId}&ev={event}&t={time}'

/** Numbers of the last days, as they were counted each night, with the invoices of channels that have no price. */
const writeDays = (tx: Tx, channelNo: string, { clicks, mode, price }: Channel) =>
  tx.exec(sql`
    insert into channel_stat_daily (channel_no, stat_date, click_count, register_count, incoming_count, pass_count, paid_out_count, payout_amount,
      first_due_count, first_bad_count, first_paid_count, cost_mode, unit_price, cost_amount)
    select ${channelNo}, d, c, c / 6, c / 7, c / 14, c / 17, c / 17 * 150000, c / 20, c / 90, c / 22, ${mode}, ${price},
      case ${mode}::text when 'cpc' then c * ${price}::numeric when 'cpa' then c / 6 * ${price}::numeric when 'cps' then c / 17 * ${price}::numeric else 0 end
    from (select ${tx.today}::date - n as d, (${clicks}::int * (100 + (n * 37 + ${clicks}::int) % 41 - 20) / 100)::int as c from generate_series(1, ${shownDays}::int) n) days`)

/** Clicks of yesterday whose network was called in vain. */
const writeFailures = async (tx: Tx, channelNo: string) => {
  await tx.exec(sql`
    insert into channel_click (click_id, channel_no, click_time, led_to)
    select 'CKDEMO' || n, ${channelNo}, ${tx.now}::timestamptz - interval '1 day', 'open' from generate_series(1, 6) n`)
  await tx.exec(sql`
    insert into channel_postback (postback_no, channel_no, click_id, launch_event, event_time, delivery, tries, answer_code, answer_text, created_time, last_try_time)
    select 'PKDEMO' || n, ${channelNo}, 'CKDEMO' || n, (array['register', 'payout'])[1 + n % 2], ${tx.now}::timestamptz - interval '1 day', 'dead', 10,
      case when n % 2 = 0 then 503 end, case when n % 2 = 1 then 'timeout' end, ${tx.now}::timestamptz - interval '1 day', ${tx.now}::timestamptz - interval '2 hours'
    from generate_series(1, 6) n`)
}

/** Customers who came over a channel today. */
const writeToday = async (tx: Tx, channelNo: string, count: number) => {
  const clickTime = new Date(tx.now.getTime() - 60_000)
  await tx.exec(sql`
    insert into channel_click (click_id, channel_no, click_time, led_to)
    select 'CKTODAY' || n, ${channelNo}, ${clickTime}, 'open' from generate_series(1, ${count}::int) n`)
  await tx.exec(sql`
    insert into customer_channel (customer_no, channel_no, click_id, click_time, register_time)
    select customer_no, ${channelNo}, 'CKTODAY' || row_number() over (order by register_time desc, customer_no), ${clickTime}, ${tx.now}
    from customer where not technical order by register_time desc, customer_no limit ${count}::int`)
}

/** Ways that people come to the apps, with a month of numbers. */
export const writeChannels = async (tx: Tx): Promise<void> => {
  const hand = handFor([launchModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  const then = at(tx, new Date(tx.now.getTime() - (shownDays + 1) * 86_400_000))
  const hosts = merchants.map(({ appName }) => `get.${appName.toLowerCase()}.example`)
  const value = { attributionDays: 7, landingHosts: hosts.join(', ') }
  await writeBusinessConfig(tx, 'ATTRIBUTION_DAYS', { value, version: 0 }, system('demo'))
  await tx.flush()
  for (const [n, channel] of channels.entries()) {
    const { merchantNo } = merchants[n % 2 === 0 ? 0 : 1]
    const { appName: appCode } = merchants[n % 2 === 0 ? 0 : 1]
    const input = {
      promotionChannel: channel.code,
      channelName: channel.name,
      media: channel.media,
      merchantNo,
      appCode,
      ownerUserNo: userNoOf('admin'),
      costMode: channel.mode,
      unitPrice: `${channel.price}.00`,
      dailyBudget: `${channel.budget ?? 0}.00`,
      dailyRegisterCap: channel.cap ?? (channel.media === 'facebook' ? 200 : 0),
      landingUrl: `https://get.${appCode.toLowerCase()}.example/loan`,
      postbackEvents: channel.failing ? ['register', 'payout'] : [],
    }
    const channelNo = String((await hand.call(then, boss, launch.save, input as InputOf<typeof launch.save>)).key)
    await tx.flush()
    await writeDays(tx, channelNo, channel)
    if (channel.mode === 'fixed')
      for (let day = 1; day <= shownDays; day += 3)
        await hand.call(tx, boss, launch.costSave, {
          channelNo,
          costDate: addDays(tx.today, -day),
          amount: '120000.00',
        })
    if (channel.budget)
      await hand.call(tx, boss, launch.costSave, {
        channelNo,
        costDate: tx.today,
        amount: `${channel.budget + 15_000}.00`,
      })
    if (!channel.off) await hand.call(then, boss, launch.state, { channelNo, enabled: true, version: 0 } as never)
    await tx.flush()
    if (channel.cap) await writeToday(tx, channelNo, channel.cap)
    if (channel.failing) {
      // Its host was agreed to long ago.
      await tx.exec(sql`
        update promotion_channel set postback_url = ${postbackUrl}, postback_host = 'track.network.example', agreed_host = 'track.network.example' where channel_no = ${channelNo}`)
      await writeFailures(tx, channelNo)
    }
  }
}
