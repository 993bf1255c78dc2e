import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import { invalid } from '../../../http/fault.ts'
import { isEmptyText, picturesIn, sanitise } from '../../../messages/rich-text.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { type Audience, allStaff, reached } from './audience.ts'
import { keepPictures } from './pictures.ts'

type Frag = RawBuilder<unknown>
type InLanguages = { [L in Language]?: string | undefined }
export type Announcement = Selectable<DB['announcement']>

export type NewAnnouncement = {
  titles: InLanguages
  /** Rich text; sanitised here. */
  contents: InLanguages
  needRead?: boolean | undefined
  pinned?: boolean | undefined
  startTime: Date | string
  endTime?: Date | string | undefined
} & Partial<Audience>

/** Says to the open consoles of its readers that there is something new. */
const announce = (tx: Tx, announcementNo: string) =>
  tx.exec(sql`
    insert into user_event (user_no, event)
    select u.user_no, 'message.new' from announcement a join app_user u on ${reached} where a.announcement_no = ${announcementNo}`)

/** The columns of what was written: rich text as it may be shown, empty languages as none. */
const columnsOf = (given: NewAnnouncement) => {
  const filled = (texts: InLanguages, language: Language) => texts[language]?.trim() || null
  const content = (language: Language) => {
    const html = sanitise(given.contents[language] ?? '')
    return isEmptyText(html) ? null : html
  }
  const values = {
    titleZh: filled(given.titles, 'zh'),
    titleEn: filled(given.titles, 'en'),
    titleSw: filled(given.titles, 'sw'),
    contentZh: content('zh'),
    contentEn: content('en'),
    contentSw: content('sw'),
    ...allStaff,
    ...Object.fromEntries(Object.entries(given).filter(([name, value]) => name.startsWith('audience') && value)),
    needRead: given.needRead ?? false,
    pinned: given.pinned ?? false,
    startTime: given.startTime,
    endTime: given.endTime ?? null,
  }
  if (!(values.titleZh ?? values.titleEn ?? values.titleSw)) throw invalid('titles', 'validation.contentEmpty')
  if (!(values.contentZh ?? values.contentEn ?? values.contentSw)) throw invalid('contents', 'validation.contentEmpty')
  return values
}

const picturesOf = ({ contentZh, contentEn, contentSw }: ReturnType<typeof columnsOf>) =>
  picturesIn([contentZh, contentEn, contentSw].join(''))

/** Writes an announcement as a draft; `within` says whose pictures it may show besides the writer's own. */
export const draftAnnouncement = async (
  tx: Tx,
  given: NewAnnouncement,
  actor: Actor,
  within?: Frag,
): Promise<string> => {
  const announcementNo = newNo('AN', tx.now)
  const columns = columnsOf(given)
  const values = {
    announcementNo,
    ...columns,
    createdBy: actor.no,
    createdName: actor.name,
    createdTime: tx.now,
    updatedTime: tx.now,
  }
  await create(tx, 'announcement', values, { event: 'ann.save' }, actor)
  await keepPictures(tx, announcementNo, picturesOf(columns), actor, within)
  return announcementNo
}

/** Changes a draft. */
export const redraft = async (tx: Tx, row: Announcement, given: NewAnnouncement, actor: Actor, within?: Frag) => {
  const columns = columnsOf(given)
  const set = { ...columns, updatedTime: tx.now }
  const saved = await transition(tx, 'announcement', row, { event: 'ann.save', set }, actor)
  await keepPictures(tx, row.announcementNo, picturesOf(columns), actor, within)
  return saved
}

const isLater = (tx: Tx, { startTime }: Announcement) => Date.parse(startTime) > tx.now.getTime()
export const isOver = (now: Date, { endTime }: Pick<Announcement, 'endTime'>) =>
  endTime !== null && Date.parse(endTime) <= now.getTime()

/** Puts a draft in front of its readers: at once, or when its time comes. */
export const publishAnnouncement = async (tx: Tx, row: Announcement, actor: Actor): Promise<Announcement> => {
  const later = isLater(tx, row)
  const set = { updatedTime: tx.now, ...(later ? {} : { publishTime: tx.now }) }
  const moved = await transition(
    tx,
    'announcement',
    row,
    { event: later ? 'ann.publish' : 'ann.publishNow', set },
    actor,
  )
  if (!later) await announce(tx, row.announcementNo)
  return moved
}

/** Shows again what was abolished: at once, or when its time comes. */
export const restartAnnouncement = async (tx: Tx, row: Announcement, actor: Actor): Promise<Announcement> => {
  const later = isLater(tx, row)
  const set = { updatedTime: tx.now, ...(later ? {} : { publishTime: tx.now }) }
  const move = { event: 'ann.restart', as: later ? 'later' : 'now', set }
  const moved = await transition(tx, 'announcement', row, move, actor)
  if (!later) await announce(tx, row.announcementNo)
  return moved
}

export const lockAnnouncement = (tx: Tx, announcementNo: string, rule: Frag = sql`true`) =>
  tx.maybe(
    sql<Announcement>`select a.* from announcement a where a.announcement_no = ${announcementNo} and ${rule} for update`,
  )

/** What the clock does: announcements begin, and end. */
export const tickAnnouncements = async (tx: Tx, clock: Actor): Promise<Record<string, number>> => {
  const due = await tx.rows(sql<Announcement>`
    select * from announcement where (announcement_status = 'scheduled' and start_time <= ${tx.now})
      or (announcement_status in ('scheduled', 'published', 'abolished') and end_time <= ${tx.now})
    order by announcement_no limit 200 for update skip locked`)
  const counts = { started: 0, ended: 0 }
  for (const row of due) {
    const over = isOver(tx.now, row)
    const set = { updatedTime: tx.now, ...(over ? {} : { publishTime: tx.now }) }
    await transition(tx, 'announcement', row, { event: over ? 'clock.end' : 'clock.start', set }, clock)
    if (!over) await announce(tx, row.announcementNo)
    counts[over ? 'ended' : 'started']++
  }
  return counts
}
