import { sql } from 'kysely'
import { eatDateTime } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import { Fault, invalid } from '../../http/fault.ts'
import { type Call, type Served, serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { newNo } from '../../money/numbers.ts'
import type { Actor } from '../../rights/actor.ts'
import { create } from '../../states/transition.ts'
import { newFileId } from '../exports/request.ts'
import type { StoredFile } from '../uploads/stored.ts'
import { type Importable, type ImportList, maxRunning } from './store.ts'

/** Reads a file into rows. */
export const readQueue = 'import.read'
/** Checks the rows. */
export const checkQueue = 'import.check'
/** Takes the rows in. */
export const runQueue = 'import.run'
/** Writes the file of results. */
export const resultQueue = 'import.result'

/** Where uploaded files come from. */
export type Uploads = {
  /** The file of an upload of this person that is ready; it belongs to the import from now on. */
  take: (tx: Tx, call: Pick<Call, 'session' | 'actor'>, uploadNo: string, importNo: string) => Promise<StoredFile>
  /** Where the bytes of a file lie that was taken. */
  pathOf: (tx: Tx, uploadNo: string) => Promise<string>
  /** Nothing came of the file: it need not be kept as evidence. */
  release: (tx: Tx, uploadNo: string, actor: Actor) => Promise<void>
}

const formatOf = (fileName: string) => {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase()
  if (extension !== 'csv' && extension !== 'xlsx') throw invalid('uploadNo', 'validation.importFormat')
  return extension
}

const checkRunning = async (tx: Tx, userNo: string): Promise<void> => {
  await tx.one(sql`select user_no from app_user where user_no = ${userNo} for update`)
  const { running } = await tx.one(sql<{ running: number }>`
    select count(*)::int as running from import_job where user_no = ${userNo} and import_status in ('uploaded', 'validating', 'preview', 'running')`)
  if (running >= maxRunning) throw new Fault('quota', 'errors.importsRunning', { max: maxRunning })
}

/** The same bytes within a day are most likely a mistake, even from two people; concurrent uploads of them wait for one another. */
const checkNew = async (tx: Tx, importList: ImportList, sha256: string): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${importList} ${sha256}`}, 0))`)
  const same = await tx.maybe(sql<{ requestTime: string; realName: string }>`
    select i.request_time, u.real_name from import_job i join app_user u using (user_no)
    where i.sha256 = ${sha256} and i.import_list = ${importList} and i.request_time > ${new Date(tx.now.getTime() - 24 * 3_600_000)}
      and i.import_status <> 'cancelled' and (i.import_status <> 'failure' or i.ok_count > 0)
    order by i.request_time desc limit 1`)
  if (!same) return
  const params = { time: eatDateTime(same.requestTime), name: same.realName }
  throw new Fault('needsConfirmation', 'errors.sameFile', params, { confirm: ['confirmDuplicate'] })
}

type Asked = { uploadNo: string; confirmDuplicate?: boolean }

const request = async (of: Importable, uploads: Uploads, call: Call<Asked>) => {
  const { tx, session, input, actor, audit, request } = call
  const { as: importList } = of.list.importing
  await checkRunning(tx, session.userNo)
  const importNo = newNo('IM', tx.now)
  const stored = await uploads.take(tx, call, input.uploadNo, importNo)
  const importFormat = formatOf(stored.fileName)
  if (!input.confirmDuplicate) await checkNew(tx, importList, stored.sha256)
  const { uploadNo, fileName, sha256 } = stored
  const values = {
    importNo,
    importList,
    importFormat,
    uploadNo,
    fileName,
    sha256,
    userNo: session.userNo,
    language: request.language,
    fileId: newFileId(),
    requestTime: tx.now,
  }
  await create(tx, 'importJob', values, { event: 'import.upload' }, actor)
  await enqueue(tx, readQueue, importNo, { importNo })
  audit({ objectType: 'import', objectNo: importNo, after: { importList, fileName, sha256, fileSize: stored.size } })
  return { importNo }
}

/** Mounts the command that brings a file into a list. */
export const serveImport = (of: Importable, uploads: Uploads): Served =>
  serve(of.list.importing.command, call => request(of, uploads, call as unknown as Call<Asked>))
