import { sql } from 'kysely'
import type { ParsedOf } from '../../core/contract/endpoint.ts'
import { loan } from '../../core/contract/loan.ts'
import { serialNoFormat } from '../../core/rules/formats.ts'
import { eatDate } from '../../core/rules/time.ts'
import { checkVersion, Fault, invalid, stateConflict } from '../fault.ts'
import { newNo } from '../numbers.ts'
import { type Call, serve } from '../serve.ts'
import { create, transition } from '../transition.ts'
import { attachUpload, lockReady } from '../uploads/stored.ts'
import {
  type Attempt,
  type ConfirmRecord,
  type HeldAttempt,
  lockAttempt,
  lockCode,
  lockConfirm,
} from './loan-source.ts'
import { applyOutcome } from './payout-outcome.ts'

type Given = ParsedOf<typeof loan.confirm>

/** Nobody decides by hand before the network has had this long. */
export const confirmAfterMinutes = 30

const checkEvidence = async ({ tx, input }: Call<Given>, { order, attempt }: HeldAttempt) => {
  const { result, serialNo, statementDate } = input
  const sentOn = eatDate(attempt.sentTime ?? attempt.createdTime)
  if (statementDate < sentOn || statementDate > tx.today)
    throw invalid('statementDate', 'validation.statementDate', { from: sentOn, to: tx.today })
  if (result === 'failure') {
    if (statementDate === tx.today) throw invalid('statementDate', 'validation.statementNotClosed')
    return
  }
  if (!serialNo) throw invalid('serialNo', 'validation.serialEmpty')
  if (!serialNoFormat.test(serialNo)) throw invalid('serialNo', 'validation.serialNoFormat')
  if (serialNo === order.orderNo) throw invalid('serialNo', 'validation.serialIsOrderNo')
  const used = await tx.maybe(sql<{ loanCode: string }>`
    select parent_no as loan_code from gateway_attempt where channel = ${attempt.channel} and serial_no = ${serialNo} and external_id <> ${attempt.externalId} limit 1`)
  if (used) throw invalid('serialNo', 'validation.serialTaken', { loanCode: used.loanCode })
}

/** The send that is waited for, locked, when it is old enough to be decided by hand. */
const waitingSend = async ({ tx, session, input }: Call<Given>): Promise<HeldAttempt> => {
  const { code } = await lockCode(tx, session, input.loanCode)
  checkVersion(code, input.version)
  if (code.loanCodeStatus !== 'remitting' && code.loanCodeStatus !== 'unknown')
    throw stateConflict(code.loanCodeStatus, 'LOAN_CODE_STATUS')
  const held = await lockAttempt(tx, `${code.loanCode}-${code.attemptNo}`)
  const age = tx.now.getTime() - Date.parse(held.attempt.sentTime ?? tx.now.toISOString())
  if (age < confirmAfterMinutes * 60_000)
    throw new Fault('stateConflict', 'errors.tooEarlyToConfirm', { minutes: confirmAfterMinutes })
  return held
}

const opened = async ({ tx, actor }: Call<Given>, loanCode: string): Promise<ConfirmRecord> => {
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

const isSame = (record: ConfirmRecord, { result, serialNo }: Given) =>
  record.result === result && (result === 'failure' || record.serialNo === serialNo)

/** The first person's word, the second's agreement, or their disagreement, which starts it again. */
const recorded = async ({ tx, actor, input }: Call<Given>, record: ConfirmRecord): Promise<ConfirmRecord> => {
  if (record.confirmStatus === 'unconfirmed') {
    const set = {
      result: input.result,
      serialNo: input.serialNo ?? null,
      statementDate: input.statementDate,
      firstBy: actor.no,
      firstName: actor.name,
      firstTime: tx.now,
    }
    return transition(tx, 'confirmRecord', record, { event: 'confirm.first', set }, actor)
  }
  if (record.firstBy === actor.no) throw new Fault('forbidden', 'errors.makerChecker')
  if (isSame(record, input)) {
    const set = { secondBy: actor.no, secondName: actor.name, secondTime: tx.now }
    return transition(tx, 'confirmRecord', record, { event: 'confirm.second', set }, actor)
  }
  const set = { result: null, serialNo: null, statementDate: null, firstBy: null, firstName: null, firstTime: null }
  const payload = { first: record.result, second: input.result }
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
        answerMessage: `MANUAL ${record.statementDate}`,
        manual: true as const,
      }

/** Two people say by the statement what became of a payout that the network leaves open. */
export const confirmServed = serve(loan.confirm, async call => {
  const { tx, actor, input } = call
  const held = await waitingSend(call)
  await checkEvidence(call, held)
  const { fileName, fileSha256 } = await lockReady(tx, input.evidence, { purpose: 'attachment', userNo: actor.no })
  const { order, code } = held
  const record = await recorded(call, await opened(call, code.loanCode))
  call.audit({
    objectType: 'loanCode',
    objectNo: code.loanCode,
    orderNo: order.orderNo,
    before: { loanCodeStatus: code.loanCodeStatus },
    after: {
      confirmStatus: record.confirmStatus,
      result: input.result,
      serialNo: input.serialNo ?? null,
      statementDate: input.statementDate,
      evidence: fileName,
      sha256: fileSha256,
    },
  })
  await attachUpload(tx, input.evidence, 'loanCode', code.loanCode, actor)
  if (record.confirmStatus === 'confirmed') await applyOutcome(tx, held, outcomeOf(record, held.attempt), actor)
  else await tx.exec(sql`update loan_code set version = version + 1 where loan_code = ${code.loanCode}`)
  const { loanCodeStatus } = await tx.one(
    sql<{ loanCodeStatus: 'remitting' }>`select loan_code_status from loan_code where loan_code = ${code.loanCode}`,
  )
  return { confirmStatus: record.confirmStatus as 'confirmed', loanCodeStatus }
})
