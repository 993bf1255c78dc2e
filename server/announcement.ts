import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../core/i18n/language.ts'
import type { Actor } from './actor.ts'
import type { Tx } from './db/database.ts'
import { invalid } from './fault.ts'
import { newNo } from './numbers.ts'
import { isEmptyText, sanitise } from './rich-text.ts'
import type { Session } from './session.ts'
import { create, transition } from './transition.ts'

type Frag = RawBuilder<unknown>
type InLanguages = Partial<Record<Language, string>>

export type NewAnnouncement = {
  title: InLanguages
  /** Rich text; sanitised here. */
  content: InLanguages
  needRead?: boolean
  pinned?: boolean
  startTime: Date
  endTime?: Date
  /** Departments that are told; none means all staff. */
  depts?: readonly string[]
}

/** Announcements `a` that this member of staff may read now. */
export const isFor = (tx: Tx, session: Pick<Session, 'deptNo'>): Frag => sql`(
  a.announcement_status = 'published' and a.audience_type = 'staff' and a.start_time <= ${tx.now} and (a.end_time is null or a.end_time > ${tx.now})
  and (cardinality(a.audience_depts) = 0 or ${session.deptNo} = any(a.audience_depts)))`

/** A text in the language of the reader, else in the first of sw, en, zh that there is. */
export const inLanguage = (language: Language, name: 'title' | 'content'): Frag =>
  sql`coalesce(${sql.join([language, 'sw', 'en', 'zh'].map(one => sql.ref(`a.${name}_${one}`)))})`

/** Tells the open consoles of its readers that there is something new. */
const tellReaders = (tx: Tx, announcementNo: string) =>
  tx.exec(sql`
    insert into user_event (user_no, event)
    select u.user_no, 'message.new' from announcement a join app_user u on cardinality(a.audience_depts) = 0 or u.dept_no = any(a.audience_depts)
    where a.announcement_no = ${announcementNo} and a.audience_type = 'staff' and u.user_status = 'normal' and u.employee_status = 'on_job'`)

/** Writes an announcement as a draft; its rich text is kept as it may be shown. */
export const draftAnnouncement = async (tx: Tx, given: NewAnnouncement, actor: Actor): Promise<string> => {
  const { title, needRead = false, pinned = false, startTime, endTime, depts = [] } = given
  const content = Object.fromEntries(
    Object.entries(given.content).map(([language, html]) => [language, sanitise(html)]),
  ) as InLanguages
  if (!Object.values(content).some(html => !isEmptyText(html))) throw invalid('content', 'validation.contentEmpty')
  if (!Object.values(title).some(text => text.trim())) throw invalid('title', 'validation.contentEmpty')
  const announcementNo = newNo('AN', tx.now)
  const values = {
    announcementNo,
    titleZh: title.zh ?? null,
    titleEn: title.en ?? null,
    titleSw: title.sw ?? null,
    contentZh: content.zh ?? null,
    contentEn: content.en ?? null,
    contentSw: content.sw ?? null,
    audienceDepts: [...depts],
    needRead,
    pinned,
    startTime,
    endTime: endTime ?? null,
    createdBy: actor.no,
    createdName: actor.name,
    createdTime: tx.now,
    updatedTime: tx.now,
  }
  await create(tx, 'announcement', values, { event: 'ann.save' }, actor)
  return announcementNo
}

type Row = {
  announcementNo: string
  announcementStatus: string
  startTime: string
  endTime: string | null
  version: number
}

/** Publishes a draft: at once, or when its time comes. */
export const publishAnnouncement = async (tx: Tx, announcementNo: string, actor: Actor): Promise<void> => {
  const row = await tx.one(sql<Row>`select * from announcement where announcement_no = ${announcementNo} for update`)
  const later = Date.parse(row.startTime) > tx.now.getTime()
  await transition(tx, 'announcement', row, { event: later ? 'ann.publish' : 'ann.publishNow' }, actor)
  if (!later) await tellReaders(tx, announcementNo)
}

/** What the clock does: announcements begin, and end. */
export const tickAnnouncements = async (tx: Tx, clock: Actor): Promise<Record<string, number>> => {
  const due = await tx.rows(sql<Row>`
    select * from announcement where (announcement_status = 'scheduled' and start_time <= ${tx.now})
      or (announcement_status in ('scheduled', 'published', 'abolished') and end_time <= ${tx.now})
    order by announcement_no limit 200 for update skip locked`)
  const counts = { started: 0, ended: 0 }
  for (const row of due) {
    const isOver = row.endTime !== null && Date.parse(row.endTime) <= tx.now.getTime()
    await transition(tx, 'announcement', row, { event: isOver ? 'clock.end' : 'clock.start' }, clock)
    if (!isOver) await tellReaders(tx, row.announcementNo)
    counts[isOver ? 'ended' : 'started']++
  }
  return counts
}
