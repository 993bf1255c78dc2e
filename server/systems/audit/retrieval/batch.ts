import { sql } from 'kysely'
import { maxEntered } from '../../../../core/contract/audit/retrieval.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { sum } from '../../../../core/rules/amount.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Scheduled, StepHandler } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { system } from '../../../rights/actor.ts'
import { rightsNow } from '../../../session/session.ts'
import { create, requireEvent, transition } from '../../../states/transition.ts'
import { lookAt } from './retrievable.ts'
import { type Batch, countLine, noteFailed, retrieveOne } from './retrieve.ts'

const { retrieval } = contract
const queue = 'audit.retrieve'
const previewMinutes = 30
const perStep = 20

const longest = 60
/** Numbers as they are typed or pasted: commas of any script, semicolons, spaces, line breaks. */
const numbersOf = (text: string): string[] =>
  text
    .split(/[\s,，;；、]+/)
    .map(one => one.trim().slice(0, longest))
    .filter(Boolean)

const lockBatch = async (tx: Tx, userNo: string, batchNo: string): Promise<Batch> => {
  const batch = await tx.maybe(sql<Batch>`
    select * from retrieval_batch where retrieval_batch_no = ${batchNo} and created_by = ${userNo} for update`)
  if (!batch) throw notFound()
  return batch
}

export const preview = serve(retrieval.preview, async ({ tx, session, actor, input, audit }) => {
  const entered = numbersOf(input.numbers)
  if (entered.length === 0) throw invalid('numbers', 'validation.contentEmpty')
  if (new Set(entered).size > maxEntered) throw new Fault('quota', 'errors.retrievalTooMany', { max: maxEntered })
  const list = await lookAt(tx, session, entered.slice(0, 2 * maxEntered))
  const retrievalBatchNo = newNo('RB', tx.now)
  const row = {
    retrievalBatchNo,
    source: 'entered',
    total: list.length,
    createdBy: session.userNo,
    createdTime: tx.now,
  }
  await create(tx, 'retrievalBatch', row, { event: 'batch.enter' }, actor)
  await tx.exec(sql`
    insert into retrieval_entry select ${retrievalBatchNo}, place::int, no from unnest(${list.map(one => one.enteredNo)}::text[]) with ordinality given (no, place)`)
  const fit = list.filter(one => one.failReason === null)
  audit({ objectType: 'retrievalBatch', objectNo: retrievalBatchNo, after: { total: list.length, ok: fit.length } })
  return {
    retrievalBatchNo,
    version: 0,
    ok: fit.length,
    fail: list.length - fit.length,
    amount: sum(fit.map(one => one.loanAmount ?? '0.00')),
    list,
  }
})

export const confirm = serve(retrieval.confirm, async ({ tx, session, actor, input, audit }) => {
  const { retrievalBatchNo, removed = [] } = input
  const batch = await lockBatch(tx, session.userNo, retrievalBatchNo)
  checkVersion(batch, input.version)
  requireEvent('retrievalBatch', batch.batchStatus, 'batch.confirm')
  if (Date.parse(batch.createdTime) < tx.now.getTime() - previewMinutes * 60_000)
    throw new Fault('stateConflict', 'errors.previewOld', { minutes: previewMinutes })
  await tx.exec(sql`
    delete from retrieval_entry where retrieval_batch_no = ${retrievalBatchNo} and entered_no = any(${removed})`)
  const { total } = await tx.one(
    sql<{
      total: number
    }>`select count(*)::int as total from retrieval_entry where retrieval_batch_no = ${retrievalBatchNo}`,
  )
  if (total === 0) throw invalid('removed', 'validation.contentEmpty')
  const set = { confirmTime: tx.now.toISOString(), total }
  await transition(tx, 'retrievalBatch', batch, { event: 'batch.confirm', set }, actor)
  await enqueue(tx, queue, retrievalBatchNo, { userNo: session.userNo })
  audit({ objectType: 'retrievalBatch', objectNo: retrievalBatchNo, after: { total, removed: removed.length } })
  return { retrievalBatchNo, total }
})

export const discard = serve(retrieval.discard, async ({ tx, session, actor, input, audit }) => {
  const batch = await lockBatch(tx, session.userNo, input.retrievalBatchNo)
  checkVersion(batch, input.version)
  const set = { finishedTime: tx.now.toISOString() }
  await transition(tx, 'retrievalBatch', batch, { event: 'batch.discard', set }, actor)
  audit({ objectType: 'retrievalBatch', objectNo: input.retrievalBatchNo, after: { discarded: true } })
  return {}
})

/** A batch that has all its lines is done. */
export const finishBatch = async (tx: Tx, batchNo: string): Promise<void> => {
  const batch = await tx.one(sql<Batch>`select * from retrieval_batch where retrieval_batch_no = ${batchNo} for update`)
  const set = { finishedTime: tx.now.toISOString() }
  await transition(tx, 'retrievalBatch', batch, { event: 'rows.finished', set }, system(`retrieval ${batchNo}`))
}

type Entry = { rowNo: number; enteredNo: string }

/** Goes through a confirmed batch some lines at a time, with the rights that its owner has by then; a crash goes on where it was. */
export const runBatches: StepHandler = {
  queue,
  async step(tx, { jobKey, payload }) {
    const userNo = String(payload.userNo)
    const batch = await tx.one(
      sql<Batch>`select * from retrieval_batch where retrieval_batch_no = ${jobKey} for update`,
    )
    if (batch.batchStatus !== 'running') return false
    const entries = await tx.rows(sql<Entry>`
      select row_no, entered_no from retrieval_entry where retrieval_batch_no = ${jobKey} and row_no > ${batch.rowCursor} order by row_no limit ${perStep}`)
    const session = await rightsNow(tx, userNo, 'zh')
    const may = session?.perms.has(retrieval.confirm.perm as string)
    for (const { rowNo, enteredNo } of entries) {
      const seen = await tx.maybe(sql`
        select 1 from order_retrieval where retrieval_batch_no = ${jobKey} and entered_no = ${enteredNo} and fail_reason is null`)
      if (!session || !may) break
      const by = { tx, session, actor: { ...system(`retrieval ${jobKey}`), no: userNo, name: userNo } }
      const fail = seen ? 'duplicate' : await retrieveOne(by, jobKey, enteredNo)
      if (fail) {
        const [looked] = await lookAt(tx, session, [enteredNo])
        await noteFailed(by, jobKey, enteredNo, fail, looked?.orderNo ?? null)
      }
      await countLine(tx, jobKey, fail !== null, rowNo)
    }
    if (may && entries.length === perStep) return true
    await finishBatch(tx, jobKey)
    return false
  },
}

/** Previews that nobody confirmed in time are discarded: what they say may not be true any more. */
const discardOld: Scheduled = {
  job: 'audit.discardPreviews',
  every: { seconds: 60 },
  run: async tx => {
    const old = await tx.rows(sql<Batch>`
      select * from retrieval_batch where batch_status = 'preview' and created_time < ${new Date(tx.now.getTime() - previewMinutes * 60_000)}
      order by retrieval_batch_no limit 200 for update skip locked`)
    const set = { finishedTime: tx.now.toISOString() }
    for (const batch of old)
      await transition(tx, 'retrievalBatch', batch, { event: 'batch.discard', set }, system('job:retrieval.discard'))
    return { discarded: old.length }
  },
}

export const batchJobs: readonly Scheduled[] = [discardOld]

/** The batch of a file: it begins with the first row that is taken in. */
export const batchOfImport = async (
  { tx, session, actor }: Pick<Parameters<typeof noteFailed>[0], 'tx' | 'session' | 'actor'>,
  importNo: string,
): Promise<string> => {
  const known = await tx.maybe(
    sql<{ no: string }>`select retrieval_batch_no as no from retrieval_batch where import_no = ${importNo}`,
  )
  if (known) return known.no
  const { fileName } = await tx.one(
    sql<{ fileName: string }>`select file_name from import_job where import_no = ${importNo}`,
  )
  const retrievalBatchNo = newNo('RB', tx.now)
  const row = {
    retrievalBatchNo,
    source: 'imported',
    fileName,
    importNo,
    createdBy: session.userNo,
    createdTime: tx.now,
  }
  await create(tx, 'retrievalBatch', row, { event: 'batch.enter' }, actor)
  const batch = await tx.one(sql<Batch>`select * from retrieval_batch where retrieval_batch_no = ${retrievalBatchNo}`)
  await transition(tx, 'retrievalBatch', batch, { event: 'batch.confirm', set: { confirmTime: tx.now } }, actor)
  return retrievalBatchNo
}

/** A row of a file that cannot be retrieved is refused with its reason; the result of the import has it. */
export const refuseRow = (fail: string): Fault =>
  fail === 'not_found'
    ? notFound()
    : new Fault('stateConflict', 'errors.notRetrieved', { reason: `dict.RETRIEVAL_FAIL.${fail}` })
