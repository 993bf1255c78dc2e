import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { trafficPersons } from '../../../../core/contract/operation/traffic.ts'
import { notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import type { Choices, Module } from '../../../module.ts'
import { personRule } from '../../../personnel/person-store.ts'
import { servePersonnel } from '../../../personnel/serve-personnel.ts'
import { merchantsOf } from '../../../rights/scope.ts'
import {
  apart,
  atWork,
  channelsOfEach,
  checkChannels,
  checkCode,
  checkHead,
  handsOver,
  heldBy,
  holds,
  passChannelsOn,
} from './channels.ts'
import { firstDay, personNumbers, quietSince, sums, trafficStat } from './numbers.ts'

const { trafficPerson } = contract
const { page } = trafficPersons.perms

const persons = servePersonnel(trafficPersons, {
  openCount: sql`(select count(*)::int from ${heldBy} where ${holds})`,
  source: ({ tx }) => ({
    joins: personNumbers(tx),
    columns: {
      promotionChannelNos: sql`array(select h.channel_no from ${heldBy} where ${holds} order by c.channel_name, 1)`,
      promotionChannels: handsOver.names,
      registerCount: sql`n.register_count`,
      incomingCount: sql`n.incoming_count`,
      paidOutCount: sql`n.paid_out_count`,
      payoutAmount: sql`n.payout_amount`,
      costPerPayout: sql`n.cost_per_payout`,
      monthRank: sql`m.month_rank`,
      lastPayoutDate: sql`l.last_payout_date`,
      quiet: sql`(${atWork} and ${quietSince(tx)})`,
    },
    filters: {
      promotionChannelNo: (no: string) => sql`exists (select 1 from ${heldBy} where ${holds} and h.channel_no = ${no})`,
    } as never,
  }),
  async check({ tx }, values, before) {
    await checkChannels(tx, values)
    await checkCode(tx, values, before)
    await checkHead(tx, values, before)
  },
  apart,
  each: channelsOfEach,
  handsOver,
  goes: passChannelsOn,
})

const detail = serve(trafficPerson.detail, async ({ tx, session, input: { userNo } }) => {
  const person = await tx.maybe(sql<{ realName: string; promoterCode: string | null; pastCodes: string[] }>`
    select u.real_name, x.promoter_code, array(
      select k.promo_code from traffic_promo_code k where k.user_no = x.user_no and k.promo_code is distinct from x.promoter_code order by k.created_time) as past_codes
    from traffic_person x join app_user u using (user_no) where x.user_no = ${userNo} and ${personRule(session, trafficPersons)}`)
  if (!person) throw notFound()
  const channelNumbers = await tx.rows(sql<{
    channelNo: string
    channelName: string
    promotionChannel: string
    fromTime: string
    untilTime: string | null
    registerCount: number
    incomingCount: number
    paidOutCount: number
    payoutAmount: string
    costPerPayout: string | null
  }>`
    select c.channel_no, c.channel_name, c.promotion_channel, h.from_time, h.until_time, n.* from (
      select channel_no, max(from_time) as from_time, case when bool_or(until_time is null) then null else max(until_time) end as until_time
      from traffic_channel where user_no = ${userNo} group by channel_no) h
    join promotion_channel c using (channel_no)
    left join lateral (select ${sums} from traffic_stat_daily s where s.user_no = ${userNo} and s.channel_no = c.channel_no and s.stat_date >= ${firstDay(tx)}) n on true
    where h.until_time is not null or c.deleted_time is null
    order by h.until_time is not null, c.channel_name, c.channel_no limit 200`)
  return { userNo, ...person, channelNumbers }
})

/** Whom a person brought, as their superiors see it: they themselves see numbers alone, and nobody what became of an order but its payout. */
const customers = listed({
  list: trafficPerson.customers,
  source: ({ session }) => ({
    from: sql`customer_promoter r join loan_order o on o.customer_no = r.customer_no join app_user u on u.user_no = r.promoter_no`,
    joins: { c: sql`join promotion_channel c on c.channel_no = r.channel_no` },
    where: sql`${personRule(session, trafficPersons)} and u.user_no <> ${session.userNo}`,
    alias: 'o',
    key: sql`o.order_no`,
    columns: { userNo: sql`u.user_no`, realName: sql`u.real_name`, channelName: sql`c.channel_name` },
    filters: { userNo: (no: string) => sql`u.user_no = ${no}` },
  }),
})

/** Channels that people are given: those of the reader's merchants. */
const channelChoices: Choices = {
  key: 'PROMOTION_CHANNEL',
  list: ({ tx, session }) => {
    const own = merchantsOf(session, page)
    return tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select channel_no as value, channel_name || ' (' || promotion_channel || ')' as label, deleted_time is null as enabled from promotion_channel
      where ${own ? sql`merchant_no = any(${[...own]})` : sql`true`} order by channel_name, channel_no`)
  },
}

/** Traffic staff, as the growth manager keeps them. */
export const trafficModule = (): Module => ({
  ...persons,
  served: [...persons.served, detail, serveListed(customers)],
  lists: [...persons.lists, customers],
  choices: [channelChoices],
  scheduled: [trafficStat],
})
