import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { bankBatch } from '../../../../core/contract/after-loan/bank-batch.ts'
import type { OutputOf } from '../../../../core/contract/endpoint.ts'
import { formatMoney, type Money, sum } from '../../../../core/rules/money.ts'
import { requestApproval } from '../../../approval/approval.ts'
import type { Tx } from '../../../db/database.ts'
import { groupOutcomeOf, outcomeOf } from '../../../gateways/bank/outcomes.ts'
import type { BankAnswer } from '../../../gateways/bank/pain-002.ts'
import { Fault } from '../../../http/fault.ts'
import type { Call } from '../../../http/serve.ts'
import type { ApprovalAction } from '../../../module.ts'
import { type Brought, judge, noteEvent, passOn, type Source, store } from './bank-answer.ts'

const action = 'payout.bankAnswer'
const perm = 'fund:payout:bankFile'

type Payment = { externalId: string; amount: Money; merchantNo: string }
type Held = OutputOf<typeof bankBatch.answer>

const paymentsIn = (tx: Tx, batchNo: string) =>
  tx.rows(sql<Payment>`
    select ga.external_id, ga.amount, o.merchant_no from gateway_attempt ga
    join loan_code lc on lc.loan_code = ga.parent_no join loan_order o on o.order_no = lc.order_no where ga.batch_no = ${batchNo}`)

/** What the answer would make of the payments of the file: how many of each kind, and their sum. */
const effectOf = (answer: BankAnswer, payments: readonly Payment[]) => {
  const kindOf = ({ externalId }: Payment) => {
    const own = answer.payments.find(one => one.externalId === externalId)
    return (own ? outcomeOf(own) : groupOutcomeOf(answer))?.kind ?? 'unnamed'
  }
  return (...kinds: ReturnType<typeof kindOf>[]) => {
    const those = payments.filter(payment => kinds.includes(kindOf(payment)))
    return `${those.length} · UGX ${formatMoney(sum(those.map(({ amount }) => amount)))}`
  }
}

/**
 * Keeps an answer that a person brought, and asks a second one to agree to it: a typed answer can say of every payment
 * that it did not arrive, and have it paid again.
 */
export const holdAnswer = async (
  call: Pick<Call, 'tx' | 'session' | 'actor'>,
  brought: Brought,
  from: Source,
): Promise<Held> => {
  const { tx } = call
  const { answer, fileName, bytes } = brought
  const event = await store(tx, brought)
  const isTaken = event.outcome?.startsWith('taken') ?? false
  const outcome = await judge(tx, answer, from)
  const kept = { taken: 0, ignored: answer?.payments.length ?? 0, approvalNo: null }
  if (!answer || outcome !== 'taken') {
    if (!isTaken) await noteEvent(tx, event.eventNo, outcome)
    return { ...kept, outcome }
  }
  if (isTaken) return { ...kept, outcome: 'repeated' }
  const { batchNo } = answer
  const payments = await paymentsIn(tx, batchNo)
  const merchants = [...new Set(payments.map(({ merchantNo }) => merchantNo))]
  const effect = effectOf(answer, payments)
  const named = answer.payments.filter(one => payments.some(({ externalId }) => externalId === one.externalId)).length
  const line = (label: string, after: string) => ({ label, before: null, after })
  const approvalNo = await requestApproval(call, {
    action,
    perm,
    objectType: 'bankBatch',
    objectNo: batchNo,
    merchantNo: merchants.length === 1 ? merchants[0] : undefined,
    version: 0,
    payload: { eventNo: event.eventNo, sha256: createHash('sha256').update(bytes).digest('hex'), answer },
    summary: [
      line('fields.fileName', fileName),
      line('fields.batchNo', batchNo),
      line('afterLoan.filePaid', effect('success')),
      line('afterLoan.fileNotPaid', effect('failure')),
      line('afterLoan.fileOpen', effect('pending', 'unknown', 'unnamed')),
    ],
  })
  await noteEvent(tx, event.eventNo, `waiting ${approvalNo}`)
  return { outcome: 'waiting', taken: 0, ignored: answer.payments.length - named, approvalNo }
}

type Payload = { eventNo: number; answer: BankAnswer }

/** Nothing of an answer counts before this. What the bank itself laid down in the meantime stays as it is. */
export const answerApproval: ApprovalAction = {
  action,
  perm,
  money: true,
  async execute(tx, { payload }) {
    const { eventNo, answer } = payload as Payload
    const event = await tx.one(
      sql<{ outcome: string | null }>`select outcome from inbound_event where event_no = ${eventNo} for update`,
    )
    if (!event.outcome?.startsWith('waiting')) throw new Fault('stateConflict', 'errors.nothingToConfirm')
    const { taken, ignored } = await passOn(tx, eventNo, answer)
    await noteEvent(tx, eventNo, `taken ${taken}, ignored ${ignored}`)
  },
  async drop(tx, { payload, how }) {
    const { eventNo } = payload as Payload
    await tx.exec(sql`
      update inbound_event set handled_time = ${tx.now}, outcome = ${how} where event_no = ${eventNo} and outcome like 'waiting%'`)
  },
}
