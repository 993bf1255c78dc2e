import { sql } from 'kysely'
import { contract } from '../../core/contract/contract.ts'
import type { MessageRow } from '../../core/contract/message.ts'
import { waitsFor } from '../approval.ts'
import type { Params } from '../fault.ts'
import { listPage } from '../list.ts'
import { wordsOf } from '../message.ts'
import type { Module } from '../module.ts'
import { serve } from '../serve.ts'
import { unreadAnnouncements } from './announcement.ts'
import { leavesWaiting } from './leave-store.ts'

const { message } = contract

type Stored = Omit<MessageRow, 'title' | 'content'> & { title: { template: string; params: Params } }

const page = serve(message.page, async ({ tx, session, input }) => {
  const found = await listPage<Stored, typeof input>(tx, message.page, input, {
    from: sql`staff_message s`,
    alias: 's',
    key: sql`s.staff_message_no`,
    where: sql`s.user_no = ${session.userNo}`,
    columns: {
      title: sql`jsonb_build_object('template', s.template, 'params', s.params)`,
      content: sql`null`,
    },
    filters: { unread: unread => (unread ? sql`s.read_time is null` : sql`s.read_time is not null`) },
  })
  return { ...found, list: found.list.map(row => ({ ...row, ...wordsOf(session.language, row.title) })) }
})

const count = serve(message.count, ({ tx, session }) =>
  tx.one(sql<{ unread: number; announcements: number; approvals: number }>`
    select (select count(*)::int from staff_message where user_no = ${session.userNo} and read_time is null) as unread,
      ${unreadAnnouncements({ tx, session })} as announcements,
      (select count(*)::int from approval a where ${waitsFor(tx, session)}) + ${leavesWaiting(session)} as approvals`),
)

const markRead = serve(message.markRead, async ({ tx, session, input: { staffMessageNos } }) => ({
  read: await tx.exec(sql`
    update staff_message set read_time = ${tx.now}
    where user_no = ${session.userNo} and read_time is null
      and ${staffMessageNos ? sql`staff_message_no = any(${staffMessageNos})` : sql`true`}`),
}))

/** What staff are told, and that they have read it. */
export const messageModule = (): Module => ({ served: [page, count, markRead] })
