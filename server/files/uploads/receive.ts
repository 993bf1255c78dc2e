import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { sql } from 'kysely'
import { chunkHeaders, upload } from '../../../core/contract/common/upload.ts'
import type { ParsedOf } from '../../../core/contract/endpoint.ts'
import { extensionOf, fileProblem, type Purpose, purposes } from '../../../core/rules/upload.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, invalid } from '../../http/fault.ts'
import { type Call, type Served, serve, serveWork } from '../../http/serve.ts'
import { newNo } from '../../money/numbers.ts'
import { create, requireEvent, transition } from '../../states/transition.ts'
import { DiskFull, newFileId, type UploadFiles, WrongBytes } from './files.ts'
import { bytesOfChunk, chunksOf, countOf, expireAfter, findOwn, lockOwn, progressOf, type Upload } from './store.ts'
import type { UploadTokens } from './token.ts'

type Announced = ParsedOf<typeof upload.token>

/** The name as text: without the folders before it, and without signs that are not seen or turn what follows. */
export const plainName = (fileName: string): string =>
  fileName.replace(/^.*[/\\]/, '').replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')

const atName: readonly string[] = [
  'validation.fileNameTooLong',
  'validation.fileFormat',
  'validation.fileOnlyFormat',
  'validation.fileNotImage',
]

const announced = (input: Announced): { fileName: string; purpose: Purpose } => {
  const fileName = plainName(input.fileName)
  const purpose = purposes[input.purpose]
  const problem = fileProblem(purpose, { fileName, size: input.size })
  if (problem) throw invalid(atName.includes(problem.key) ? 'fileName' : 'size', problem.key, problem.params)
  return { fileName, purpose }
}

/** One person's announcements, one after the other. */
const inTurn = (tx: Tx, userNo: string) =>
  tx.one(sql`select user_no from app_user where user_no = ${userNo} for update`)

/** Refuses when too much of a person's belongs to nothing yet. */
const checkQuota = async (tx: Tx, userNo: string, { purpose, size }: Announced, { quota }: Purpose): Promise<void> => {
  const { held } = await tx.one(sql<{ held: number }>`
    select coalesce(sum(size), 0)::bigint as held from upload
    where user_no = ${userNo} and purpose = ${purpose} and upload_status in ('token_issued', 'receiving', 'ready')`)
  if (held + size > quota) throw new Fault('quota', 'errors.uploadQuota', { max: Math.floor(quota / 1_048_576) })
}

/** The same file of the same person that was begun and not finished. */
const begun = (tx: Tx, userNo: string, { purpose, size, sha256 }: Announced, fileName: string) =>
  tx.maybe(sql<Upload>`
    select * from upload where user_no = ${userNo} and purpose = ${purpose} and size = ${size} and sha256 = ${sha256} and file_name = ${fileName}
      and upload_status in ('token_issued', 'receiving') and expire_time > ${tx.now}
    order by created_time desc limit 1`)

/** Takes an announcement, or goes on with what was begun, and says which pieces are there. */
export const tokenServed = (tokens: UploadTokens, chunkBytes: number): Served =>
  serve(upload.token, async ({ tx, session, input, actor }) => {
    const { userNo } = session
    const { fileName, purpose } = announced(input)
    const issued = async (row: Upload) => ({
      ...(await progressOf(tx, row)),
      ...tokens.make({ ...row, userNo }, tx.now),
      chunkBytes: row.chunkBytes,
      chunkCount: countOf(row),
    })
    await inTurn(tx, userNo)
    const earlier = await begun(tx, userNo, input, fileName)
    if (earlier) return issued(earlier)
    await checkQuota(tx, userNo, input, purpose)
    const uploadNo = newNo('UP', tx.now)
    const values = {
      uploadNo,
      userNo,
      purpose: input.purpose,
      fileName,
      extension: extensionOf(fileName),
      size: input.size,
      sha256: input.sha256,
      chunkBytes,
      fileId: newFileId(),
      createdTime: tx.now,
      expireTime: expireAfter(tx.now),
    }
    await create(tx, 'upload', values, { event: 'upload.token' }, actor)
    return issued(await findOwn(tx, uploadNo, userNo))
  })

type Incoming = { upload: Upload; chunkNo: number; sha256: string; isThere: boolean }

/** The upload that a piece belongs to, while it takes pieces from the holder of its token. */
const receiving = async (
  { tx, session, input, request }: Call<ParsedOf<typeof upload.chunk>>,
  tokens: UploadTokens,
): Promise<Incoming> => {
  const row = await findOwn(tx, input.uploadNo, session.userNo)
  const token = request.headers.get(chunkHeaders.token) ?? ''
  if (!tokens.holds(token, row, tx.now)) throw new Fault('forbidden', 'errors.uploadToken')
  requireEvent('upload', row.uploadStatus, 'upload.chunk')
  if (input.chunkNo >= countOf(row)) throw invalid('chunkNo', 'validation.wrongValue')
  const sha256 = request.headers.get(chunkHeaders.sha256)?.toLowerCase() ?? ''
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Fault('validation', 'validation.fileChunk')
  return {
    upload: row,
    chunkNo: input.chunkNo,
    sha256,
    isThere: await isThere(tx, row.uploadNo, input.chunkNo, sha256),
  }
}

/** Whether the piece is stored already. @throws when another one is stored in its place */
const isThere = async (tx: Tx, uploadNo: string, chunkNo: number, sha256: string): Promise<boolean> => {
  const stored = (await chunksOf(tx, uploadNo)).find(chunk => chunk.chunkNo === chunkNo)
  if (stored && stored.sha256 !== sha256) throw new Fault('versionConflict', 'errors.uploadChunkDiffers')
  return stored !== undefined
}

/** Said of bytes that could not be stored. */
export const faultOfStoring = (error: unknown): unknown => {
  if (error instanceof WrongBytes) return new Fault('validation', 'validation.fileChunk')
  if (error instanceof DiskFull) return new Fault('quota', 'errors.diskFull')
  return error
}

/** Stores a piece; it is noted when it lies on disk, and what is there already is not stored again. */
export const chunkServed = (files: UploadFiles, tokens: UploadTokens): Served =>
  serveWork(upload.chunk, {
    before: call => receiving(call, tokens),
    work: async (incoming, { stream }) => {
      const { upload: row, chunkNo, sha256 } = incoming
      if (incoming.isThere) return incoming
      const pieces = stream ? Readable.fromWeb(stream as ReadableStream<Uint8Array>) : []
      await files
        .keepChunk(row.fileId, chunkNo, { size: bytesOfChunk(row, chunkNo), sha256 }, pieces)
        .catch(error => Promise.reject(faultOfStoring(error)))
      return incoming
    },
    after: async ({ tx, session, actor }, { upload: { uploadNo }, chunkNo, sha256 }) => {
      const row = await lockOwn(tx, uploadNo, session.userNo)
      if (await isThere(tx, uploadNo, chunkNo, sha256)) return progressOf(tx, row)
      const moved = await transition(tx, 'upload', row, { event: 'upload.chunk', payload: { chunkNo } }, actor)
      await tx.exec(
        sql`insert into upload_chunk (upload_no, chunk_no, sha256) values (${uploadNo}, ${chunkNo}, ${sha256})`,
      )
      return progressOf(tx, moved)
    },
  })
