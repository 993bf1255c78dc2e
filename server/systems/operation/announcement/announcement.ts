import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { AnnouncementRow } from '../../../../core/contract/operation/announcement.ts'
import type { Tx } from '../../../db/database.ts'
import { serve } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { inLanguage, isFor } from './audience.ts'
import { commandServed } from './manage.ts'
import { announcementReaders, announcements, manageServed } from './manage-list.ts'
import { tickAnnouncements } from './store.ts'

const { announcement } = contract
type Frag = RawBuilder<unknown>
type Reader = { tx: Tx; session: Session }

const from = ({ session }: Reader): Frag =>
  sql`announcement a left join announcement_read r on r.announcement_no = a.announcement_no and r.user_no = ${session.userNo}`

/** Announcements in force for their reader: unread first, then pinned ones, then the newest. */
export const announcementsFor = (
  at: Reader,
  o: { where?: Frag; limit: number; offset?: number },
): Promise<AnnouncementRow[]> =>
  at.tx.rows(sql<AnnouncementRow>`
    select a.announcement_no, ${inLanguage(at.session.language, 'title')} as title, ${inLanguage(at.session.language, 'content')} as content,
      a.need_read, a.pinned, a.start_time, a.created_name, r.read_time
    from ${from(at)} where ${isFor(at.tx, at.session)} and ${o.where ?? sql`true`}
    order by r.read_time is not null, a.pinned desc, a.start_time desc, a.announcement_no limit ${o.limit} offset ${o.offset ?? 0}`)

/** How many of them nobody of this name has read. */
export const unreadAnnouncements = ({ tx, session }: Reader): Frag =>
  sql`(select count(*)::int from ${from({ tx, session })} where ${isFor(tx, session)} and r.read_time is null)`

const mine = serve(announcement.mine, async call => {
  const { tx, session, input } = call
  const { unread, needRead, pageNum, pageSize } = input
  const where = sql`${unread === undefined ? sql`true` : sql`(r.read_time is null) = ${unread}`} and ${needRead === undefined ? sql`true` : sql`a.need_read = ${needRead}`}`
  const { total } = await tx.one(
    sql<{ total: number }>`select count(*)::int as total from ${from(call)} where ${isFor(tx, session)} and ${where}`,
  )
  const list = await announcementsFor(call, { where, limit: pageSize, offset: (pageNum - 1) * pageSize })
  return { list, total, pageNum, pageSize }
})

const read = serve(announcement.read, async ({ tx, session, input }) => ({
  read: await tx.exec(sql`
    insert into announcement_read (announcement_no, user_no, read_time)
    select a.announcement_no, ${session.userNo}, ${tx.now} from announcement a
    where a.announcement_no = any(${input.announcementNos}) and ${isFor(tx, session)}
    on conflict do nothing`),
}))

/** Announcements: read by staff, managed by operations, begun and ended by the clock. */
export const announcementModule = (): Module => ({
  served: [mine, read, serveListed(announcements), serveListed(announcementReaders), ...manageServed, ...commandServed],
  lists: [announcements, announcementReaders],
  scheduled: [
    {
      job: 'announcement.clock',
      every: { seconds: 60 },
      run: tx => tickAnnouncements(tx, system(`announcement.clock ${tx.now.toISOString()}`)),
    },
  ],
})
