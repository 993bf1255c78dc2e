import { findUpload } from '../uploads/store.ts'
import { attachUpload, detachUpload, readyUpload, storedOf } from '../uploads/stored.ts'
import type { Uploads } from './request.ts'

/** Files that people uploaded to be imported. */
export const storedUploads = (dir: string): Uploads => ({
  async take(tx, { session, actor }, uploadNo, importNo) {
    const stored = await readyUpload(tx, uploadNo, { purpose: 'import', userNo: session.userNo, dir })
    await attachUpload(tx, uploadNo, 'import', importNo, actor)
    return stored
  },
  pathOf: async (tx, uploadNo) => storedOf(await findUpload(tx, uploadNo), dir).path,
  async release(tx, uploadNo, actor) {
    await detachUpload(tx, uploadNo, actor)
  },
})
