import { upload } from '../../../core/contract/common/upload.ts'
import { chunkBytes } from '../../../core/rules/upload.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, notFound, stateConflict } from '../../http/fault.ts'
import { type Served, serveDownload } from '../../http/serve.ts'
import type { Module } from '../../module.ts'
import type { Session } from '../../session/session.ts'
import { attachServed, isHidden } from './attach.ts'
import { completeServed } from './complete.ts'
import type { UploadDeps } from './deps.ts'
import { type UploadFiles, uploadFiles } from './files.ts'
import { collection } from './gc.ts'
import { chunkServed, tokenServed } from './receive.ts'
import { findUpload, type Upload } from './store.ts'
import { attachedTo } from './stored.ts'
import { type OrderBehind, orderBehind, type Targets, type TargetType } from './targets.ts'
import { uploadTokens } from './token.ts'

/** A file that the caller sent, or that belongs to a record they may see. */
type Seen = { row: Upload; orderNo?: string }
const seen = async (behind: OrderBehind, tx: Tx, session: Session, uploadNo: string): Promise<Seen> => {
  const row = await findUpload(tx, uploadNo)
  const attached = await attachedTo(tx, uploadNo)
  if (row.userNo === session.userNo) {
    if (row.uploadStatus !== 'ready' && row.uploadStatus !== 'attached')
      throw stateConflict(row.uploadStatus, 'UPLOAD_STATUS')
    return { row }
  }
  if (!attached) throw notFound()
  const orderNo = await behind(tx, session, attached.objectType as TargetType, attached.objectNo, uploadNo)
  if (isHidden(session, attached.attachType)) throw new Fault('forbidden', 'errors.forbidden')
  return { row, orderNo }
}

const file = (files: UploadFiles, behind: OrderBehind): Served =>
  serveDownload(upload.file, 'upload.download', async ({ tx, session, input, actor, audit }) => {
    const { row, orderNo } = await seen(behind, tx, session, input.uploadNo)
    const { uploadNo, fileId, fileName, fileType, fileSize } = row
    audit({ objectType: 'upload', objectNo: uploadNo, orderNo, after: { fileName } })
    tx.append('accessLog', {
      userNo: session.userNo,
      accessKind: 'download',
      objectType: 'upload',
      objectNo: uploadNo,
      field: 'file',
      at: tx.now,
      ip: actor.ip,
      requestId: actor.requestId,
    })
    return { path: files.pathOf(fileId), name: fileName, type: fileType as string, size: fileSize as number }
  })

/** Takes files from people in pieces, looks at them, and keeps them with the records they belong to. */
export const uploadModule = ({ dir, secret, chunkBytes: each = chunkBytes }: UploadDeps, targets: Targets): Module => {
  const behind = orderBehind(targets)
  const files = uploadFiles(dir)
  const tokens = uploadTokens(secret)
  return {
    served: [
      tokenServed(tokens, each),
      chunkServed(files, tokens),
      completeServed(files),
      file(files, behind),
      ...attachServed(behind),
    ],
    scheduled: [collection(files)],
  }
}
