import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import type { PersonHooks, Values } from '../../../personnel/person-hooks.ts'
import { type PersonRecord, standing } from '../../../personnel/person-store.ts'
import type { Actor } from '../../../rights/actor.ts'
import { writeAudit } from '../../../rights/audit-rows.ts'

type Frag = RawBuilder<unknown>

/** Channels that person `x` works on now. */
export const heldBy: Frag = sql`(traffic_channel h join promotion_channel c using (channel_no))`
export const holds: Frag = sql`h.user_no = x.user_no and h.until_time is null and c.deleted_time is null`

/** The head of a person's group, who takes over what they had. */
const headOf: Frag = sql`(
  select head.user_no from traffic_person head join app_user hu using (user_no)
  where head.group_head and head.gone_time is null and lower(head.group_no) = lower(x.group_no) and head.user_no <> x.user_no
    and hu.user_status = 'normal' and hu.employee_status = 'on_job')`

/** What somebody hands over as they go. */
export const handsOver = {
  names: sql`array(select c.channel_name from ${heldBy} where ${holds} order by 1)`,
  heirName: sql`(select heir.real_name from app_user heir where heir.user_no = ${headOf})`,
}

/** What user `userNo` hands over on leaving: the names of their channels, and of who takes them. */
export const handedOn = (userNo: Frag) => {
  const of = (what: Frag) => sql`(select ${what} from traffic_person x where x.user_no = ${userNo})`
  return { handsOver: sql`coalesce(${of(handsOver.names)}, '{}')`, heirName: of(handsOver.heirName) }
}

const namesOf = (values: Values): string[] => [...((values.promotionChannelNos ?? []) as string[])].sort()

const take = (tx: Tx, userNo: string, channelNo: string) =>
  tx.exec(sql`
    insert into traffic_channel (user_no, channel_no, from_time) values (${userNo}, ${channelNo}, ${tx.now})
    on conflict (user_no, channel_no) where until_time is null do nothing`)

/** A channel given up within the moment it was taken leaves nothing behind. */
const leave = (tx: Tx, userNo: string, channelNo: Frag) =>
  tx.exec(sql`
    update traffic_channel set until_time = greatest(${tx.now}, from_time) where user_no = ${userNo} and channel_no = ${channelNo} and until_time is null`)

/** Each channel is one of the person's merchants. */
export const checkChannels = async (tx: Tx, values: Values): Promise<void> => {
  const wanted = namesOf(values)
  const merchants = [values.principalMerchantNo, ...((values.associatedMerchantNos ?? []) as string[])]
  const { known } = await tx.one(sql<{ known: number }>`
    select count(*)::int as known from promotion_channel
    where channel_no = any(${wanted}) and deleted_time is null and merchant_no = any(${merchants})`)
  if (known < new Set(wanted).size) throw invalid('promotionChannelNos', 'validation.channelOfPerson')
}

/** A code is free, or has always been this person's. */
export const checkCode = async (tx: Tx, { promoterCode }: Values, { userNo }: PersonRecord): Promise<void> => {
  if (!promoterCode) return
  const held = await tx.maybe(sql<{ userNo: string }>`
    select user_no from traffic_promo_code where lower(promo_code) = lower(${promoterCode})`)
  if (held && held.userNo !== userNo) throw invalid('promoterCode', 'errors.dataExists')
}

/** A group has one head. */
export const checkHead = async (tx: Tx, { groupHead, groupNo }: Values, { userNo }: PersonRecord): Promise<void> => {
  if (groupHead !== true) return
  const other = await tx.maybe(sql<{ realName: string }>`
    select u.real_name from traffic_person x join app_user u using (user_no)
    where x.group_head and x.gone_time is null and lower(x.group_no) = lower(${groupNo}) and x.user_no <> ${userNo}`)
  if (other) throw invalid('groupHead', 'errors.groupHeadTaken', { realName: other.realName })
}

/** Channels and the code of the link stand apart of a person's record: with when, and for ever. */
export const apart: NonNullable<PersonHooks['apart']> = {
  fields: ['promotionChannelNos'],
  read: (tx, userNo) =>
    tx.one(sql<Values>`
      select array(select h.channel_no from ${heldBy} where ${holds} order by 1) as promotion_channel_nos from (select ${userNo}::text as user_no) x`),
  async write({ tx }: Call<Values>, values, before) {
    const [had, now] = [namesOf(before), namesOf(values)]
    for (const channelNo of had.filter(no => !now.includes(no))) await leave(tx, before.userNo, sql`${channelNo}`)
    for (const channelNo of now.filter(no => !had.includes(no))) await take(tx, before.userNo, channelNo)
    const { promoterCode } = values
    if (promoterCode)
      await tx.exec(sql`
        insert into traffic_promo_code (promo_code, user_no, created_time) values (${promoterCode}, ${before.userNo}, ${tx.now})
        on conflict (lower(promo_code)) do nothing`)
  },
}

/** What a change of several people makes of the channels of one: others, some more, some fewer. */
export const channelsOfEach = ({ addChannelNos, dropChannelNos, ...change }: Values, before: PersonRecord): Values => {
  if (!addChannelNos && !dropChannelNos) return change
  const drop = (dropChannelNos ?? []) as string[]
  const all = [...namesOf(change.promotionChannelNos ? change : before), ...((addChannelNos ?? []) as string[])]
  return { ...change, promotionChannelNos: [...new Set(all)].filter(no => !drop.includes(no)) }
}

/**
 * The channels of somebody who is frozen or has left fall to the head of the group, those that they run among them; without a head nobody
 * takes them. What was brought until then stays theirs. Answers the names of the channels.
 */
export const passChannelsOn = async (tx: Tx, userNo: string, actor: Actor): Promise<string[]> => {
  const person = await tx.maybe(sql<{ heirNo: string | null; groupHead: boolean }>`
    select ${headOf} as heir_no, x.group_head from traffic_person x where x.user_no = ${userNo} for update of x`)
  if (!person) return []
  const { heirNo } = person
  const held = await tx.rows(sql<{ channelNo: string; channelName: string }>`
    select c.channel_no, c.channel_name from ${heldBy} join (select ${userNo}::text as user_no) x on true where ${holds} order by c.channel_no`)
  await leave(tx, userNo, sql`channel_no`)
  if (person.groupHead)
    await tx.exec(sql`update traffic_person set group_head = false, version = version + 1 where user_no = ${userNo}`)
  if (!heirNo) return held.map(({ channelName }) => channelName)
  for (const { channelNo } of held) await take(tx, heirNo, channelNo)
  const run = await tx.rows(sql<{ channelNo: string }>`
    update promotion_channel set owner_user_no = ${heirNo}, version = version + 1, updated_by = ${actor.no}, updated_time = ${tx.now}
    where owner_user_no = ${userNo} and deleted_time is null returning channel_no`)
  writeAudit(tx, { action: 'trafficPerson.passOn', path: '', actor }, [
    ...(held.length
      ? [{ objectType: 'trafficPerson', objectNo: heirNo, after: { from: userNo, channels: held.length } }]
      : []),
    ...run.map(({ channelNo }) => ({
      objectType: 'promotion_channel',
      objectNo: channelNo,
      before: { ownerUserNo: userNo },
      after: { ownerUserNo: heirNo },
    })),
  ])
  return held.map(({ channelName }) => channelName)
}

/** Whether person `x` is at work, as columns ask. */
export const atWork: Frag = sql`${standing} = 'at_work'`
