import { sql } from 'kysely'
import type { attachTypes } from '../../../core/contract/common/attachment.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import type { PurposeName } from '../../../core/rules/upload.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, notFound } from '../../http/fault.ts'
import { newNo } from '../../money/numbers.ts'
import type { Actor } from '../../rights/actor.ts'
import { requireEvent, transition } from '../../states/transition.ts'
import { uploadFiles } from './files.ts'
import { expireAfter, lockOwn, lockUpload, type Upload } from './store.ts'

/** A file that passed its checks and lies on disk. */
export type StoredFile = { uploadNo: string; fileName: string; size: number; sha256: string; path: string }

/** An attached file, as long as it is. */
export type Attached = {
  attachNo: string
  uploadNo: string
  objectType: string
  objectNo: string
  attachType: ValueOf<typeof attachTypes>
  uploadedBy: string
  uploadedByName: string
  uploadedTime: string
  /** The decision that rests on it. */
  restsOn: string | null
}

/**
 * A file that a person sent for a purpose and that belongs to nothing yet, locked. `dir` is where uploads lie.
 * @throws {Fault} 40401 not theirs · 40001 sent for something else · 40901 not ready
 */
export const readyUpload = async (
  tx: Tx,
  uploadNo: string,
  o: { purpose: PurposeName; userNo: string; dir: string },
): Promise<StoredFile> => {
  const row = await lockReady(tx, uploadNo, o)
  return storedOf(row, o.dir)
}

/** The row of such a file, for commands that need not read it. */
export const lockReady = async (
  tx: Tx,
  uploadNo: string,
  o: { purpose: PurposeName; userNo: string },
): Promise<Upload> => {
  const row = await lockOwn(tx, uploadNo, o.userNo)
  if (row.purpose !== o.purpose) throw new Fault('validation', 'validation.filePurpose')
  requireEvent('upload', row.uploadStatus, 'attach')
  return row
}

/** Where a file lies, and what it is. */
export const storedOf = ({ uploadNo, fileName, fileSize, fileSha256, fileId }: Upload, dir: string): StoredFile => ({
  uploadNo,
  fileName,
  size: fileSize as number,
  sha256: fileSha256 as string,
  path: uploadFiles(dir).pathOf(fileId),
})

/**
 * Attaches a file that the actor sent to a record: it is kept as long as the record has it.
 * @returns the number of the attachment
 * @throws {Fault} 40401 when the upload is not the actor's, 40901 when it is attached already
 */
export const attachUpload = async (
  tx: Tx,
  uploadNo: string,
  objectType: string,
  objectNo: string,
  actor: Actor,
  attachType: Attached['attachType'] = 'other',
): Promise<string> => {
  const row = await lockOwn(tx, uploadNo, actor.no)
  await transition(tx, 'upload', row, { event: 'attach', payload: { objectType, objectNo } }, actor)
  const attachNo = newNo('AC', tx.now)
  await tx.exec(sql`
    insert into attachment (attach_no, upload_no, object_type, object_no, attach_type, uploaded_by, uploaded_by_name, uploaded_time)
    values (${attachNo}, ${uploadNo}, ${objectType}, ${objectNo}, ${attachType}, ${actor.no}, ${actor.name}, ${tx.now})`)
  return attachNo
}

/** From now on a decision rests on the files that a record has: they stay as they are. */
export const keepAsEvidence = (
  tx: Tx,
  { objectType, objectNo, decision }: { objectType: string; objectNo: string; decision: string },
): Promise<number> =>
  tx.exec(sql`
    update attachment set rests_on = ${decision}
    where object_type = ${objectType} and object_no = ${objectNo} and removed_time is null and rests_on is null`)

/** What shows that a claim is true becomes part of its record for good; answers what the log keeps of it. */
export const attachEvidence = async (
  tx: Tx,
  uploadNo: string,
  of: { objectType: string; objectNo: string; decision: string },
  actor: Actor,
): Promise<{ evidence: string; sha256: string }> => {
  const { fileName, fileSha256 } = await lockReady(tx, uploadNo, { purpose: 'attachment', userNo: actor.no })
  const attachNo = await attachUpload(tx, uploadNo, of.objectType, of.objectNo, actor)
  await tx.exec(sql`update attachment set rests_on = ${of.decision} where attach_no = ${attachNo}`)
  return { evidence: fileName, sha256: fileSha256 as string }
}

/** The record that an upload belongs to; undefined while it belongs to none. */
export const attachedTo = (tx: Tx, uploadNo: string): Promise<Attached | undefined> =>
  tx.maybe(sql<Attached>`select * from attachment where upload_no = ${uploadNo} and removed_time is null`)

/**
 * Takes a file away from its record. Its bytes stay for a day, the note of it for good.
 * @throws {Fault} 40901 where a decision rests on it
 */
export const detachUpload = async (tx: Tx, uploadNo: string, actor: Actor): Promise<Attached> => {
  const row = await lockUpload(tx, uploadNo)
  const attached = await attachedTo(tx, uploadNo)
  if (!attached) throw notFound()
  if (attached.restsOn) throw new Fault('stateConflict', 'errors.fileIsEvidence')
  const set = { expireTime: expireAfter(tx.now) }
  const payload = { objectType: attached.objectType, objectNo: attached.objectNo }
  await transition(tx, 'upload', row, { event: 'detach', set, payload }, actor)
  await tx.exec(sql`
    update attachment set removed_by = ${actor.no}, removed_time = ${tx.now} where attach_no = ${attached.attachNo}`)
  return attached
}
