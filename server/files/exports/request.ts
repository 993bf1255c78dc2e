import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { reasonRows } from '../../../core/contract/endpoint.ts'
import { metaOf, sensitiveKinds } from '../../../core/contract/fields.ts'
import { masked } from '../../../core/contract/masking.ts'
import type { Tx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import { Fault, invalid } from '../../http/fault.ts'
import { type Call, type Served, serve } from '../../http/serve.ts'
import { enqueue } from '../../jobs/queue.ts'
import { withDays } from '../../lists/list.ts'
import { countOf } from '../../lists/listed.ts'
import { newNo } from '../../money/numbers.ts'
import { create } from '../../states/transition.ts'
import { type Exportable, type ExportJob, maxRunning, mayExport, writers } from './store.ts'

/** The queue of exports. */
export const queue = 'export.write'

type Asked = {
  filters: Record<string, unknown>
  columns: string[]
  sort: string
  exportFormat: ExportJob['exportFormat']
  reason?: string
}

const isSensitive = (of: Exportable, name: string): boolean =>
  (sensitiveKinds as readonly string[]).includes(metaOf(of.list.row.shape[name] as z.ZodType).kind)

/** One person's exports one after the other: refuses when too many of them are not finished. */
export const checkRunning = async (tx: Tx, userNo: string): Promise<void> => {
  await tx.one(sql`select user_no from app_user where user_no = ${userNo} for update`)
  const { running } = await tx.one(sql<{ running: number }>`
    select count(*)::int as running from export_job where user_no = ${userNo} and export_status in ('queued', 'running')`)
  if (running >= maxRunning) throw new Fault('quota', 'errors.exportsRunning', { max: maxRunning })
}

/** A name for a file that nobody can guess. */
export const newFileId = (): string => randomBytes(24).toString('hex')

/** Puts the writing of an export into the queue, together with its cause. */
export const start = (tx: Tx, { exportNo, version }: Pick<ExportJob, 'exportNo' | 'version'>): Promise<boolean> =>
  enqueue(tx, queue, `${exportNo}.${version}`, { exportNo })

const check = (of: Exportable, { columns, exportFormat, reason }: Asked, rowCount: number): void => {
  if (rowCount > reasonRows && !reason && columns.some(name => isSensitive(of, name)))
    throw invalid('reason', 'validation.exportReason', { n: reasonRows })
  const maxRows = writers[exportFormat].maxRows - (of.list.totalling ? 1 : 0)
  if (rowCount > maxRows) throw invalid('exportFormat', 'validation.exportTooLong', { max: maxRows })
}

/** Filters as the audit log may keep them: what identifies a person is masked. */
const noted = ({ list }: Exportable, filters: Record<string, unknown>) =>
  masked(z.object(list.filters), { inList: true, desensitized: true }, filters)

const request = async (of: Exportable, call: Call<Asked>) => {
  const { tx, session, input, actor, audit, request } = call
  const { sort, exportFormat, reason = null } = input
  const filters = withDays(tx, of.list, input.filters)
  const columns = [...new Set(input.columns)]
  if (!mayExport(session, of)) throw new Fault('forbidden', 'errors.forbidden')
  of.check?.({ ...call, input: filters }, 'filters.')
  const rowCount = await countOf(of, call, filters)
  check(of, input, rowCount)
  await checkRunning(tx, session.userNo)
  const exportNo = newNo('EX', tx.now)
  const asked = { exportList: of.list.exporting.as, exportFormat, columns, sort, reason, rowCount }
  const values = {
    ...asked,
    exportNo,
    filters: json(filters),
    userNo: session.userNo,
    language: request.language,
    fileId: newFileId(),
    requestTime: tx.now,
  }
  await create(tx, 'exportJob', values, { event: 'export.request' }, actor)
  await start(tx, { exportNo, version: 0 })
  audit({ objectType: 'export', objectNo: exportNo, after: { ...asked, filters: noted(of, filters) } })
  return { exportNo, rowCount }
}

/** Mounts the export command of a list. */
export const serveExport = (of: Exportable): Served =>
  serve(of.list.exporting, call => request(of, call as unknown as Call<Asked>))
