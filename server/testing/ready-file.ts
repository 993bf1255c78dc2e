import type { Database } from '../db/database.ts'
import { newFileId } from '../files/uploads/files.ts'
import { expireAfter, findUpload } from '../files/uploads/store.ts'
import { newNo } from '../money/numbers.ts'
import { system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'

/** A document that a person has sent and that belongs to nothing yet; its bytes are nowhere. */
export const readyFile = (db: Database, userNo: string): Promise<string> =>
  db.withTx(async tx => {
    const uploadNo = newNo('UP', tx.now)
    const actor = system('fixture')
    const sha256 = '0'.repeat(64)
    const values = {
      uploadNo,
      userNo,
      purpose: 'attachment',
      fileName: 'statement.pdf',
      extension: 'pdf',
      size: 2_048,
      sha256,
      chunkBytes: 10_485_760,
      fileId: newFileId(),
      createdTime: tx.now,
      expireTime: expireAfter(tx.now),
    }
    await create(tx, 'upload', values, { event: 'upload.token' }, actor)
    let row = await findUpload(tx, uploadNo)
    for (const event of ['upload.chunk', 'upload.complete']) row = await transition(tx, 'upload', row, { event }, actor)
    const set = { fileType: 'application/pdf', fileSize: 2_048, fileSha256: sha256 }
    await transition(tx, 'upload', row, { event: 'scan.ok', set }, actor)
    return uploadNo
  })
