import { z } from 'zod'
import { endpoint, noun, page, pageSizes } from '../endpoint.ts'
import { field } from '../fields.ts'

/** An announcement in the language of its reader, with when they read it. */
export const AnnouncementRow = z.object({
  announcementNo: field.key(),
  /** In the language of the reader, else in the first of sw, en, zh that there is. */
  title: z.string(),
  /** Rich text of few tags, sanitised by the server. */
  content: z.string(),
  needRead: z.boolean(),
  pinned: z.boolean(),
  startTime: field.time(),
  createdName: field.user(),
  readTime: field.time().nullable(),
})
export type AnnouncementRow = z.output<typeof AnnouncementRow>

/** An announcement to staff, as its readers see it. */
export const announcement = noun('operation/announcement', {
  /** Those in force for the caller: unread first, then pinned ones, then the newest. */
  mine: endpoint({
    method: 'POST',
    path: '/operation/announcement/mine',
    input: z.strictObject({
      unread: field.flag().optional(),
      needRead: field.flag().optional(),
      pageNum: z.int().min(1).max(10_000).default(1),
      pageSize: z.union(pageSizes.map(n => z.literal(n))).default(10),
    }),
    output: page(AnnouncementRow),
  }),
  /** Notes that the caller has read some; those that are not for them are passed over. */
  read: endpoint({
    method: 'POST',
    path: '/operation/announcement/read',
    input: z.strictObject({ announcementNos: z.array(field.key()).min(1).max(50) }),
    output: z.object({ read: z.int() }),
  }),
})
