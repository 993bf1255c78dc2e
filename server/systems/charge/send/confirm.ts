import { sql } from 'kysely'
import { machineOf } from '../../../../core/rules/machines/machines.ts'
import { serialNoFormat } from '../../../../core/rules/text/formats.ts'
import { eatDate } from '../../../../core/rules/time.ts'
import type { Tx } from '../../../db/database.ts'
import { attachEvidence, keepAsEvidence } from '../../../files/uploads/stored.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import { newNo } from '../../../money/numbers.ts'
import type { Actor } from '../../../rights/actor.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { create, transition } from '../../../states/transition.ts'
import { type ConfirmRecord, confirmFirst, disagree, isSame, refuseShownPaid } from '../../after-loan/payout/index.ts'
import { freeSerial } from './dispatch.ts'
import { applyTo } from './outcome.ts'
import { type HeldPayable, newestAttempt, openConfirmOf, type Payable, type StatusOf } from './payable.ts'

/** Nobody decides by hand before the network has had this long. */
export const confirmAfterMinutes = 30

/** What a person says by a statement became of a send. */
export type Said = { result: 'success' | 'failure'; serialNo?: string | undefined; statementDate: string }

/** Why the outcome is not yet to be decided by hand; what was paid by hand is, at once. */
export const tooEarly = (now: Date, sent: { sentTime: string | Date | null; channel: string | null }): Fault | null => {
  if (sent.channel === 'bank_file') return null
  const age = sent.sentTime ? now.getTime() - new Date(sent.sentTime).getTime() : 0
  return age < confirmAfterMinutes * 60_000
    ? new Fault('stateConflict', 'errors.tooEarlyToConfirm', { minutes: confirmAfterMinutes })
    : null
}

/** Who may not confirm: those who asked for the money to go there, who sent it, and who confirmed first, or another account of theirs. */
const confirmRefusal = async (tx: Tx, held: HeldPayable, involved: readonly string[], actor: Actor) => {
  const first = (await openConfirmOf(tx, held.payable))?.firstBy
  const others = first ? [...involved, first] : involved
  if (others.includes(actor.no)) return new Fault('forbidden', 'errors.makerChecker')
  const marks = await sharedMarks(tx, actor.no, others)
  return marks.length > 0 ? samePersonFault(marks) : null
}

const checkSaid = async (tx: Tx, { attempt }: HeldPayable, { result, serialNo, statementDate }: Said) => {
  const sentOn = eatDate(attempt.sentTime ?? attempt.createdTime)
  if (statementDate < sentOn || statementDate > tx.today)
    throw invalid('statementDate', 'validation.statementDate', { from: sentOn, to: tx.today })
  if (result === 'failure') {
    if (statementDate === tx.today) throw invalid('statementDate', 'validation.statementNotClosed')
    return refuseShownPaid(tx, attempt)
  }
  if (!serialNo) throw invalid('serialNo', 'validation.serialEmpty')
  if (!serialNoFormat.test(serialNo)) throw invalid('serialNo', 'validation.serialNoFormat')
  await freeSerial(tx, { channel: attempt.channel, serialNo, externalId: attempt.externalId })
}

const opened = async (tx: Tx, { payable }: HeldPayable, actor: Actor): Promise<ConfirmRecord> => {
  const open = await openConfirmOf(tx, payable)
  if (open) return open
  const confirmNo = newNo('CF', tx.now)
  const values = { confirmNo, parentKind: payable.kind, parentNo: payable.no }
  await create(tx, 'confirmRecord', values, { event: 'confirm.open' }, actor)
  return tx.one(sql<ConfirmRecord>`select * from loan_code_confirm where confirm_no = ${confirmNo}`)
}

const outcomeOf = (record: ConfirmRecord, sentOn: string) =>
  record.result === 'success'
    ? {
        kind: 'success' as const,
        serialNo: String(record.serialNo),
        manual: { date: record.statementDate ?? sentOn },
      }
    : {
        kind: 'failure' as const,
        failType: 'other' as const,
        answerCode: 'MANUAL',
        answerMessage: `MANUAL ${record.statementDate}`,
        manual: true as const,
      }

/** The first person's word, the second's agreement, or their disagreement, which starts it again. */
const confirmSent = async (
  tx: Tx,
  held: HeldPayable,
  said: Said & { evidence: string },
  actor: Actor,
): Promise<{ record: ConfirmRecord; shown: { evidence: string; sha256: string } }> => {
  await checkSaid(tx, held, said)
  const decision = `${held.payable.kind}.confirm`
  const about = { objectType: held.payable.kind, objectNo: held.payable.no, decision }
  const shown = await attachEvidence(tx, said.evidence, about, actor)
  const record = await opened(tx, held, actor)
  const { result, serialNo, statementDate } = said
  const word = { result, statementDate, ...(serialNo === undefined ? {} : { serialNo }) }
  if (record.confirmStatus === 'unconfirmed') return { record: await confirmFirst(tx, record, word, actor), shown }
  if (!isSame(record, word))
    return { record: await disagree(tx, record, { first: record.result, second: result }, actor), shown }
  const set = { secondBy: actor.no, secondName: actor.name, secondTime: tx.now }
  const confirmed = await transition(tx, 'confirmRecord', record, { event: 'confirm.second', set }, actor)
  await keepAsEvidence(tx, about)
  await applyTo(tx, held, outcomeOf(confirmed, eatDate(held.attempt.createdTime)), actor)
  return { record: confirmed, shown }
}

type Confirming = Pick<Call, 'tx' | 'actor' | 'audit'> & { input: Said & { evidence: string } }

/**
 * Two persons confirm by a statement what became of the newest send of something locked. Who may not is answered why; that, and what
 * each of them says, is written down.
 */
export const confirmOutcome = async <S extends string>(
  { tx, actor, audit, input }: Confirming,
  { payable, involved, status }: { payable: Payable; involved: readonly string[]; status: StatusOf<S> },
) => {
  const { kind: objectType, no: objectNo } = payable
  const held = { payable, attempt: await newestAttempt(tx, payable) }
  const refusal = await confirmRefusal(tx, held, involved, actor)
  if (refusal) {
    audit({ objectType, objectNo, before: {}, after: { refused: refusal.key } })
    return refusal
  }
  const { record, shown } = await confirmSent(tx, held, input, actor)
  const { confirmStatus } = record
  const { table, key } = machineOf(payable.machine)
  if (confirmStatus !== 'confirmed')
    await tx.exec(sql`update ${sql.table(table)} set version = version + 1 where ${sql.ref(key)} = ${objectNo}`)
  const now = await status.now()
  const { result, serialNo, statementDate } = input
  const said = { confirmStatus, result, serialNo: serialNo ?? null, statementDate, ...shown }
  audit({ objectType, objectNo, before: { [status.field]: payable.status }, after: { [status.field]: now, ...said } })
  return { confirmStatus: confirmStatus as 'confirmed', status: now }
}
