import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { answerOutcomes } from '../../../../core/contract/after-loan/bank-batch.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { eq } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Unreadable } from '../../../files/imports/read/unreadable.ts'
import type { BankFolders, Found } from '../../../gateways/bank/folders.ts'
import { type BankOutcome, groupOutcomeOf, outcomeOf } from '../../../gateways/bank/outcomes.ts'
import { type BankAnswer, readPain002 } from '../../../gateways/bank/pain-002.ts'
import { newRequestId } from '../../../http/request.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { QueueHandler, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { lockAttempt } from '../payout/desk/loan-source.ts'
import { applyOutcome, disagree } from '../payout/payout-outcome.ts'
import { network } from '../payout/payout-send.ts'
import { paymentsOf } from './bank-send.ts'

/** What became of an answer as a whole, and of how many payments it was taken in or not. */
export type Taken = { outcome: (typeof answerOutcomes)[number]; taken: number; ignored: number }

/** An answer as it was brought, and read; null where it cannot be. */
export type Brought = { fileName: string; bytes: Buffer; answer: BankAnswer | null }

export const readAnswer = async (fileName: string, bytes: Buffer): Promise<Brought> => {
  try {
    return { fileName, bytes, answer: await readPain002(bytes) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { fileName, bytes, answer: null }
  }
}

/** Names and account numbers of payees are not kept. */
const masked = (text: string): string =>
  text
    .replace(/(<(?:\w+:)?Nm\b[^>]*>)[^<]*/g, '$1***')
    .replace(/(<(?:\w+:)?Othr\b[^>]*>\s*<(?:\w+:)?Id\b[^>]*>)([^<]*)/g, (_, tag: string, no: string) => tag + mask(no))
    .replace(/(<(?:\w+:)?IBAN\b[^>]*>)([^<]*)/g, (_, tag: string, no: string) => tag + mask(no))
    .replaceAll('\u0000', '')

const keptBody = 200_000

/** Keeps an answer as it came; one that came before is only counted, and tells what was done about it then. */
export const store = (tx: Tx, { fileName, bytes, answer }: Brought) =>
  tx.one(sql<{ eventNo: number; outcome: string | null }>`
    insert into inbound_event (channel, event_id, body_hash, body, received_time)
    values ('bank_file', ${answer ? `${answer.batchNo}:${answer.answerNo}` : fileName}, ${createHash('sha256').update(bytes).digest('hex')},
      ${masked(bytes.toString()).slice(0, keptBody)}, ${tx.now})
    on conflict (channel, event_id, body_hash) do update set deliveries = inbound_event.deliveries + 1
    returning event_no, outcome`)

type Batch = { paymentCount: number; amount: string }

const tell = (tx: Tx, eventNo: number, at: string, externalId: string, outcome: BankOutcome) =>
  enqueue(tx, 'bank.outcome', `${eventNo}:${at}:${externalId}`, { externalId, outcome })

/** Has what an answer says of each payment of its file applied, each in a transaction of its own. */
export const passOn = async (tx: Tx, eventNo: number, answer: BankAnswer): Promise<Omit<Taken, 'outcome'>> => {
  await tx.exec(
    sql`update bank_batch set answered_time = coalesce(answered_time, ${tx.now}) where batch_no = ${answer.batchNo}`,
  )
  const ours = new Set(await paymentsOf(tx, answer.batchNo))
  const named = answer.payments.filter(({ externalId }) => ours.has(externalId))
  for (const [index, payment] of named.entries())
    await tell(tx, eventNo, String(index), payment.externalId, outcomeOf(payment))
  const group = groupOutcomeOf(answer)
  const unnamed = [...ours].filter(externalId => !named.some(one => one.externalId === externalId))
  if (group) for (const externalId of unnamed) await tell(tx, eventNo, 'g', externalId, group)
  return { taken: named.length + (group ? unnamed.length : 0), ignored: answer.payments.length - named.length }
}

/** Whether the bank read another file than we sent: it counts or sums up differently. */
const differs = ({ count, sum }: BankAnswer, batch: Batch): boolean =>
  (count !== undefined && count !== batch.paymentCount) || (sum !== undefined && !eq(sum, batch.amount))

/** Notes what was done about an answer. */
export const noteEvent = (tx: Tx, eventNo: number, outcome: string) =>
  tx.exec(sql`update inbound_event set handled_time = ${tx.now}, outcome = ${outcome} where event_no = ${eventNo}`)

/** Where an answer came from: the folder of an account, or a person with what is within their reach (`b` is the file). */
export type Source = { fundAccountNo: string } | { within: RawBuilder<unknown> }

export const judge = async (tx: Tx, answer: BankAnswer | null, from: Source): Promise<Taken['outcome']> => {
  if (!answer) return 'unreadable'
  const rule = 'within' in from ? from.within : sql`b.fund_account_no = ${from.fundAccountNo}`
  const batch = await tx.maybe(sql<Batch>`
    select b.payment_count, b.amount from bank_batch b where b.batch_no = ${answer.batchNo} and b.sent_time is not null and ${rule}`)
  if (!batch) return 'foreign'
  return differs(answer, batch) ? 'differs' : 'taken'
}

/**
 * Takes in an answer that the bank itself laid down: kept as it came, with what was done about it. One that was taken in before changes
 * nothing; one for a file that is not ours, was never sent, is of another account or counts otherwise is only kept.
 */
export const takeAnswer = async (tx: Tx, brought: Brought, from: Source): Promise<Taken> => {
  const { answer } = brought
  const event = await store(tx, brought)
  const before = event.outcome?.startsWith('taken') ?? false
  const outcome = await judge(tx, answer, from)
  const ignored = { outcome, taken: 0, ignored: answer?.payments.length ?? 0 }
  if (before) return outcome === 'taken' ? { ...ignored, outcome: 'repeated' } : ignored
  const done = answer && outcome === 'taken' ? { outcome, ...(await passOn(tx, event.eventNo, answer)) } : ignored
  const summary = outcome === 'taken' ? `taken ${done.taken}, ignored ${done.ignored}` : outcome
  await noteEvent(tx, event.eventNo, summary)
  return done
}

/** The bank has it and decides later: what it says is noted, and nothing else changes. */
const notePending = (tx: Tx, externalId: string, answerCode: string) =>
  tx.exec(sql`
    update gateway_attempt set answer_time = ${tx.now}, answer_code = ${answerCode} where external_id = ${externalId} and attempt_status in ('sent', 'unknown')`)

/** Applies what an answer says of one payment, whatever we knew before. One that speaks of other money decides nothing. */
export const bankOutcomeQueue: QueueHandler = {
  queue: 'bank.outcome',
  async handle(tx, { payload }) {
    const { externalId, outcome } = payload as { externalId: string; outcome: BankOutcome }
    const held = await lockAttempt(tx, externalId)
    const actor = system(newRequestId())
    if (outcome.amount !== undefined && !eq(outcome.amount, held.attempt.amount))
      await disagree(tx, held, outcome, actor)
    else if (outcome.kind === 'pending') await notePending(tx, externalId, outcome.answerCode)
    else await applyOutcome(tx, held, outcome, actor)
  },
}

type InFolder = Brought & Pick<Found, 'fundAccountNo'>

/** Reads what lies in the folders of banks. Nothing is held open meanwhile. */
export const bankReadQueue = (folders: BankFolders) =>
  network<{ accounts: string[] }, InFolder[]>({
    queue: 'bank.read',
    async before(tx) {
      const rows = await tx.rows(
        sql<{ fundAccountNo: string }>`select fund_account_no from fund_account where channel = 'bank_file' order by 1`,
      )
      return { accounts: rows.map(({ fundAccountNo }) => fundAccountNo) }
    },
    async send({ accounts }) {
      const read: InFolder[] = []
      for (const { fundAccountNo, fileName, bytes } of await folders.answers(accounts))
        read.push({ fundAccountNo, ...(await readAnswer(fileName, bytes)) })
      return read
    },
    async after(tx, _, read) {
      for (const one of read) {
        const { fundAccountNo, fileName } = one
        await takeAnswer(tx, one, { fundAccountNo })
        await enqueue(tx, 'bank.away', `${fundAccountNo}:${fileName}:${tx.now.toISOString()}`, {
          fundAccountNo,
          fileName,
        })
      }
    },
  })

/** Puts an answer away once it is committed that it was taken in. */
export const bankAwayQueue = (folders: BankFolders) =>
  network<{ fundAccountNo: string; fileName: string }, void>({
    queue: 'bank.away',
    before: async (_, { payload }) => ({
      fundAccountNo: String(payload.fundAccountNo),
      fileName: String(payload.fileName),
    }),
    send: ({ fundAccountNo, fileName }) => folders.putAway(fundAccountNo, fileName),
    after: async () => undefined,
  })

export const bankAnswersJob: Scheduled = {
  job: 'bank.answers',
  every: { seconds: 300 },
  run: async tx => ({ started: Number(await enqueue(tx, 'bank.read', tx.now.toISOString(), {})) }),
}
