import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { recon } from '../../../../../core/contract/after-loan/reconciliation.ts'
import { can } from '../../../../../core/rules/machines/machine.ts'
import { machines } from '../../../../../core/rules/machines/machines.ts'
import { isProvenPayee } from '../../../../../core/rules/payee.ts'
import { diffDays, type EatDate } from '../../../../../core/rules/time.ts'
import { type Asker, blocks } from '../../../../approval/blocks.ts'
import type { Tx } from '../../../../db/database.ts'
import { Fault, stateConflict } from '../../../../http/fault.ts'
import { isSamePayee, type Payee } from '../payee/loan-payee.ts'
import type { LoanCode } from './loan-source.ts'

const maxAttempts = 5
/** A successful payout may be cancelled for this many days; one that came back by itself, at any time. */
const cancelPaidDays = 3
/** Nobody decides by hand before the network has had this long. */
export const confirmAfterMinutes = 30

/** Refusals that lie with the account the customer named. */
export const payeeFailures: readonly string[] = ['payee_invalid', 'payee_barred', 'payee_limit']
const correctableFailures = [...payeeFailures, 'name_mismatch']

/** What decides what may be done with a payout. */
export type LoanFacts = {
  code: LoanCode
  order: Payee & { orderNo: string; orderStatus: string; payoutVerify: string; payoutDate: EatDate | null }
  newest: boolean
  /** Its newest send. */
  attemptStatus: string | null
  batchNo: string | null
  sentTime: string | null
  /** Who confirmed its outcome first, while a second person has not. */
  firstBy: string | null
  /** Everybody who has changed where the loan of its order goes. */
  changers: readonly string[]
  repaid: boolean
  /** The bank gave the money back, and nobody has explained it yet. */
  returned: boolean
  /** A payment of its order that nobody expected is not explained yet. */
  unexpected: boolean
  waits: boolean
}

type Rest = Omit<LoanFacts, 'code' | 'order'> & { loanCode: string }

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, LoanFacts>> => {
  const mine = sql`lc.loan_code = any(${[...keys]})`
  const codes = await tx.rows(sql<LoanCode>`select lc.* from loan_code lc where ${mine}`)
  const orders = await tx.rows(sql<LoanFacts['order']>`
    select o.order_no, o.order_status, o.payout_verify, o.payout_date, o.payout_type, o.payout_subtype, o.wallet_account, o.bank_name, o.branch, o.bank_card_no, o.cardholder_name
    from loan_order o where o.order_no in (select lc.order_no from loan_code lc where ${mine})`)
  const rest = await tx.rows(sql<Rest>`
    select lc.loan_code, ga.attempt_status, ga.batch_no, ga.sent_time,
      not exists (select 1 from loan_code later where later.order_no = lc.order_no and later.loan_code_seq > lc.loan_code_seq) as newest,
      (select cf.first_by from loan_code_confirm cf where cf.parent_kind = 'loanCode' and cf.parent_no = lc.loan_code and cf.confirm_status = 'first_confirmed') as first_by,
      array(select distinct h.changed_by from order_payout_history h where h.order_no = lc.order_no) as changers,
      exists (select 1 from repay_record r where r.order_no = lc.order_no and r.record_status = 'posted') as repaid,
      exists (
        select 1 from recon_item i where i.recon_kind = 'payout_returned' and i.object_type = 'loanCode' and i.object_no = lc.loan_code and i.recon_status = 'open') as returned,
      exists (
        select 1 from recon_item i join loan_code c on i.object_type = 'loanCode' and i.object_no = c.loan_code
        where c.order_no = lc.order_no and i.recon_kind = 'paid_not_expected' and i.recon_status = 'open') as unexpected,
      exists (select 1 from approval a where a.object_type = 'loanCode' and a.object_no = lc.loan_code and a.approval_status = 'pending') as waits
    from loan_code lc left join gateway_attempt ga on ga.parent_kind = 'loanCode' and ga.parent_no = lc.loan_code and ga.attempt_no = lc.attempt_no
    where ${mine}`)
  const restOf = new Map(rest.map(({ loanCode, ...one }) => [loanCode, one]))
  const orderOf = new Map(orders.map(order => [order.orderNo, order]))
  return new Map(
    codes.map(code => [
      code.loanCode,
      { code, order: orderOf.get(code.orderNo) as LoanFacts['order'], ...(restOf.get(code.loanCode) as Rest) },
    ]),
  )
}

const wrongCode = ({ code }: Pick<LoanFacts, 'code'>) => stateConflict(code.loanCodeStatus, 'LOAN_CODE_STATUS')
const wrongOrder = ({ order }: Pick<LoanFacts, 'order'>) => stateConflict(order.orderStatus, 'ORDER_STATUS')
const conflict = (
  ...[key, params]: [ConstructorParameters<typeof Fault>[1], ConstructorParameters<typeof Fault>[2]?]
) => new Fault('stateConflict', key, params)

const cancel = (facts: LoanFacts) => {
  const { code, order } = facts
  if (['remitting', 'unknown'].includes(code.loanCodeStatus))
    return new Fault('stateConflict', 'errors.payoutInProgress', {}, { status: code.loanCodeStatus })
  if (!can(machines.loanCode, code.loanCodeStatus, 'code.cancel')) return null
  return can(machines.order, order.orderStatus, 'order.cancel', loan.cancel.perm) ? null : wrongOrder(facts)
}

const release = ({ code }: LoanFacts) =>
  code.loanCodeStatus === 'created' && code.waitReason !== 'blacklist_check' ? conflict('errors.notListed') : null

const retry = (facts: LoanFacts) => {
  const { code, order } = facts
  if (code.loanCodeStatus !== 'failed') return null
  if (order.orderStatus !== 'loan_failed') return wrongOrder(facts)
  if (code.attemptNo >= maxAttempts) return conflict('errors.attemptsUsed', { max: maxAttempts })
  if (!isSamePayee(order, code)) return conflict('errors.payeeCorrected')
  return isProvenPayee(code.verifyResult) ? null : conflict('errors.payeeNotVerified')
}

/** Another account may be named while the payout has failed and its order still waits for one. */
const correct = (facts: LoanFacts) =>
  facts.code.loanCodeStatus !== 'failed' || ['loan_failed', 're_withdrawal_allowed'].includes(facts.order.orderStatus)
    ? null
    : wrongOrder(facts)

const recreate = (facts: LoanFacts) => {
  const { code, order } = facts
  if (code.loanCodeStatus !== 'failed') return null
  if (isSamePayee(order, code)) return correct(facts) ?? conflict('errors.payeeUnchanged')
  return correct(facts) ?? (isProvenPayee(order.payoutVerify) ? null : conflict('errors.payeeNotVerified'))
}

const allowReWithdraw = (facts: LoanFacts) => {
  const { code, newest } = facts
  if (!newest || code.loanCodeStatus !== 'failed') return wrongCode(facts)
  return correctableFailures.includes(code.failType ?? '') ? null : conflict('errors.notCorrectable')
}

const open = (facts: LoanFacts) => (['created', 'failed'].includes(facts.code.loanCodeStatus) ? null : wrongCode(facts))

const markChecked = (facts: LoanFacts) => {
  const { payoutType, verifyResult } = facts.code
  if (open(facts)) return open(facts)
  if (isProvenPayee(verifyResult)) return conflict('errors.payeeIsVerified')
  return payoutType === 'bank' || verifyResult === 'failed' ? null : conflict('errors.networkCanTell')
}

const query = (facts: LoanFacts) => {
  if (!['remitting', 'unknown'].includes(facts.code.loanCodeStatus)) return wrongCode(facts)
  return facts.code.channel === 'bank_file' ? conflict('errors.bankAnswersByFile') : null
}

type Sent = Pick<LoanFacts, 'attemptStatus' | 'batchNo' | 'sentTime'>

/** Why the outcome of a send is not yet to be decided by hand. */
export const tooEarly = (tx: Tx, { attemptStatus, batchNo, sentTime }: Sent): Fault | null => {
  if (attemptStatus === 'prepared' && batchNo) return conflict('errors.downloadBankFile')
  const age = sentTime ? tx.now.getTime() - Date.parse(sentTime) : 0
  return age < confirmAfterMinutes * 60_000
    ? conflict('errors.tooEarlyToConfirm', { minutes: confirmAfterMinutes })
    : null
}

const confirm = (facts: LoanFacts, { tx, session }: Asker) => {
  if (!['remitting', 'unknown'].includes(facts.code.loanCodeStatus)) return null
  if (session && facts.firstBy === session.userNo) return new Fault('forbidden', 'errors.makerChecker')
  if (session && facts.changers.includes(session.userNo)) return new Fault('forbidden', 'errors.payeeChanger')
  return tooEarly(tx, facts)
}

const cancelPaid = (facts: LoanFacts, { tx }: Asker) => {
  const { code, order, repaid, returned } = facts
  if (code.loanCodeStatus !== 'success') return null
  if (order.orderStatus !== 'funds_disbursed') return wrongOrder(facts)
  if (repaid) return conflict('errors.repaymentExists')
  const late = !order.payoutDate || diffDays(order.payoutDate, tx.today) > cancelPaidDays
  return late && !returned ? conflict('errors.cancelPaidTooLate', { days: cancelPaidDays }) : null
}

/** A code that is held back goes on once every payment of its order that nobody expected is explained. */
const unblock = ({ code, unexpected }: LoanFacts) => {
  if (code.loanCodeStatus !== 'created') return null
  if (code.waitReason !== 'blocked') return conflict('errors.notBlocked')
  return unexpected ? conflict('errors.exceptionOpen') : null
}

/** Why payouts do not take what people would do with them. */
export const loanBlocks = blocks<LoanFacts>({
  read,
  states: ({ code, order }) => ({ loanCode: code.loanCodeStatus, order: order.orderStatus }),
  waits: ({ waits }) => waits,
  commands: [
    { command: loan.cancel, refuses: cancel },
    { command: loan.release, refuses: release },
    { command: loan.retry, refuses: retry },
    { command: loan.userInfo, refuses: correct },
    { command: loan.recreate, refuses: recreate },
    { command: loan.allowReWithdraw, refuses: allowReWithdraw },
    { command: loan.verify, refuses: open },
    { command: loan.markChecked, refuses: markChecked },
    { command: loan.channel },
    { command: loan.query, refuses: query, evenWhileWaiting: true },
    { command: loan.confirm, refuses: confirm },
    { command: loan.cancelPaid, refuses: cancelPaid },
    { command: loan.abortCancelPaid },
    { command: recon.unblock, refuses: unblock },
  ],
})
