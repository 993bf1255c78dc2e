import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { upload } from '../../../core/contract/common/upload.ts'
import { formatProblem, maxPixels, type Purpose, purposes } from '../../../core/rules/upload.ts'
import { Fault, invalid } from '../../http/fault.ts'
import { type Served, serveWork } from '../../http/serve.ts'
import { system } from '../../rights/actor.ts'
import { requireEvent, transition } from '../../states/transition.ts'
import { androidPackage, androidType } from './content/android-package.ts'
import { BadFile } from './content/bad.ts'
import type { Inspected } from './content/inspected.ts'
import type { Stored, UploadFiles } from './files.ts'
import { inspectApart } from './inspector.ts'
import { faultOfStoring } from './receive.ts'
import { chunksOf, countOf, expireAfter, findOwn, lockOwn, type Refusal, type Upload } from './store.ts'

type Whole = { upload: Upload; hashes: string[] }
type Looked = { upload: Upload } & (
  | { is: 'good'; file: Omit<Inspected, 'bytes'>; stored: Stored }
  | { is: 'bad'; why: Refusal; detail: string }
)

/** Files are looked at one at a time: each may unpack to a lot. */
const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}

const formatFault = (purpose: Purpose): Fault => {
  const { key, params } = formatProblem(purpose)
  return invalid('uploadNo', key, params)
}

const wordsOf = (why: Refusal, { purpose }: Upload): Fault => {
  switch (why) {
    case 'hash':
      return invalid('uploadNo', 'validation.fileHash')
    case 'format':
      return formatFault(purposes[purpose])
    case 'not_image':
      return invalid('uploadNo', 'validation.fileNotImage')
    case 'image_size':
      return invalid('uploadNo', 'validation.fileImageSize')
    case 'pixels':
      return invalid('uploadNo', 'validation.filePixels', { max: maxPixels / 1_000_000 })
    case 'damaged':
      return invalid('uploadNo', 'validation.fileDamaged')
    case 'active':
      return invalid('uploadNo', 'validation.fileActive')
    case 'unpacked':
      return invalid('uploadNo', 'validation.fileUnpacked')
  }
}

/** A package is too large to be held in memory: it is put together on disk, and its list of contents read there. */
const lookAtPackage = async (files: UploadFiles, { upload: row, hashes }: Whole): Promise<Looked> => {
  try {
    const stored = await files.join(row.fileId, hashes)
    if (stored.size !== row.size || stored.sha256 !== row.sha256)
      return { upload: row, is: 'bad', why: 'hash', detail: stored.sha256 }
    await androidPackage(files.pathOf(row.fileId))
    return { upload: row, is: 'good', file: { fileType: androidType, width: null, height: null }, stored }
  } catch (error) {
    if (error instanceof BadFile) return { upload: row, is: 'bad', why: error.refusal, detail: error.message }
    throw faultOfStoring(error)
  }
}

/** Looks at a whole file, and stores what may be kept of it. */
const look = async (files: UploadFiles, whole: Whole): Promise<Looked> => {
  const { upload: row, hashes } = whole
  if (row.extension === 'apk') return lookAtPackage(files, whole)
  const bytes = await files.read(row.fileId, hashes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (bytes.length !== row.size || sha256 !== row.sha256) return { upload: row, is: 'bad', why: 'hash', detail: sha256 }
  try {
    const { bytes: kept, ...file } = await inspectApart(row.extension, bytes)
    return { upload: row, is: 'good', file, stored: await files.keepWhole(row.fileId, [kept]) }
  } catch (error) {
    if (error instanceof BadFile) return { upload: row, is: 'bad', why: error.refusal, detail: error.message }
    throw faultOfStoring(error)
  }
}

/** Ends an upload: the file is whole, is what it says, and may be opened, or nothing of it stays. */
export const completeServed = (files: UploadFiles): Served => {
  const next = inTurn()
  return serveWork(upload.complete, {
    before: async ({ tx, session, input }): Promise<Whole> => {
      const row = await findOwn(tx, input.uploadNo, session.userNo)
      requireEvent('upload', row.uploadStatus, 'upload.complete')
      const hashes = (await chunksOf(tx, row.uploadNo)).map(chunk => chunk.sha256)
      if (hashes.length !== countOf(row))
        throw new Fault('validation', 'validation.fileChunksMissing', { n: countOf(row) - hashes.length })
      return { upload: row, hashes }
    },
    work: whole => next(() => look(files, whole)),
    after: async ({ tx, session, actor, audit }, looked) => {
      const { uploadNo, fileId, fileName, purpose, size, sha256 } = looked.upload
      const row = await lockOwn(tx, uploadNo, session.userNo)
      const verifying = await transition(tx, 'upload', row, { event: 'upload.complete' }, actor)
      await tx.exec(sql`delete from upload_chunk where upload_no = ${uploadNo}`)
      tx.afterCommit(() => void files.remove(fileId, looked.is === 'bad').catch(() => undefined))
      const scan = system(actor.requestId)
      const facts = { fileName, purpose, size, sha256 }
      if (looked.is === 'bad') {
        const move = {
          event: 'scan.bad',
          set: { refusal: looked.why },
          payload: { why: looked.why, detail: looked.detail },
        }
        await transition(tx, 'upload', verifying, move, scan)
        audit({ objectType: 'upload', objectNo: uploadNo, after: { ...facts, refusal: looked.why } })
        return wordsOf(looked.why, row)
      }
      const { width, height, fileType } = looked.file
      const { size: fileSize, sha256: fileSha256 } = looked.stored
      const set = { fileType, fileSize, fileSha256, width, height, expireTime: expireAfter(tx.now) }
      const { uploadStatus } = await transition(tx, 'upload', verifying, { event: 'scan.ok', set }, scan)
      audit({ objectType: 'upload', objectNo: uploadNo, after: facts })
      return { uploadNo, uploadStatus, fileName, fileSize, sha256: fileSha256, width, height }
    },
  })
}
