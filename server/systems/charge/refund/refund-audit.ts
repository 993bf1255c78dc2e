import { sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import { pathOf } from '../../../../core/contract/pages.ts'
import { lt } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { keepAsEvidence } from '../../../files/uploads/stored.ts'
import { Fault } from '../../../http/fault.ts'
import { serve, serveEach } from '../../../http/serve.ts'
import { tell } from '../../../messages/message.ts'
import type { Actor } from '../../../rights/actor.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { transition } from '../../../states/transition.ts'
import { refundBlocks } from './refund-blocks.ts'
import { type HeldRefund, lockRefund, type Refund } from './refund-store.ts'
import { held, noted, standingOf } from './refund-submit.ts'

/** The refusal of a second account of somebody who asked for the refund. */
export const refuseSamePerson = async (tx: Tx, { askedBy }: Refund, actor: Actor): Promise<void> => {
  const marks = await sharedMarks(tx, actor.no, askedBy)
  if (marks.length > 0) throw samePersonFault(marks)
}

/** What was promised is still there to be paid. */
const checkCovered = ({ refund, overpayment }: HeldRefund) => {
  if (overpayment.overpaymentStatus !== 'locked' || lt(overpayment.reserved, refund.refundAmount))
    throw new Fault('stateConflict', 'errors.refundNotCovered')
}

/** Other customers whose money goes to the same account. */
const sharing = (tx: Tx, { payeeAccount, customerNo }: Refund) =>
  tx.maybe(sql<{ customers: number }>`
    select count(distinct customer_no)::int as customers from client_refund
    where payee_account = ${payeeAccount} and customer_no <> ${customerNo} and refund_status <> 'closed' having count(*) > 0`)

const isDoubtful = ({ samePayer, verifyStatus }: Refund) => !samePayer || verifyStatus !== 'passed'

/** A checker agrees. Several at once are those beyond doubt: proven accounts that the money came from. */
const approve = serveEach(calls.approve, {
  async prepare({ tx, input, proven }) {
    const doubtful = await tx.maybe(sql`
      select 1 from client_refund where refund_no = any(${input.refundNos}) and (not same_payer or verify_status <> 'passed') limit 1`)
    if (doubtful) await proven('refund:check')
  },
  ids: ({ refundNos }) => [...new Set(refundNos)],
  async row(id, call) {
    const { tx, session, actor, input } = call
    const found = await lockRefund(tx, session, id)
    const { refund } = found
    await refundBlocks.check(call, calls.approve, id)
    await refuseSamePerson(tx, refund, actor)
    if (input.refundNos.length > 1 && isDoubtful(refund)) throw new Fault('stateConflict', 'errors.approveOneByOne')
    checkCovered(found)
    const others = await sharing(tx, refund)
    if (others && !input.sharedAccountSeen)
      throw new Fault(
        'needsConfirmation',
        'errors.accountShared',
        { n: others.customers },
        { confirm: ['sharedAccountSeen'] },
      )
    const set = { auditorNo: actor.no, auditorName: actor.name, auditTime: tx.now, auditReason: null }
    await transition(tx, 'refundAudit', refund, { event: 'audit.approve', set }, actor)
    await keepAsEvidence(tx, { objectType: 'refund', objectNo: id, decision: 'refund.approve' })
    const seen = others ? { sharedAccountSeen: others.customers } : {}
    noted(call, id, { auditStatus: 'pending' }, { auditStatus: 'approved', refundAmount: refund.refundAmount, ...seen })
  },
})

/** Its maker hears why a refund came back. */
const reject = serve(calls.reject, async call => {
  const { tx, actor, input } = call
  const { refund } = await held(call, calls.reject)
  await refuseSamePerson(tx, refund, actor)
  const { rejectReason, remark } = input
  const auditReason = remark ? `${rejectReason}: ${remark}` : rejectReason
  const set = { auditorNo: actor.no, auditorName: actor.name, auditTime: tx.now, auditReason }
  const moved = await transition(
    tx,
    'refundAudit',
    refund,
    { event: 'audit.reject', set, payload: { rejectReason } },
    actor,
  )
  tell(tx, {
    to: refund.makerNo,
    messageType: 'notice',
    template: 'refundRejected',
    params: { refundNo: refund.refundNo, reason: `dict.REFUND_REJECT_REASON.${rejectReason}`, remark: remark ?? '' },
    objectType: 'refund',
    objectNo: refund.refundNo,
    route: `${pathOf('ChargeToAnAccountSystem', 'ClientRefundManagement')}?refundNo=${refund.refundNo}`,
  })
  noted(call, refund.refundNo, { auditStatus: 'pending' }, { auditStatus: 'rejected', rejectReason, remark })
  return standingOf(moved)
})

/** An approval is taken back while no money has left. */
const revoke = serve(calls.revoke, async call => {
  const { tx, actor, input } = call
  const { refund } = await held(call, calls.revoke)
  const set = { auditorNo: null, auditorName: null, auditTime: null, auditReason: input.reason, submitTime: tx.now }
  const moved = await transition(
    tx,
    'refundAudit',
    refund,
    { event: 'audit.revoke', set, payload: { reason: input.reason } },
    actor,
  )
  noted(call, refund.refundNo, { auditStatus: 'approved' }, { auditStatus: 'pending', reason: input.reason })
  return standingOf(moved)
})

/** What checkers decide. */
export const auditServed = [approve, reject, revoke]
