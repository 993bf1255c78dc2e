import { sql } from 'kysely'
import { transfer as calls } from '../../../../core/contract/charge/transfer.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { type Call, type Served, serve, serveWork } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { transition } from '../../../states/transition.ts'
import { type AskTimes, wording } from '../../after-loan/payout/index.ts'
import { confirmRefusal, confirmSent } from '../send/confirm.ts'
import { freeSerial, fundAccount, needSending, type PayingAccount, sendOut } from '../send/dispatch.ts'
import { newestAttempt } from '../send/payable.ts'
import { askNow } from '../send/sender.ts'
import { held, noted, standingOf } from './transfer-apply.ts'
import { refuseSamePerson } from './transfer-audit.ts'
import { transferSender } from './transfer-sender.ts'
import { payableOf, reread, type Transfer } from './transfer-store.ts'

/** Lets the money of a locked transfer leave; its account is looked at again, under the lock that every send takes. */
const send = async (call: Call, before: Transfer, byHand?: { serialNo: string }) => {
  const { tx, actor } = call
  await refuseSamePerson(tx, before, actor)
  const from = (await fundAccount(tx, before.fromAccountNo)) as PayingAccount
  const to = (await fundAccount(tx, before.toAccountNo)) as PayingAccount
  if (!byHand) needSending(from)
  const set = { attemptNo: before.attemptNo + 1, payerUserNo: actor.no, failType: null, failReason: null }
  const moved = await transition(tx, 'transferApplication', before, { event: 'transfer.payout', set }, actor)
  const way = { from, amount: before.transferAmount, payee: to.accountNumber, ...(byHand ? { byHand } : {}) }
  await sendOut(tx, payableOf(tx, moved), way, actor)
  return moved
}

/** Somebody other than the applicant pays over the channel of the account. */
const payout = serve(calls.payout, async call => {
  const before = await held(call, calls.payout)
  const moved = await send(call as Call, before)
  noted(call, moved.transferNo, { transferStatus: before.transferStatus }, { transferStatus: 'paying' })
  return standingOf(moved)
})

/** It was paid at the bank by hand. */
const markSent = serve(calls.sent, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.sent)
  const { transferNo, fromAccountNo } = before
  const { serialNo } = input
  const from = (await fundAccount(tx, fromAccountNo)) as PayingAccount
  await freeSerial(tx, { channel: from.channel, serialNo, externalId: `${transferNo}-${before.attemptNo + 1}` })
  const about = { objectType: 'transfer', objectNo: transferNo, decision: 'transfer.markSent' }
  const shown = await attachEvidence(tx, input.evidence, about, actor)
  const moved = await send(call as Call, before, { serialNo })
  const was = { transferStatus: before.transferStatus }
  noted(call, transferNo, was, { transferStatus: 'paying', serialNo, ...shown })
  return standingOf(moved)
})

/** Asks the network at once what became of a transfer. */
const query = (payments: Deps['payout'], times: AskTimes) => {
  const { before, work, after } = askNow(transferSender, payments, times)
  return serveWork(calls.query, {
    async before(call) {
      const { transferNo, attemptNo } = await held(call, calls.query)
      return before(call.tx, `${transferNo}-${attemptNo}`)
    },
    work,
    async after(call, answered) {
      const { tx, request, input } = call
      const { answer } = answered
      await after(tx, answered)
      const { transferStatus } = await reread(tx, input.transferNo)
      noted(call, input.transferNo, { transferStatus: 'paying' }, { transferStatus, answer: answer.kind })
      return { transferStatus: transferStatus as 'paying', answer: wording(answer, request) }
    },
  })
}

/** Two persons confirm by a statement the outcome of a transfer that nobody else tells. */
const confirm = serve(calls.confirm, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.confirm)
  const { transferNo } = before
  const payable = payableOf(tx, before)
  const sent = { payable, attempt: await newestAttempt(tx, payable) }
  const refusal = await confirmRefusal(tx, sent, [before.makerNo], actor)
  if (refusal) {
    noted(call, transferNo, null, { refused: refusal.key })
    return refusal
  }
  const { record, shown } = await confirmSent(tx, sent, input, actor)
  const { confirmStatus } = record
  if (confirmStatus !== 'confirmed')
    await tx.exec(sql`update transfer_apply set version = version + 1 where transfer_no = ${transferNo}`)
  const { transferStatus } = await reread(tx, transferNo)
  const { result, serialNo, statementDate } = input
  const logged = { confirmStatus, result, serialNo: serialNo ?? null, statementDate, ...shown }
  noted(call, transferNo, { transferStatus: before.transferStatus }, { transferStatus, ...logged })
  return { confirmStatus: confirmStatus as 'confirmed', transferStatus: transferStatus as 'paid' }
})

/** What lets the money of transfers leave, and says what became of it. */
export const payoutServed = (payments: Deps['payout'], times: AskTimes): Served[] => [
  payout,
  markSent,
  query(payments, times),
  confirm,
]
