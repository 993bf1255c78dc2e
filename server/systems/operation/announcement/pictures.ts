import { type RawBuilder, sql } from 'kysely'
import { announcementManage } from '../../../../core/contract/operation/announcement-manage.ts'
import type { Tx } from '../../../db/database.ts'
import { findUpload } from '../../../files/uploads/store.ts'
import { attachUpload, detachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { invalid } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Session } from '../../../session/session.ts'
import { announcementScope, isFor } from './audience.ts'

const objectType = 'announcement'

/** A picture of an announcement that the writer manages may be shown again, as in a copy; any other must be the writer's own upload. */
const take = async (tx: Tx, announcementNo: string, uploadNo: string, actor: Actor, within: RawBuilder<unknown>) => {
  const shown = await tx.maybe(sql`
    select 1 from announcement_image i join announcement a using (announcement_no) where i.upload_no = ${uploadNo} and ${within} limit 1`)
  if (!shown) {
    const own = await tx.maybe(sql`select 1 from upload where upload_no = ${uploadNo} and user_no = ${actor.no}`)
    if (!own) throw invalid('contents', 'validation.pictureGone')
    await lockReady(tx, uploadNo, { purpose: 'image', userNo: actor.no })
    await attachUpload(tx, uploadNo, objectType, announcementNo, actor)
  }
  await tx.exec(
    sql`insert into announcement_image (announcement_no, upload_no) values (${announcementNo}, ${uploadNo})`,
  )
}

/** Lets go of a picture; the last announcement that shows it takes its file along. */
const leave = async (tx: Tx, announcementNo: string, uploadNo: string, actor: Actor) => {
  await tx.exec(
    sql`delete from announcement_image where announcement_no = ${announcementNo} and upload_no = ${uploadNo}`,
  )
  if (await tx.maybe(sql`select 1 from announcement_image where upload_no = ${uploadNo} limit 1`)) return
  if ((await findUpload(tx, uploadNo)).uploadStatus === 'attached') await detachUpload(tx, uploadNo, actor)
}

/** Makes the pictures of an announcement those that its texts show. */
export const keepPictures = async (
  tx: Tx,
  announcementNo: string,
  wanted: readonly string[],
  actor: Actor,
  within: RawBuilder<unknown> = sql`true`,
) => {
  const rows = await tx.rows(
    sql<{ uploadNo: string }>`select upload_no from announcement_image where announcement_no = ${announcementNo}`,
  )
  const held = rows.map(row => row.uploadNo)
  for (const uploadNo of wanted.filter(no => !held.includes(no)))
    await take(tx, announcementNo, uploadNo, actor, within)
  for (const uploadNo of held.filter(no => !wanted.includes(no))) await leave(tx, announcementNo, uploadNo, actor)
}

/** Whether a picture stands in an announcement that the caller may read, or manages. */
export const seesPicture = async (tx: Tx, session: Session, uploadNo: string): Promise<boolean> => {
  const manages = session.perms.has(announcementManage.page.perm as string) ? announcementScope(session) : sql`false`
  const found = await tx.maybe(sql`
    select 1 from announcement_image i join announcement a using (announcement_no)
    where i.upload_no = ${uploadNo} and (${isFor(tx, session)} or ${manages}) limit 1`)
  return found !== undefined
}
