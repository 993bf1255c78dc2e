import { z } from 'zod'
import { noun, read } from '../endpoint.ts'
import { field } from '../fields.ts'
import { AnnouncementRow } from '../operation/announcement.ts'

const queue = z.object({
  key: z.string(),
  /** Null where it could not be counted. */
  count: z.int().nullable(),
  amount: field.money().nullable(),
  oldestMinutes: z.int().nullable(),
  route: z.string(),
  filters: z.record(z.string(), z.unknown()),
})

/** What everybody sees first. */
export const home = noun('portal/home', {
  mine: read('/user/home', {
    /** One queue alone, for the person who retries it. */
    input: { queue: field.key().optional() },
    output: z.object({
      /** The business date. */
      today: field.date(),
      queues: z.array(queue),
      announcements: z.array(AnnouncementRow).max(5),
      lastLogin: z.object({ time: field.time().nullable(), ip: z.string().nullable() }),
    }),
  }),
})
