import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Module } from '../../../module.ts'
import { liveSessions } from '../../../session/session.ts'

/** No session lives longer; an enter that is older was paired, or never will be. */
const reachHours = 24
/** Events of one page may be stored a moment out of their order. */
const slackSeconds = 2
const atOnce = 2_000

/** Writes the stays whose exit has come: the first of the same page, order and session that no other stay has taken. */
const pair = (tx: Tx, since: Date): Promise<number> =>
  tx.exec(sql`
    with open as (
      select e.event_no, e.session_no, e.received_time, e.payload ->> 'eventId' as event_id, e.payload ->> 'orderNo' as order_no
      from tracking_event e
      where e.payload ->> 'type' = 'enter' and e.received_time > ${since} and e.session_no is not null
        and not exists (select 1 from page_stay p where p.enter_no = e.event_no)
      order by e.event_no limit ${atOnce}),
    numbered as (
      select open.*, lead(open.received_time) over same as next_time from open window same as (partition by session_no, event_id, order_no order by received_time, event_no)),
    closed as (
      select n.*, x.event_no as exit_no, x.received_time as exit_time from numbered n cross join lateral (
        select e.event_no, e.received_time from tracking_event e
        where e.payload ->> 'type' = 'exit' and e.session_no = n.session_no and e.payload ->> 'eventId' = n.event_id and e.payload ->> 'orderNo' = n.order_no
          and e.received_time >= n.received_time - make_interval(secs => ${slackSeconds}) and (n.next_time is null or e.received_time <= n.next_time)
          and not exists (select 1 from page_stay p where p.exit_no = e.event_no)
        order by e.received_time, e.event_no limit 1) x)
    insert into page_stay (enter_no, exit_no, event_id, order_no, session_no, user_no, enter_time, exit_time, seconds)
    select c.event_no, c.exit_no, c.event_id, c.order_no, c.session_no, s.user_no, c.received_time, greatest(c.exit_time, c.received_time),
      greatest(0, floor(extract(epoch from (c.exit_time - c.received_time))))::int
    from closed c join session s using (session_no)
    on conflict do nothing`)

type Left = { eventNo: number; sessionNo: string }

/** Closes what stays open of sessions that are over, at their last sign of life. */
const estimate = async (tx: Tx, since: Date): Promise<number> => {
  const left = await tx.rows(sql<Left>`
    select e.event_no, e.session_no from tracking_event e
    where e.payload ->> 'type' = 'enter' and e.received_time > ${since} and e.session_no is not null
      and not exists (select 1 from page_stay p where p.enter_no = e.event_no)
    order by e.event_no limit ${atOnce}`)
  const live = await liveSessions(tx, [...new Set(left.map(row => row.sessionNo))])
  const over = left.filter(row => !live.has(row.sessionNo)).map(row => row.eventNo)
  if (!over.length) return 0
  return tx.exec(sql`
    insert into page_stay (enter_no, event_id, order_no, session_no, user_no, enter_time, exit_time, seconds, estimated)
    select e.event_no, e.payload ->> 'eventId', e.payload ->> 'orderNo', s.session_no, s.user_no, e.received_time, l.life,
      floor(extract(epoch from (l.life - e.received_time)))::int, true
    from tracking_event e join session s using (session_no)
    cross join lateral (select greatest(e.received_time, least(s.last_seen_time, coalesce(s.ended_time, s.last_seen_time))) as life) l
    where e.event_no = any(${over})
    on conflict do nothing`)
}

/** Makes stays of enter and exit events. */
export const pairStays = async (tx: Tx): Promise<Record<string, number>> => {
  const since = new Date(tx.now.getTime() - reachHours * 3_600_000)
  return { paired: await pair(tx, since), estimated: await estimate(tx, since) }
}

/** How long pages of orders were open, from what the consoles tell. */
export const pageStayModule = (): Module => ({
  served: [],
  scheduled: [{ job: 'page.stay', every: { seconds: 300 }, run: pairStays }],
})
