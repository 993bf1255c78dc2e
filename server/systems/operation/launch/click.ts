import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { businessConfigs } from '../../../../core/contract/common/business-config.ts'
import { launch } from '../../../../core/contract/operation/launch.ts'
import { withClick } from '../../../../core/rules/market/hosts.ts'
import type { Tx } from '../../../db/database.ts'
import { limitOf } from '../../../http/defence/limit.ts'
import { notFound } from '../../../http/fault.ts'
import { type Served, servePublicLink } from '../../../http/serve.ts'
import { businessValue } from '../../common/index.ts'
import { noteBrought, promoterOf } from '../traffic/index.ts'
import { registeredToday, standingOf } from './standing.ts'

/** Clicks of one address in a minute: a town behind one network, and no flood of made-up ones. */
const perMinute = 600

/** The page that the app shows to everybody. */
const ordinary = (landingUrl: string) => new URL('/', landingUrl).href

/** Leads people on and counts the click. Nobody is turned away: a channel that is off, full or spent leads to the ordinary page. */
export const openServed = (): Served => {
  const limit = limitOf(perMinute, 60)
  return servePublicLink(launch.open, async ({ tx, input, request }) => {
    const tooMany = await limit.take(request.ip)
    if (tooMany) throw tooMany
    const channel = await tx.maybe(sql<{ channelNo: string; landingUrl: string; standing: string }>`
      select x.channel_no, x.landing_url, ${standingOf(tx)} as standing from promotion_channel x where lower(x.promotion_channel) = lower(${input.code})`)
    if (!channel) throw notFound()
    const { channelNo, landingUrl, standing } = channel
    const promoterNo = input.by ? await promoterOf(tx, input.by, channelNo) : null
    const clickId = `CK${randomBytes(12).toString('hex')}`
    await tx.exec(sql`
      insert into channel_click (click_id, channel_no, click_time, led_to, promoter_no) values (${clickId}, ${channelNo}, ${tx.now}, ${standing}, ${promoterNo})`)
    return standing === 'open' ? withClick(landingUrl, clickId) : ordinary(landingUrl)
  })
}

/** How long a click counts and where channels may lead, as set. */
export const launchRules = async (tx: Tx) =>
  (await businessValue(tx, 'ATTRIBUTION_DAYS')) ?? businessConfigs.ATTRIBUTION_DAYS.plain

/**
 * The channel that brought a customer, by its code; null for those who came by themselves. It is decided once, when they register: the
 * first of the clicks that their app knows, no older than the days of `ATTRIBUTION_DAYS`. One who comes to a full or spent channel came by
 * themselves. What was decided is never changed.
 */
export const broughtBy = async (
  tx: Tx,
  { customerNo, clickIds }: { customerNo: string; clickIds: readonly string[] },
): Promise<string | null> => {
  const codeOf = async () => {
    const known = await tx.maybe(sql<{ promotionChannel: string }>`
      select x.promotion_channel from customer_channel r join promotion_channel x using (channel_no) where r.customer_no = ${customerNo}`)
    return known?.promotionChannel ?? null
  }
  if (clickIds.length === 0) return codeOf()
  const { attributionDays } = await launchRules(tx)
  const first = await tx.maybe(sql<{ clickId: string; channelNo: string; clickTime: string }>`
    select k.click_id, k.channel_no, k.click_time from channel_click k, customer c
    where c.customer_no = ${customerNo} and c.register_time = ${tx.now} and k.click_id = any(${[...clickIds]}) and k.led_to = 'open'
      and k.click_time <= c.register_time and k.click_time > c.register_time - ${attributionDays}::int * interval '1 day'
    order by k.click_time, k.click_id limit 1`)
  if (!first) return codeOf()
  const { full } = await tx.one(sql<{ full: boolean }>`
    select x.daily_register_cap > 0 and ${registeredToday(tx)} >= x.daily_register_cap or ${standingOf(tx)} = 'over_budget' as full
    from (select * from promotion_channel where channel_no = ${first.channelNo} for update) x`)
  if (!full) {
    await tx.exec(sql`
      insert into customer_channel (customer_no, channel_no, click_id, click_time, register_time)
      values (${customerNo}, ${first.channelNo}, ${first.clickId}, ${first.clickTime}, ${tx.now}) on conflict do nothing`)
    await noteBrought(tx, { customerNo, clickId: first.clickId, channelNo: first.channelNo })
  }
  return codeOf()
}
