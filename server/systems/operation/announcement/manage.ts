import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import { checkVersion, notFound } from '../../../http/fault.ts'
import { type Call, serve } from '../../../http/serve.ts'
import { homeRoute, tell } from '../../../messages/message.ts'
import { changes } from '../../../states/changes.ts'
import { transition } from '../../../states/transition.ts'
import { announcementBlocks } from './announcement-blocks.ts'
import { checkWords } from './announcement-words.ts'
import { allStaff, announcementScope, checkAudience, inLanguage, reached } from './audience.ts'
import { keepPictures } from './pictures.ts'
import {
  type Announcement,
  draftAnnouncement,
  lockAnnouncement,
  type NewAnnouncement,
  publishAnnouncement,
  redraft,
  restartAnnouncement,
} from './store.ts'

const { announcement } = contract
type Asked = { announcementNo: string; version?: number | undefined }
type Command = { path: string } & Parameters<typeof announcementBlocks.check>[1]

/** An announcement within the data rule, locked, seen as it is, and in a state for what is asked. */
const held = async (call: Call<Asked>, command: Command): Promise<Announcement> => {
  const { tx, session, input } = call
  const row = await lockAnnouncement(tx, input.announcementNo, announcementScope(session, command.perm))
  if (!row) throw notFound()
  if (input.version !== undefined) checkVersion(row, input.version)
  await announcementBlocks.check(call, command, row.announcementNo)
  return row
}

const noted = (call: Call<Asked>, before: Announcement, after: Announcement) =>
  call.audit({
    objectType: 'announcement',
    objectNo: before.announcementNo,
    ...changes({ announcementStatus: before.announcementStatus }, { announcementStatus: after.announcementStatus }),
  })

type Saved = ParsedOf<typeof announcement.save>

/** What a form says; kinds of readers that do not go with its type are left out. */
const given = (input: Saved): NewAnnouncement => {
  const {
    announcementNo: _,
    version: __,
    audienceApps,
    audienceRoles,
    audienceDepts,
    audienceMerchants,
    ...rest
  } = input
  return rest.audienceType === 'app'
    ? { ...rest, needRead: false, audienceApps: audienceApps ?? [] }
    : {
        ...rest,
        audienceRoles: audienceRoles ?? [],
        audienceDepts: audienceDepts ?? [],
        audienceMerchants: audienceMerchants ?? [],
      }
}

/** What the log keeps of a text: all but the words, which the announcement has. */
const logged = ({ contents: _, ...rest }: NewAnnouncement) => rest

const save = serve(announcement.save, async call => {
  const { tx, session, input, actor } = call
  const written = given(input)
  const within = announcementScope(session, announcement.save.perm)
  const { announcementNo } = input
  const row = announcementNo ? await held({ ...call, input: { ...input, announcementNo } }, announcement.save) : null
  await checkAudience(tx, session, { ...allStaff, ...written })
  const no = row ? row.announcementNo : await draftAnnouncement(tx, written, actor, within)
  const saved = row && (await redraft(tx, row, written, actor, within))
  call.audit({ objectType: 'announcement', objectNo: no, after: logged(written) })
  return { announcementNo: no, version: saved?.version ?? 0 }
})

const publish = serve(announcement.publish, async call => {
  const row = await held(call, announcement.publish)
  const refusal = await checkWords(call, row, call.input.confirmWord)
  if (refusal) return refusal
  const moved = await publishAnnouncement(call.tx, row, call.actor)
  noted(call, row, moved)
  return { announcementStatus: moved.announcementStatus as 'published' }
})

const restart = serve(announcement.restart, async call => {
  const row = await held(call, announcement.restart)
  const refusal = await checkWords(call, row, call.input.confirmWord)
  if (refusal) return refusal
  const moved = await restartAnnouncement(call.tx, row, call.actor)
  noted(call, row, moved)
  return { announcementStatus: moved.announcementStatus as 'published' }
})

const abolish = serve(announcement.abolish, async call => {
  const row = await held(call, announcement.abolish)
  const set = { updatedTime: call.tx.now }
  const moved = await transition(call.tx, 'announcement', row, { event: 'ann.abolish', set }, call.actor)
  noted(call, row, moved)
  return { version: moved.version }
})

const remove = serve(announcement.remove, async call => {
  const { tx, actor } = call
  const row = await held(call, announcement.remove)
  const set = { updatedTime: tx.now, deletedTime: tx.now }
  const moved = await transition(tx, 'announcement', row, { event: 'ann.delete', set }, actor)
  await keepPictures(tx, row.announcementNo, [], actor)
  noted(call, row, moved)
  return { version: moved.version }
})

const remind = serve(announcement.remind, async call => {
  const { tx, input } = call
  const row = await held(call, announcement.remind)
  const waiting = await tx.rows(sql<{ userNo: string; title: string }>`
    select u.user_no, ${inLanguage('en', 'title')} as title from announcement a join app_user u on ${reached}
    where a.announcement_no = ${input.announcementNo}
      and not exists (select 1 from announcement_read r where r.announcement_no = a.announcement_no and r.user_no = u.user_no)`)
  await tx.exec(sql`
    update announcement set remind_time = ${tx.now}, version = version + 1 where announcement_no = ${row.announcementNo}`)
  for (const { userNo, title } of waiting)
    tell(tx, {
      to: userNo,
      messageType: 'notice',
      template: 'announcementRemind',
      params: { title },
      objectType: 'announcement',
      objectNo: row.announcementNo,
      route: homeRoute({ messages: 'announcements' }),
    })
  call.audit({ objectType: 'announcement', objectNo: row.announcementNo, after: { reminded: waiting.length } })
  return { reminded: waiting.length }
})

export const commandServed = [save, publish, abolish, restart, remove, remind]
