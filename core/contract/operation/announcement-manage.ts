import { z } from 'zod'
import { announcement } from '../../rules/machines/operation/announcement.ts'
import { blockedBy } from '../blocked.ts'
import { command, done, endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Who an announcement is for: members of staff, or users of an app. */
export const audienceTypes = dictionary('AUDIENCE_TYPE', ['staff', 'app'])

const perm = 'ops:announcement:page'
const save = 'ops:announcement:save'
const publish = 'ops:announcement:publish'

/** Longest title, in letters. */
export const maxTitle = 64

/** The same in each language; one at least is filled, the others fall back to it. */
const inLanguages = <T extends z.ZodType<string>>(text: () => T) =>
  z
    .strictObject({ zh: text().optional(), en: text().optional(), sw: text().optional() })
    .refine(texts => Object.values(texts).some(one => one?.trim()), 'validation.contentEmpty')

/** Who it is for: staff of all the given kinds at once, none meaning any; or the users of some apps. */
const audience = {
  audienceType: field.dict(audienceTypes),
  audienceRoles: z.array(field.role()).max(100).optional(),
  audienceDepts: z.array(field.dept()).max(100).optional(),
  audienceMerchants: z.array(field.merchant()).max(1_000).optional(),
  audienceApps: z.array(field.app()).max(100).optional(),
}

const Row = z.object({
  announcementNo: field.key(),
  /** In the language of the reader, else in the first of sw, en, zh that there is. */
  title: z.string(),
  audienceType: field.dict(audienceTypes),
  /** Names of roles, departments and merchants, or of apps; none for all staff. */
  audience: z.array(z.string()),
  announcementStatus: field.state(announcement),
  pinned: field.flag(),
  needRead: field.flag(),
  startTime: field.time(),
  endTime: field.time().nullable(),
  /** Staff who have read it; null where users of apps read it. */
  readCount: field.int().nullable(),
  /** Staff whom it reaches as they are now, and those who have read it before. */
  targetCount: field.int().nullable(),
  createdName: field.user(),
  updatedTime: field.time(),
  version: z.int(),
  blockedBy: blockedBy(),
})
export type AnnouncementRecord = z.output<typeof Row>

const Texts = z.object({ zh: z.string().nullable(), en: z.string().nullable(), sw: z.string().nullable() })

const Detail = z.object({
  announcementNo: field.key(),
  titles: Texts,
  /** Rich text of few tags, sanitised by the server. */
  contents: Texts,
  audienceType: field.dict(audienceTypes),
  audienceRoles: z.array(field.role()),
  audienceDepts: z.array(field.dept()),
  audienceMerchants: z.array(field.merchant()),
  audienceApps: z.array(field.app()),
  needRead: z.boolean(),
  pinned: z.boolean(),
  startTime: field.time(),
  endTime: field.time().nullable(),
  createdName: field.user(),
  /** When those who had not confirmed it were last reminded. */
  remindTime: field.time().nullable(),
  history: z.array(z.object({ historyNo: z.int(), event: z.string(), actorName: field.user(), at: field.time() })),
  version: z.int(),
})
export type AnnouncementDetail = z.output<typeof Detail>

const Reader = z.object({
  receiptNo: field.key(60),
  announcementNo: field.key(),
  title: z.string(),
  userNo: field.user(),
  realName: field.user(),
  deptName: z.string(),
  readTime: field.time().nullable(),
})

const key = { announcementNo: field.key() }
const versioned = { ...key, version: z.int() }
/** The writer was warned of a sensitive word and goes on. */
const shown = { ...versioned, confirmWord: z.boolean().optional() }

/** What operations and team leads do with announcements. */
export const announcementManage = noun('operation/announcement-manage', {
  page: list('/operation/announcement/page', {
    perm,
    row: Row,
    filters: {
      title: field.text(64).optional(),
      audienceType: field.dict(audienceTypes).optional(),
      announcementStatus: z.array(field.state(announcement)).optional(),
      startTime: field.dateRange().optional(),
    },
    sort: ['startTime', 'endTime', 'updatedTime'],
    defaultSort: '-updatedTime',
  }),
  detail: read('/operation/announcement/detail', { perm, input: key, output: Detail }),
  /** Everybody whom it reaches, and everybody who has read it. */
  readers: list('/operation/announcement/read/page', {
    perm,
    row: Reader,
    filters: { announcementNo: field.key().optional(), read: field.flag().optional() },
    sort: ['readTime', 'deptName', 'realName'],
    defaultSort: 'deptName',
    exported: { as: 'announcementReaders', perm },
  }),
  /** How many members of staff an audience reaches now. */
  reach: endpoint({
    method: 'POST',
    path: '/operation/announcement/reach',
    perm: save,
    input: z.strictObject(audience),
    output: z.object({ count: field.int() }),
  }),
  /** Writes a draft, or changes one. */
  save: command({
    path: '/operation/announcement/save',
    perm: save,
    audit: 'announcement.save',
    on: { machine: announcement, event: 'ann.save', key: 'announcementNo' },
    input: z
      .strictObject({
        announcementNo: field.key().optional(),
        version: z.int().optional(),
        titles: inLanguages(() => field.text(maxTitle)),
        contents: inLanguages(() => field.richText()),
        ...audience,
        needRead: field.flag().optional(),
        pinned: field.flag().optional(),
        startTime: field.time(),
        endTime: field.time().optional(),
      })
      .refine(({ startTime, endTime }) => !endTime || Date.parse(startTime) <= Date.parse(endTime), {
        message: 'validation.endBeforeStart',
        path: ['endTime'],
      })
      .refine(({ audienceType, audienceApps }) => audienceType !== 'app' || Boolean(audienceApps?.length), {
        message: 'validation.infoComplete',
        path: ['audienceApps'],
      }),
    output: z.object({ ...key, version: z.int() }),
  }),
  /** At once, or when its start comes. */
  publish: command({
    path: '/operation/announcement/publish',
    perm: publish,
    audit: 'announcement.publish',
    on: { machine: announcement, event: 'ann.publish', key: 'announcementNo' },
    input: z.strictObject(shown),
    output: z.object({ announcementStatus: field.state(announcement) }),
  }),
  abolish: command({
    path: '/operation/announcement/abolish',
    perm: publish,
    audit: 'announcement.abolish',
    on: { machine: announcement, event: 'ann.abolish', key: 'announcementNo' },
    input: z.strictObject(versioned),
    output: done,
  }),
  restart: command({
    path: '/operation/announcement/restart',
    perm: publish,
    audit: 'announcement.restart',
    on: { machine: announcement, event: 'ann.restart', key: 'announcementNo' },
    input: z.strictObject(shown),
    output: z.object({ announcementStatus: field.state(announcement) }),
  }),
  remove: command({
    path: '/operation/announcement/delete',
    perm: save,
    audit: 'announcement.delete',
    on: { machine: announcement, event: 'ann.delete', key: 'announcementNo' },
    input: z.strictObject(versioned),
    output: done,
  }),
  /** A note to those who have yet to confirm that they have read it; once a day. */
  remind: command({
    path: '/operation/announcement/remind',
    perm: publish,
    audit: 'announcement.remind',
    input: z.strictObject(key),
    output: z.object({ reminded: field.int() }),
  }),
})
