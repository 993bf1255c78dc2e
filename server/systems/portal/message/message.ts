import { sql } from 'kysely'
import { resultName } from '../../../../core/contract/common/imports.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { MessageRow } from '../../../../core/contract/portal/message.ts'
import { waitsFor } from '../../../approval/visible.ts'
import type { Tx } from '../../../db/database.ts'
import { type ExportJob, fileNameOf } from '../../../files/exports/store.ts'
import type { ImportJob } from '../../../files/imports/store.ts'
import type { Params } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { listPage } from '../../../lists/list.ts'
import { wordsOf } from '../../../messages/message.ts'
import type { Module } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { unreadAnnouncements } from '../../operation/announcement/index.ts'
import { leavesWaiting } from '../../schedule/leave/index.ts'

const { message } = contract

type Stored = Omit<MessageRow, 'title' | 'content' | 'file'> & { title: { template: string; params: Params } }

/** The files of messages that can still be fetched, by the number of the export or import. */
const filesOf = async (tx: Tx, session: Session, rows: readonly Stored[]) => {
  const numbers = rows.filter(row => row.messageType === 'file').map(row => row.objectNo)
  if (numbers.length === 0) return new Map<string, NonNullable<MessageRow['file']>>()
  const mine = sql`user_no = ${session.userNo} and expire_time > ${tx.now}`
  const written = await tx.rows(sql<ExportJob & { expireTime: string }>`
    select * from export_job where export_no = any(${numbers}) and export_status = 'ready' and ${mine}`)
  const brought = await tx.rows(sql<ImportJob & { expireTime: string }>`
    select * from import_job where import_no = any(${numbers}) and file_size is not null and ${mine}`)
  return new Map([
    ...written.map(
      job => [job.exportNo, { fileName: fileNameOf(job, session.language), expireTime: job.expireTime }] as const,
    ),
    ...brought.map(job => [job.importNo, { fileName: resultName(job), expireTime: job.expireTime }] as const),
  ])
}

const page = serve(message.page, async ({ tx, session, input }) => {
  const found = await listPage<Stored, typeof input>(tx, message.page, input, {
    from: sql`staff_message s`,
    alias: 's',
    key: sql`s.staff_message_no`,
    where: sql`s.user_no = ${session.userNo}`,
    columns: {
      title: sql`jsonb_build_object('template', s.template, 'params', s.params)`,
      content: sql`null`,
      file: sql`null`,
    },
    filters: { unread: unread => (unread ? sql`s.read_time is null` : sql`s.read_time is not null`) },
  })
  const files = await filesOf(tx, session, found.list)
  const list = found.list.map(row => ({
    ...row,
    ...wordsOf(session.language, row.title),
    file: files.get(row.objectNo) ?? null,
  }))
  return { ...found, list }
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

/** Messages to staff, and whether they were read. */
export const messageModule = (): Module => ({ served: [page, count, markRead] })
