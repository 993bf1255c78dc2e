import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import type { ParsedOf } from '../../../../../core/contract/endpoint.ts'
import { serialNoFormat } from '../../../../../core/rules/text/formats.ts'
import { eatDate } from '../../../../../core/rules/time.ts'
import type { Tx } from '../../../../db/database.ts'
import { attachEvidence, keepAsEvidence } from '../../../../files/uploads/stored.ts'
import { checkVersion, Fault, invalid } from '../../../../http/fault.ts'
import { type Call, serve } from '../../../../http/serve.ts'
import { newNo } from '../../../../money/numbers.ts'
import type { Actor } from '../../../../rights/actor.ts'
import { samePersonFault, sharedMarks } from '../../../../rights/same-person.ts'
import { create, requireEvent, transition } from '../../../../states/transition.ts'
import { payeeChangers } from '../payee/loan-payee.ts'
import { applyOutcome } from '../payout-outcome.ts'
import { loanBlocks, tooEarly } from './loan-blocks.ts'
import {
  type Attempt,
  type ConfirmRecord,
  type HeldAttempt,
  type HeldCode,
  lockAttempt,
  lockCode,
  lockConfirm,
} from './loan-source.ts'
import { refuseShownPaid } from './shown-paid.ts'

type Given = ParsedOf<typeof loan.confirm>
/** What somebody says by a statement became of a payout. */
export type Said = Pick<Given, 'result' | 'serialNo' | 'statementDate'>

/** How the number of a transaction must look. */
const checkSerialNo = (serialNo: string | undefined, { order }: HeldAttempt) => {
  if (!serialNo) throw invalid('serialNo', 'validation.serialEmpty')
  if (!serialNoFormat.test(serialNo)) throw invalid('serialNo', 'validation.serialNoFormat')
  if (serialNo === order.orderNo) throw invalid('serialNo', 'validation.serialIsOrderNo')
}

/** Serials of a channel are looked up one after the other: two payouts cannot be proven by the same one at once. */
const checkUnused = async (tx: Tx, serialNo: string | undefined, { code, attempt }: HeldAttempt) => {
  await tx.exec(sql`select 1 from channel where channel = ${attempt.channel} for no key update`)
  const used = await tx.maybe(sql<{ loanCode: string }>`
    select parent_no as loan_code from gateway_attempt where channel = ${attempt.channel} and serial_no = ${serialNo} and external_id <> ${attempt.externalId}
    union all
    select cf.parent_no from loan_code_confirm cf join loan_code lc on lc.loan_code = cf.parent_no
    where cf.parent_kind = 'loanCode' and cf.serial_no = ${serialNo} and cf.confirm_status = 'first_confirmed' and lc.channel = ${attempt.channel}
      and cf.parent_no <> ${code.loanCode} limit 1`)
  if (used) throw invalid('serialNo', 'validation.serialTaken', { loanCode: used.loanCode })
}

type DateField = 'statementDate' | 'payoutTime'

/** Whether what is said of a payout can be true by itself; `dateField` is where its day was given. */
export const checkSaid = (
  tx: Tx,
  { result, serialNo, statementDate }: Said,
  held: HeldAttempt,
  dateField: DateField = 'statementDate',
): void => {
  const { attempt } = held
  const sentOn = eatDate(attempt.sentTime ?? attempt.createdTime)
  if (statementDate < sentOn || statementDate > tx.today)
    throw invalid(dateField, 'validation.statementDate', { from: sentOn, to: tx.today })
  if (result === 'success') checkSerialNo(serialNo, held)
  else if (statementDate === tx.today) throw invalid(dateField, 'validation.statementNotClosed')
}

/** Whether the statement can show what is said of the payout: {@link checkSaid}, its number proves no other, and it shows no payment that is denied. */
export const checkEvidence = async (tx: Tx, said: Said, held: HeldAttempt, dateField?: DateField): Promise<void> => {
  checkSaid(tx, said, held, dateField)
  if (said.result === 'success') await checkUnused(tx, said.serialNo, held)
  else await refuseShownPaid(tx, held.attempt)
}

/** Refuses a code of whose outcome nobody is in doubt. */
export const requireDoubt = ({ code }: HeldCode): void =>
  requireEvent('loanCode', code.loanCodeStatus, 'manual.confirm')

/** The send that is waited for, locked, when it is old enough to be decided by hand. */
export const waitingSend = async (tx: Tx, { code, order }: HeldCode): Promise<HeldAttempt> => {
  requireDoubt({ code, order })
  const held = await lockAttempt(tx, `${code.loanCode}-${code.attemptNo}`)
  const refusal = tooEarly(tx, held.attempt)
  if (refusal) throw refusal
  return held
}

/** The confirmation that is open, locked, or a new one. */
export const openedConfirm = async (tx: Tx, loanCode: string, actor: Actor): Promise<ConfirmRecord> => {
  const open = await lockConfirm(tx, loanCode)
  if (open) return open
  const confirmNo = newNo('CF', tx.now)
  await create(
    tx,
    'confirmRecord',
    { confirmNo, parentKind: 'loanCode', parentNo: loanCode },
    { event: 'confirm.open' },
    actor,
  )
  return tx.one(sql<ConfirmRecord>`select * from loan_code_confirm where confirm_no = ${confirmNo}`)
}

/**
 * Why a person may not confirm the outcome of a payout: they, or another account of theirs, changed its payee or confirmed first.
 * Return it from a handler, so that the refusal stays in the log.
 */
export const confirmConflict = async (tx: Tx, { order, code }: HeldCode, actor: Actor): Promise<Fault | null> => {
  const changers = await payeeChangers(tx, order.orderNo)
  if (changers.includes(actor.no)) return new Fault('forbidden', 'errors.payeeChanger')
  const first = (await lockConfirm(tx, code.loanCode))?.firstBy
  const marks = await sharedMarks(tx, actor.no, first ? [...changers, first] : changers)
  return marks.length > 0 ? samePersonFault(marks) : null
}

/** Whether two people say the same. */
export const isSame = (record: ConfirmRecord, { result, serialNo }: Said) =>
  record.result === result && (result === 'failure' || record.serialNo === serialNo)

type SaidFirst = Said & { importNo?: string; failReason?: string }

/** What a confirmation keeps of the first person's word. */
export const firstWord = (tx: Tx, { result, serialNo, statementDate, ...from }: SaidFirst, actor: Actor) => ({
  result,
  statementDate,
  serialNo: serialNo ?? null,
  importNo: from.importNo ?? null,
  failReason: from.failReason ?? null,
  firstBy: actor.no,
  firstName: actor.name,
  firstTime: tx.now,
})

/** The first person's word; a file that it comes from stays with it. */
export const confirmFirst = (tx: Tx, record: ConfirmRecord, said: SaidFirst, actor: Actor): Promise<ConfirmRecord> =>
  transition(tx, 'confirmRecord', record, { event: 'confirm.first', set: firstWord(tx, said, actor) }, actor)

/** The second person does not agree: it starts again. */
export const disagree = (
  tx: Tx,
  record: ConfirmRecord,
  payload: Record<string, unknown>,
  actor: Actor,
): Promise<ConfirmRecord> => {
  const first = { firstBy: null, firstName: null, firstTime: null, importNo: null, failReason: null }
  const set = { result: null, serialNo: null, statementDate: null, ...first }
  return transition(tx, 'confirmRecord', record, { event: 'confirm.disagree', set, payload }, actor)
}

const outcomeOf = (record: ConfirmRecord, attempt: Attempt) =>
  record.result === 'success'
    ? {
        kind: 'success' as const,
        serialNo: String(record.serialNo),
        manual: { date: record.statementDate ?? eatDate(attempt.createdTime) },
      }
    : {
        kind: 'failure' as const,
        failType: 'other' as const,
        answerCode: 'MANUAL',
        answerMessage: record.failReason ?? `MANUAL ${record.statementDate}`,
        manual: true as const,
      }

/** The second person agrees, and what both say becomes of the payout. */
export const confirmSecond = async (
  tx: Tx,
  held: HeldAttempt,
  record: ConfirmRecord,
  actor: Actor,
): Promise<ConfirmRecord> => {
  if (record.firstBy === actor.no) throw new Fault('forbidden', 'errors.makerChecker')
  const set = { secondBy: actor.no, secondName: actor.name, secondTime: tx.now }
  const confirmed = await transition(tx, 'confirmRecord', record, { event: 'confirm.second', set }, actor)
  await keepAsEvidence(tx, { objectType: 'loanCode', objectNo: held.code.loanCode, decision: 'payout.confirm' })
  await applyOutcome(tx, held, outcomeOf(confirmed, held.attempt), actor)
  return confirmed
}

/** The first person's word, the second's agreement, or their disagreement, which starts it again. */
const recorded = async (
  { tx, actor, input }: Call<Given>,
  held: HeldAttempt,
  record: ConfirmRecord,
): Promise<ConfirmRecord> => {
  if (record.confirmStatus === 'unconfirmed') return confirmFirst(tx, record, input, actor)
  if (record.firstBy === actor.no) throw new Fault('forbidden', 'errors.makerChecker')
  if (isSame(record, input)) return confirmSecond(tx, held, record, actor)
  return disagree(tx, record, { first: record.result, second: input.result }, actor)
}

/** Two people confirm by the statement the outcome of a payout that the network leaves open. */
export const confirmServed = serve(loan.confirm, async call => {
  const { tx, session, actor, input } = call
  const seen = await lockCode(tx, session, input.loanCode)
  checkVersion(seen.code, input.version)
  const about = { objectType: 'loanCode', objectNo: input.loanCode }
  const conflict = await confirmConflict(tx, seen, actor)
  if (conflict) {
    call.audit({ ...about, orderNo: seen.order.orderNo, before: null, after: { refused: conflict.key } })
    return conflict
  }
  await loanBlocks.check(call, loan.confirm, input.loanCode)
  const held = await waitingSend(tx, seen)
  const { order, code } = held
  await checkEvidence(tx, input, held)
  const shown = await attachEvidence(tx, input.evidence, { ...about, decision: 'payout.confirm' }, actor)
  const record = await recorded(call, held, await openedConfirm(tx, code.loanCode, actor))
  call.audit({
    ...about,
    orderNo: order.orderNo,
    before: { loanCodeStatus: code.loanCodeStatus },
    after: {
      confirmStatus: record.confirmStatus,
      result: input.result,
      serialNo: input.serialNo ?? null,
      statementDate: input.statementDate,
      ...shown,
    },
  })
  if (record.confirmStatus !== 'confirmed')
    await tx.exec(sql`update loan_code set version = version + 1 where loan_code = ${code.loanCode}`)
  const { loanCodeStatus } = await tx.one(
    sql<{ loanCodeStatus: 'remitting' }>`select loan_code_status from loan_code where loan_code = ${code.loanCode}`,
  )
  return { confirmStatus: record.confirmStatus as 'confirmed', loanCodeStatus }
})
