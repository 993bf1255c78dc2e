import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { uploadFiles } from '../files/uploads/files.ts'
import { liveFileIds } from '../files/uploads/gc.ts'
import { type Broken, invariant } from './check.ts'

/** What the database says of files. */
export const fileInvariants = [
  invariant(
    'V14a',
    'a file is attached to one record as long as that record has it',
    sql`
    select u.upload_no, u.upload_status, count(a.attach_no) as records from upload u
    left join attachment a on a.upload_no = u.upload_no and a.removed_time is null
    group by u.upload_no, u.upload_status having (u.upload_status = 'attached') <> (count(a.attach_no) = 1) or count(a.attach_no) > 1`,
  ),
]

const dayMs = 86_400_000

type Kept = { uploadNo: string; fileId: string; fileSize: number; fileSha256: string }

/** The files that the database answers for. */
export const filesToCheck = async (tx: Tx) => {
  const kept = await tx.rows(
    sql<Kept>`select upload_no, file_id, file_size, file_sha256 from upload where upload_status in ('ready', 'attached') order by upload_no`,
  )
  return { kept, live: await liveFileIds(tx) }
}

/** V14: whatever may be opened has its bytes with the stored hash, and no bytes are left over for more than a day. Reads every file. */
export const checkFiles = async (
  { kept, live }: Awaited<ReturnType<typeof filesToCheck>>,
  dir: string,
): Promise<Broken[]> => {
  const files = uploadFiles(dir)
  const lost: Record<string, unknown>[] = []
  for (const { uploadNo, fileId, fileSize, fileSha256 } of kept) {
    const there = await files.measure(fileId)
    if (there?.size !== fileSize || there.sha256 !== fileSha256)
      lost.push({ uploadNo, wanted: fileSha256, found: there?.sha256 ?? null })
  }
  const left = await files.orphans(live, Date.now() - dayMs)
  return [
    { name: 'V14b', rule: 'a file that may be opened has the bytes that were stored', rows: lost },
    { name: 'V14c', rule: 'no bytes are left over for more than a day', rows: left.map(name => ({ name })) },
  ].filter(({ rows }) => rows.length > 0)
}
