import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Progress, uploadRefusals } from '../../../core/contract/common/upload.ts'
import type { ValueOf } from '../../../core/contract/fields.ts'
import type { StateOf } from '../../../core/rules/machines/machine.ts'
import type { upload } from '../../../core/rules/machines/platform/upload.ts'
import { chunkCount, type PurposeName } from '../../../core/rules/upload.ts'
import type { Tx } from '../../db/database.ts'
import type { DB } from '../../db/types.gen.ts'
import { notFound } from '../../http/fault.ts'

export type Refusal = ValueOf<typeof uploadRefusals>
/** An upload as the database keeps it. */
export type Upload = Omit<Selectable<DB['upload']>, 'uploadStatus' | 'purpose' | 'refusal'> & {
  uploadStatus: StateOf<typeof upload>
  purpose: PurposeName
  refusal: Refusal | null
}

/** Hours for which a file may lie about without belonging to a record. */
export const lifeHours = 24
/** When an upload without a record is deleted, as ISO 8601. */
export const expireAfter = (now: Date): string => new Date(now.getTime() + lifeHours * 3_600_000).toISOString()

const find = async (tx: Tx, where: RawBuilder<unknown>, lock = sql``): Promise<Upload> => {
  const found = await tx.maybe(sql<Upload>`select * from upload where ${where} ${lock}`)
  if (!found) throw notFound()
  return found
}

/** An upload by its number. @throws notFound */
export const findUpload = (tx: Tx, uploadNo: string): Promise<Upload> => find(tx, sql`upload_no = ${uploadNo}`)
/** The same, locked. */
export const lockUpload = (tx: Tx, uploadNo: string): Promise<Upload> =>
  find(tx, sql`upload_no = ${uploadNo}`, sql`for update`)

/** An upload of this person; those of others are as unknown as none. */
export const findOwn = (tx: Tx, uploadNo: string, userNo: string): Promise<Upload> =>
  find(tx, sql`upload_no = ${uploadNo} and user_no = ${userNo}`)
/** The same, locked. */
export const lockOwn = (tx: Tx, uploadNo: string, userNo: string): Promise<Upload> =>
  find(tx, sql`upload_no = ${uploadNo} and user_no = ${userNo}`, sql`for update`)

/** A piece that has arrived: its number from 0, its SHA-256. */
export type Chunk = { chunkNo: number; sha256: string }

/** The pieces that have arrived, in order. */
export const chunksOf = (tx: Tx, uploadNo: string): Promise<Chunk[]> =>
  tx.rows(sql<Chunk>`select chunk_no, sha256 from upload_chunk where upload_no = ${uploadNo} order by chunk_no`)

/** How far an upload is, as the console reads it to resume. */
export const progressOf = async (
  tx: Tx,
  { uploadNo, uploadStatus }: Pick<Upload, 'uploadNo' | 'uploadStatus'>,
): Promise<Progress> => ({
  uploadNo,
  uploadStatus,
  chunks: (await chunksOf(tx, uploadNo)).map(chunk => chunk.chunkNo),
})

/** How many pieces an upload has. */
export const countOf = ({ size, chunkBytes }: Pick<Upload, 'size' | 'chunkBytes'>): number =>
  chunkCount(size, chunkBytes)

/** Bytes of one piece: the last one has what is left. */
export const bytesOfChunk = ({ size, chunkBytes }: Pick<Upload, 'size' | 'chunkBytes'>, chunkNo: number): number =>
  Math.min(chunkBytes, size - chunkNo * chunkBytes)
