import { sql } from 'kysely'
import { type Attachment, attach } from '../../../core/contract/common/attachment.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, notFound } from '../../http/fault.ts'
import { serve } from '../../http/serve.ts'
import type { Session } from '../../session/session.ts'
import { findUpload, lockOwn } from './store.ts'
import { type Attached, attachedTo, attachUpload, detachUpload } from './stored.ts'
import type { OrderBehind, TargetType } from './targets.ts'

/** Pictures of a face or of a document that has one. */
const faces: readonly string[] = ['selfie', 'id_front', 'id_back', 'liveness']

/** Whether an attachment shows a face that the reader may not see. */
export const isHidden = (session: Session, attachType: string): boolean =>
  faces.includes(attachType) && !session.sensitive.has('pii:reveal:face')

/** Files of others go with a right of its own. */
const ofOthers = 'common:attach:delete'

type Kept = Pick<Attached, 'uploadedBy' | 'restsOn'>

const keptFor = (session: Session, { uploadedBy, restsOn }: Kept): Attachment['kept'] => {
  if (restsOn) return 'evidence'
  return uploadedBy === session.userNo || session.perms.has(ofOthers) ? null : 'others'
}

const attachmentsOf = async (
  tx: Tx,
  session: Session,
  objectType: TargetType,
  objectNo: string,
): Promise<Attachment[]> => {
  const rows = await tx.rows(sql<Omit<Attachment, 'hidden' | 'kept'> & Kept>`
    select a.attach_no, a.upload_no, a.attach_type, a.uploaded_by, a.rests_on, u.file_name, u.file_size, u.file_type, a.uploaded_by_name, a.uploaded_time
    from attachment a join upload u using (upload_no)
    where a.object_type = ${objectType} and a.object_no = ${objectNo} and a.removed_time is null
    order by a.uploaded_time desc, a.attach_no`)
  return rows.map(({ uploadedBy, restsOn, ...row }) => ({
    ...row,
    hidden: isHidden(session, row.attachType),
    kept: keptFor(session, { uploadedBy, restsOn }),
  }))
}

const list = (orderBehind: OrderBehind) =>
  serve(attach.list, async ({ tx, session, input: { objectType, objectNo } }) => {
    await orderBehind(tx, session, objectType, objectNo)
    return { list: await attachmentsOf(tx, session, objectType, objectNo) }
  })

const purposesOf: readonly string[] = ['image', 'attachment']

const save = (orderBehind: OrderBehind) =>
  serve(attach.save, async ({ tx, session, input, actor, audit }) => {
    const { objectType, objectNo, attachType, uploadNo } = input
    const orderNo = await orderBehind(tx, session, objectType, objectNo)
    const { purpose, fileName, fileSha256 } = await lockOwn(tx, uploadNo, session.userNo)
    if (!purposesOf.includes(purpose)) throw new Fault('validation', 'validation.filePurpose')
    const attachNo = await attachUpload(tx, uploadNo, objectType, objectNo, actor, attachType)
    audit({ objectType, objectNo, orderNo, after: { attachNo, attachType, fileName, sha256: fileSha256 } })
    const all = await attachmentsOf(tx, session, objectType, objectNo)
    return all.find(row => row.attachNo === attachNo) as Attachment
  })

const remove = (orderBehind: OrderBehind) =>
  serve(attach.remove, async ({ tx, session, input, actor, audit }) => {
    const attached = await attachedTo(tx, input.uploadNo)
    if (!attached) throw notFound()
    const { attachNo, attachType, objectNo } = attached
    const objectType = attached.objectType as TargetType
    const orderNo = await orderBehind(tx, session, objectType, objectNo)
    if (keptFor(session, attached) === 'others') throw new Fault('forbidden', 'errors.forbidden')
    const { fileName, fileSha256 } = await findUpload(tx, input.uploadNo)
    await detachUpload(tx, input.uploadNo, actor)
    const { uploadedBy, uploadedByName } = attached
    const before = { attachNo, attachType, fileName, sha256: fileSha256, uploadedBy, uploadedByName }
    audit({ objectType, objectNo, orderNo, before })
    return { attachNo }
  })

/** Handlers of attachments: list, save, remove. */
export const attachServed = (orderBehind: OrderBehind) => [list(orderBehind), save(orderBehind), remove(orderBehind)]
