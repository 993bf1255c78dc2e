import { z } from 'zod'
import { endpoint, list, noun, read } from '../endpoint.ts'
import { dictionary, field } from '../fields.ts'

/** Kinds of messages to staff; the message center filters by them. */
export const messageTypes = dictionary('MESSAGE_TYPE', ['notice', 'allocation', 'result', 'file', 'warning', 'leave'])

const MessageRow = z.object({
  staffMessageNo: field.key(),
  messageType: field.dict(messageTypes),
  title: z.string(),
  content: z.string(),
  objectType: z.string(),
  objectNo: field.key(),
  /** Address of the record, with its query; null where there is nothing to open. */
  route: z.string().nullable(),
  /** The file that it is about, while it can be fetched. */
  file: z.object({ fileName: field.text(250), expireTime: field.time() }).nullable(),
  createdTime: field.time(),
  readTime: field.time().nullable(),
})
export type MessageRow = z.output<typeof MessageRow>

/** A message to a member of staff; each person sees only their own. */
export const message = noun('portal/message', {
  page: list('/user/message/page', {
    row: MessageRow,
    filters: { messageType: field.dict(messageTypes).optional(), unread: field.flag().optional() },
    sort: ['createdTime'],
    defaultSort: '-createdTime',
  }),
  /** What the bell says: unread messages and announcements, and what waits for the caller's decision. */
  count: read('/user/message/count', {
    input: {},
    output: z.object({ unread: z.int(), announcements: z.int(), approvals: z.int() }),
  }),
  /** Marks messages as read; all of them where none are named. Those of others are passed over. */
  markRead: endpoint({
    method: 'POST',
    path: '/user/message/read',
    input: z.strictObject({ staffMessageNos: z.array(field.key()).min(1).max(100).optional() }),
    output: z.object({ read: z.int() }),
  }),
})
