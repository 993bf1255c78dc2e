import { type RawBuilder, sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import type { Money } from '../../../../core/rules/money.ts'
import { type Asker, blocks } from '../../../approval/blocks.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault, stateConflict } from '../../../http/fault.ts'
import { tooEarly } from '../send/confirm.ts'
import type { Refund } from './refund-store.ts'

/** Sends of one payee that may be tried before somebody has to look at the payee. */
export const maxAttempts = 5

/** What decides what may be done with a refund. */
export type RefundFacts = {
  refund: Refund
  attemptStatus: string | null
  sentTime: string | null
  /** The channel of its newest send. */
  sentOver: string | null
  firstBy: string | null
  /** What the overflow holds in all. */
  balance: Money
}

const mine: (keys: readonly string[]) => RawBuilder<unknown> = keys => sql`r.refund_no = any(${[...keys]})`

const read = async (tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, RefundFacts>> => {
  const refunds = await tx.rows(sql<Refund>`select r.* from client_refund r where ${mine(keys)}`)
  const rest = await tx.rows(sql<Omit<RefundFacts, 'refund'> & { refundNo: string }>`
    select r.refund_no, ga.attempt_status, ga.sent_time, ga.channel as sent_over, (v.credited - v.refunded - v.reapplied)::numeric(18,2) as balance,
      (select cf.first_by from loan_code_confirm cf where cf.parent_kind = 'refund' and cf.parent_no = r.refund_no and cf.confirm_status = 'first_confirmed') as first_by
    from client_refund r join overpayment v on v.overpayment_no = r.overpayment_no
      left join gateway_attempt ga on ga.parent_kind = 'refund' and ga.parent_no = r.refund_no and ga.attempt_no = r.attempt_no
    where ${mine(keys)}`)
  const restOf = new Map(rest.map(({ refundNo, ...one }) => [refundNo, one]))
  return new Map(
    refunds.map(refund => [refund.refundNo, { refund, ...(restOf.get(refund.refundNo) as (typeof rest)[number]) }]),
  )
}

const conflict = (...[key, params]: [ConstructorParameters<typeof Fault>[1], Record<string, string | number>?]) =>
  new Fault('stateConflict', key, params)
const wrong = ({ refund }: RefundFacts) => stateConflict(refund.refundStatus, 'REFUND_STATUS')

const isProven = ({ verifyStatus, ignoreVerification }: Refund) => verifyStatus === 'passed' || ignoreVerification

/** Nobody decides about, or pays, what they asked for. */
const asked = ({ refund }: RefundFacts, { session }: Asker) =>
  session && refund.askedBy.includes(session.userNo) ? new Fault('forbidden', 'errors.refundOwn') : null

/** While its review is not decided, and it was not closed. */
const inReview = (facts: RefundFacts) => (facts.refund.refundStatus === 'created' ? null : wrong(facts))

const approve = (facts: RefundFacts, at: Asker) => {
  const { refund } = facts
  if (refund.auditStatus !== 'pending' || inReview(facts)) return inReview(facts)
  if (asked(facts, at)) return asked(facts, at)
  if (!isProven(refund)) return conflict('errors.receiptNotVerified')
  return at.session && refund.verifyStatus !== 'passed' && refund.ignoredBy === at.session.userNo
    ? new Fault('forbidden', 'errors.ignoredAlone')
    : null
}

const reject = (facts: RefundFacts, at: Asker) =>
  facts.refund.auditStatus === 'pending' ? (inReview(facts) ?? asked(facts, at)) : inReview(facts)

const resubmit = (facts: RefundFacts, { session }: Asker) => {
  const { refund } = facts
  if (refund.auditStatus !== 'rejected') return null
  if (inReview(facts)) return inReview(facts)
  return session && refund.makerNo !== session.userNo ? new Fault('forbidden', 'errors.onlyMaker') : null
}

const verify = (facts: RefundFacts) => inReview(facts)

const ignore = (facts: RefundFacts, at: Asker) => {
  const { refund } = facts
  if (inReview(facts)) return inReview(facts)
  if (refund.auditStatus !== 'pending') return stateConflict(refund.auditStatus, 'REFUND_AUDIT_STATUS')
  return refund.verifyStatus === 'passed' ? null : asked(facts, at)
}

const payout = (facts: RefundFacts, at: Asker) => {
  const { refund } = facts
  if (refund.refundStatus !== 'created') return null
  if (refund.auditStatus !== 'approved') return conflict('errors.refundNotApproved')
  if (!isProven(refund)) return conflict('errors.receiptNotVerified')
  return asked(facts, at)
}

const byNetwork = (facts: RefundFacts, at: Asker) =>
  facts.refund.refundStatus === 'created' && facts.refund.channel === 'bank_file'
    ? conflict('errors.paidByHand')
    : payout(facts, at)

const again = (facts: RefundFacts, at: Asker) => {
  const { refund } = facts
  if (refund.refundStatus !== 'failure') return null
  if (refund.attemptNo >= maxAttempts) return conflict('errors.refundAttemptsUsed', { max: maxAttempts })
  return asked(facts, at)
}

const byHand = (facts: RefundFacts, at: Asker) =>
  facts.refund.refundStatus === 'created' && facts.refund.channel !== 'bank_file'
    ? conflict('errors.channelSends')
    : payout(facts, at)

const close = (facts: RefundFacts, { session }: Asker) => {
  const { refund } = facts
  if (!['created', 'failure'].includes(refund.refundStatus)) return null
  if (refund.refundStatus === 'created' && refund.auditStatus === 'approved') return conflict('errors.refundApproved')
  const own = session && refund.makerNo === session.userNo && session.perms.has('refund:submit')
  return !session || own || session.perms.has('refund:check') ? null : new Fault('forbidden', 'errors.onlyMaker')
}

const query = (facts: RefundFacts) => {
  if (facts.refund.refundStatus !== 'in_progress') return wrong(facts)
  return facts.sentOver === 'bank_file' ? conflict('errors.bankAnswersByFile') : null
}

const confirm = (facts: RefundFacts, { tx, session }: Asker) => {
  if (facts.refund.refundStatus !== 'in_progress') return null
  if (session && (facts.firstBy === session.userNo || facts.refund.askedBy.includes(session.userNo)))
    return new Fault('forbidden', 'errors.makerChecker')
  return tooEarly(tx.now, { sentTime: facts.sentTime, channel: facts.sentOver })
}

/** Taken back while it is approved and no money has left. */
const revoke = (facts: RefundFacts) => (facts.refund.auditStatus === 'approved' ? inReview(facts) : null)

/** Why refunds do not take what people would do with them. */
export const refundBlocks = blocks<RefundFacts>({
  read,
  states: ({ refund }) => ({
    refund: refund.refundStatus,
    refundAudit: refund.auditStatus,
    refundVerification: refund.verifyStatus,
  }),
  commands: [
    { command: calls.resubmit, refuses: resubmit },
    { command: calls.editPayee },
    { command: calls.close, refuses: close },
    { command: calls.verify, refuses: verify },
    { command: calls.ignore, refuses: ignore },
    { command: calls.approve, refuses: approve },
    { command: calls.reject, refuses: reject },
    { command: calls.revoke, refuses: revoke },
    { command: calls.payout, refuses: byNetwork },
    { command: calls.again, refuses: again },
    { command: calls.sent, refuses: byHand },
    { command: calls.query, refuses: query },
    { command: calls.confirm, refuses: confirm },
  ],
})
