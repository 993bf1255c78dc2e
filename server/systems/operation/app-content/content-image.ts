import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { attachedTo, attachUpload, detachUpload, lockReady } from '../../../files/uploads/stored.ts'
import { invalid } from '../../../http/fault.ts'
import type { Actor } from '../../../rights/actor.ts'

/** A picture is the writer's own upload, or one that another content shows already. */
export const checkImage = async (tx: Tx, image: unknown, before: unknown): Promise<void> => {
  if (image == null || image === before || !(await attachedTo(tx, String(image)))) return
  const shown = await tx.maybe(sql`select 1 from app_content where image = ${image} limit 1`)
  if (!shown) throw invalid('image', 'validation.wrongValue')
}

/** The picture of a content takes the place of the one before, which goes with the last content that shows it. */
export const putImage = async (
  tx: Tx,
  { no, image, before }: { no: string; image: unknown; before: unknown },
  actor: Actor,
): Promise<void> => {
  if (image === before) return
  if (image != null && !(await attachedTo(tx, String(image)))) {
    await lockReady(tx, String(image), { purpose: 'banner', userNo: actor.no })
    await attachUpload(tx, String(image), 'appContent', no, actor)
  }
  if (before == null) return
  const shared = await tx.maybe(
    sql`select 1 from app_content where image = ${before} and content_no <> ${no} and deleted_time is null limit 1`,
  )
  if (!shared && (await attachedTo(tx, String(before)))) await detachUpload(tx, String(before), actor)
}
