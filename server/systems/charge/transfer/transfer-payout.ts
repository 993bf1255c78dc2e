import { transfer as calls } from '../../../../core/contract/charge/transfer.ts'
import type { Tx } from '../../../db/database.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { Fault } from '../../../http/fault.ts'
import { type Call, type Served, serve, serveWork } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import { transition } from '../../../states/transition.ts'
import type { AskTimes } from '../../after-loan/payout/index.ts'
import { confirmOutcome } from '../send/confirm.ts'
import { freeSerial, fundAccount, needSending, type PayingAccount, sendOut } from '../send/dispatch.ts'
import { askNow } from '../send/sender.ts'
import { held, noted, standingOf } from './transfer-apply.ts'
import { refuseSamePerson } from './transfer-audit.ts'
import { transferSender } from './transfer-sender.ts'
import { payableOf, reread, type Transfer } from './transfer-store.ts'

const statusOf = (tx: Tx, transferNo: string) => ({
  field: 'transferStatus',
  now: async () => (await reread(tx, transferNo)).transferStatus as 'paid',
})

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
      const { transferNo: no } = call.input
      const found = await after(call, answered, { no, running: 'paying', status: statusOf(call.tx, no) })
      return { transferStatus: found.status, answer: found.answer }
    },
  })
}

/** Two persons confirm by a statement the outcome of a transfer that nobody else tells. */
const confirm = serve(calls.confirm, async call => {
  const before = await held(call, calls.confirm)
  const status = statusOf(call.tx, before.transferNo)
  const said = await confirmOutcome(call, { payable: payableOf(call.tx, before), involved: [before.makerNo], status })
  return said instanceof Fault ? said : { confirmStatus: said.confirmStatus, transferStatus: said.status }
})

/** What lets the money of transfers leave, and says what became of it. */
export const payoutServed = (payments: Deps['payout'], times: AskTimes): Served[] => [
  payout,
  markSent,
  query(payments, times),
  confirm,
]
