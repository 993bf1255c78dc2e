import { sql } from 'kysely'
import { transfer as calls } from '../../../../core/contract/charge/transfer.ts'
import { pathOf } from '../../../../core/contract/pages.ts'
import type { Tx } from '../../../db/database.ts'
import { keepAsEvidence } from '../../../files/uploads/stored.ts'
import { serve } from '../../../http/serve.ts'
import { tell } from '../../../messages/message.ts'
import type { Actor } from '../../../rights/actor.ts'
import { samePersonFault, sharedMarks } from '../../../rights/same-person.ts'
import { transition } from '../../../states/transition.ts'
import { held, noted, standingOf } from './transfer-apply.ts'
import type { Transfer } from './transfer-store.ts'

const approversOf = async (tx: Tx, { transferNo, round }: Transfer) =>
  (
    await tx.rows(
      sql<{
        userNo: string
      }>`select user_no from transfer_approval where transfer_no = ${transferNo} and round = ${round}`,
    )
  ).map(row => row.userNo)

/** The refusal of a second account of somebody who asked for it, or approved it first. */
export const refuseSamePerson = async (tx: Tx, transfer: Transfer, actor: Actor, also: readonly string[] = []) => {
  const marks = await sharedMarks(tx, actor.no, [transfer.makerNo, ...also])
  if (marks.length > 0) throw samePersonFault(marks)
}

/** A checker agrees; where two are needed the first leaves it as it is. */
const approve = serve(calls.approve, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.approve)
  const { transferNo, round, makerNo, approvalNeeded } = before
  const earlier = await approversOf(tx, before)
  await refuseSamePerson(tx, before, actor, earlier)
  await tx.exec(sql`
    insert into transfer_approval (transfer_no, round, user_no, real_name, maker_no, approved_time, remark)
    values (${transferNo}, ${round}, ${actor.no}, ${actor.name}, ${makerNo}, ${tx.now}, ${input.remark || null})`)
  const approvalCount = earlier.length + 1
  const as = approvalCount < approvalNeeded ? 'first' : 'approve'
  const payload = { approvalCount, approvalNeeded }
  const moved = await transition(tx, 'transferApplication', before, { event: 'transfer.audit', as, payload }, actor)
  if (as === 'approve')
    await keepAsEvidence(tx, { objectType: 'transfer', objectNo: transferNo, decision: 'transfer.approve' })
  noted(call, transferNo, { transferStatus: 'pending' }, { transferStatus: moved.transferStatus, ...payload })
  return { ...standingOf(moved), approvalCount }
})

/** Its maker hears why a transfer came back; who approved before counts no more. */
const reject = serve(calls.reject, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.reject)
  await refuseSamePerson(tx, before, actor)
  const { reason } = input
  const made = { event: 'transfer.audit', as: 'reject', set: { auditReason: reason }, payload: { reason } }
  const moved = await transition(tx, 'transferApplication', before, made, actor)
  const { transferNo } = moved
  tell(tx, {
    to: moved.makerNo,
    messageType: 'notice',
    template: 'transferRejected',
    params: { transferNo, reason },
    objectType: 'transfer',
    objectNo: transferNo,
    route: `${pathOf('ChargeToAnAccountSystem', 'CashTransferApplyFor')}?transferNo=${transferNo}`,
  })
  noted(call, transferNo, { transferStatus: 'pending' }, { transferStatus: 'rejected', reason })
  return standingOf(moved)
})

/** What checkers decide. */
export const auditServed = [approve, reject]
