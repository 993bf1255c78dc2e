import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { standing } from '../../../personnel/person-store.ts'

const working = sql`${standing} = 'at_work'`

/** The person whose link was followed: the code is theirs, they are at work, and they work on that channel; null for anybody else's. */
export const promoterOf = async (tx: Tx, code: string, channelNo: string): Promise<string | null> => {
  const found = await tx.maybe(sql<{ userNo: string }>`
    select x.user_no from traffic_promo_code k join traffic_person x using (user_no) join app_user u using (user_no)
    where lower(k.promo_code) = lower(${code}) and ${working}
      and exists (select 1 from traffic_channel h where h.user_no = x.user_no and h.channel_no = ${channelNo} and h.until_time is null)`)
  return found?.userNo ?? null
}

/** Who brought somebody that click `clickId` led here: whose link it was, else who runs the channel. It never changes. */
export const noteBrought = (
  tx: Tx,
  { customerNo, clickId, channelNo }: { customerNo: string; clickId: string; channelNo: string },
): Promise<number> => {
  const owner: RawBuilder<unknown> = sql`(
    select c.owner_user_no from promotion_channel c join traffic_person x on x.user_no = c.owner_user_no join app_user u on u.user_no = x.user_no
    where c.channel_no = ${channelNo} and ${working})`
  return tx.exec(sql`
    insert into customer_promoter (customer_no, promoter_no, channel_no, register_time)
    select ${customerNo}, p.promoter_no, ${channelNo}, ${tx.now}
    from (select coalesce((select promoter_no from channel_click where click_id = ${clickId}), ${owner}) as promoter_no) p
    where p.promoter_no is not null on conflict do nothing`)
}
