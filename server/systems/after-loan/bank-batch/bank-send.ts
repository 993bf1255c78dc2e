import { type Selectable, sql } from 'kysely'
import { parseEat } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { DB } from '../../../db/types.gen.ts'
import type { BankFolders, Laid } from '../../../gateways/bank/folders.ts'
import { newRequestId } from '../../../http/request.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { QueueHandler, Scheduled } from '../../../module.ts'
import { type Actor, system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { confirmAfterMinutes } from '../payout/desk/loan-blocks.ts'
import { lockAttempt } from '../payout/desk/loan-source.ts'
import { applyOutcome, type Outcome } from '../payout/payout-outcome.ts'
import { network } from '../payout/payout-send.ts'
import { bankAccount, choose, lockChoice, makeBatch, type SendWay } from './bank-make.ts'

export type BankBatch = Selectable<DB['bankBatch']>

/** References of the payments of a file, in the order in which their orders are locked. */
export const paymentsOf = async (tx: Tx, batchNo: string): Promise<string[]> => {
  const rows = await tx.rows(sql<{ externalId: string }>`
    select ga.external_id from gateway_attempt ga join loan_code lc on lc.loan_code = ga.parent_no where ga.batch_no = ${batchNo} order by lc.order_no`)
  return rows.map(({ externalId }) => externalId)
}

/** A file, locked after its payments. */
export const lockWhole = async (tx: Tx, batchNo: string): Promise<BankBatch | undefined> => {
  for (const externalId of await paymentsOf(tx, batchNo)) await lockAttempt(tx, externalId)
  return tx.maybe(sql<BankBatch>`select * from bank_batch where batch_no = ${batchNo} for update`)
}

/** Writes down that a file leaves, before it does: from now on nobody can say that it did not. The second time changes nothing. */
export const noteSent = async (tx: Tx, { batchNo, sentTime }: BankBatch, actor: Actor): Promise<void> => {
  if (sentTime) return
  for (const externalId of await paymentsOf(tx, batchNo)) {
    const { attempt } = await lockAttempt(tx, externalId)
    if (attempt.attemptStatus === 'prepared')
      await transition(tx, 'gatewayAttempt', attempt, { event: 'attempt.send', set: { sentTime: tx.now } }, actor)
  }
  await tx.exec(sql`update bank_batch set sent_time = ${tx.now} where batch_no = ${batchNo}`)
}

/** The payments of a file that never left us have failed. A send ends only from *sent*: its answer is that nobody fetched it. */
export const giveUp = async (tx: Tx, { batchNo }: BankBatch, reason: string, actor: Actor): Promise<void> => {
  const unfetched = { kind: 'failure', failType: 'other', answerCode: 'NOT_FETCHED', answerMessage: reason } as const
  for (const externalId of await paymentsOf(tx, batchNo)) {
    const { attempt } = await lockAttempt(tx, externalId)
    await transition(tx, 'gatewayAttempt', attempt, { event: 'attempt.send', set: { sentTime: tx.now } }, actor)
    await applyOutcome(tx, await lockAttempt(tx, externalId), unfetched, actor)
  }
  await tx.exec(sql`
    update bank_batch set discarded_time = ${tx.now}, discarded_by = ${actor.no}, discard_reason = ${reason} where batch_no = ${batchNo}`)
}

const applyToAll = async (tx: Tx, batchNo: string, outcome: Outcome) => {
  const actor = system(newRequestId())
  for (const externalId of await paymentsOf(tx, batchNo))
    await applyOutcome(tx, await lockAttempt(tx, externalId), outcome, actor)
}

const interrupted = { kind: 'unknown', answerCode: 'INTERRUPTED' } as const
/** What became of a file that could not be laid down: half a file is no file, but one that may be there may be paid. */
const failures: Record<Exclude<Laid['kind'], 'laid'>, (why: string) => Outcome> = {
  missing: why => ({ kind: 'failure', failType: 'config', answerCode: 'NOT_WRITTEN', answerMessage: why }),
  unclear: why => ({ kind: 'unknown', answerCode: why }),
}

type Sending = { batchNo: string; fundAccountNo: string; text: string }

/** Puts a file into the folder of its bank, once: after a crash in between its delivery is unknown, and it is not delivered again. */
export const bankSendQueue = (folders: BankFolders | null) =>
  network<Sending, Laid>({
    queue: 'bank.send',
    async before(tx, { payload }) {
      const batchNo = String(payload.batchNo)
      const batch = await lockWhole(tx, batchNo)
      if (!batch) return null
      if (batch.sentTime) {
        await applyToAll(tx, batchNo, interrupted)
        return null
      }
      await noteSent(tx, batch, system(newRequestId()))
      return { batchNo, fundAccountNo: batch.fundAccountNo, text: batch.fileText }
    },
    send: async ({ fundAccountNo, batchNo, text }) =>
      folders ? folders.lay(fundAccountNo, `${batchNo}.xml`, text) : { kind: 'missing', why: 'no folder' },
    after: async (tx, { batchNo }, laid) => {
      if (laid.kind !== 'laid') await applyToAll(tx, batchNo, failures[laid.kind](laid.why))
    },
  })

/** A slot whose file was not made within this many minutes is skipped: the bank's own cut-off may have passed. */
const windowMinutes = 30

type Timed = { fundAccountNo: string; batchTimes: string[] }

/** The time of an account's day that has just come, as an instant. */
const dueTime = (tx: Tx, times: readonly string[]): string | undefined =>
  times
    .flatMap(time => parseEat(`${tx.today} ${time}`) ?? [])
    .find(at => {
      const passed = tx.now.getTime() - Date.parse(at)
      return passed >= 0 && passed < windowMinutes * 60_000
    })

/** Has the file of each account made at its times; the same time of a day once. */
export const bankBatchJob: Scheduled = {
  job: 'bank.batch',
  every: { seconds: 60 },
  run: async tx => {
    const accounts = await tx.rows(sql<Timed>`
      select fund_account_no, batch_times from fund_account where channel = 'bank_file' and enabled = 'enabled' and batch_times <> '{}'`)
    let started = 0
    for (const { fundAccountNo, batchTimes } of accounts) {
      const at = dueTime(tx, batchTimes)
      if (at && (await enqueue(tx, 'bank.make', `${fundAccountNo}:${at}:0`, { fundAccountNo, at, part: 0 }))) started++
    }
    return { started }
  },
}

/** Makes one file of what waits for an account, and asks for the next while there is more. */
export const bankMakeQueue = (sendWay: SendWay): QueueHandler => ({
  queue: 'bank.make',
  async handle(tx, { payload }) {
    const { fundAccountNo, at, part } = payload as { fundAccountNo: string; at: string; part: number }
    const locked = await lockChoice(tx, fundAccountNo, await choose(tx, null, fundAccountNo))
    if (locked.codes.length === 0) return
    const from = await bankAccount(tx, fundAccountNo, sql`true`)
    await makeBatch(tx, from, locked, { executionDate: tx.today, sendWay }, system(newRequestId()))
    const next = part + 1
    await enqueue(tx, 'bank.make', `${fundAccountNo}:${at}:${next}`, { fundAccountNo, at, part: next })
  },
})

/**
 * What the bank has not answered for good is unknown once it is time to look, on the day of execution at the earliest:
 * nobody can ask it, two people can read its statement (M23).
 */
export const bankSilenceJob: Scheduled = {
  job: 'bank.silence',
  every: { seconds: 60 },
  run: async tx => {
    const before = new Date(tx.now.getTime() - confirmAfterMinutes * 60_000)
    const silent = await tx.rows(sql<{ externalId: string; answerCode: string | null }>`
      select ga.external_id, ga.answer_code from gateway_attempt ga join bank_batch b on b.batch_no = ga.batch_no join loan_code lc on lc.loan_code = ga.parent_no
      where ga.attempt_status = 'sent' and ga.sent_time <= ${before} and b.execution_date <= ${tx.today} order by lc.order_no limit 100`)
    const actor = system(newRequestId())
    for (const { externalId, answerCode } of silent)
      await applyOutcome(
        tx,
        await lockAttempt(tx, externalId),
        { kind: 'unknown', answerCode: answerCode ?? 'NO_ANSWER' },
        actor,
      )
    return { unknown: silent.length }
  },
}
