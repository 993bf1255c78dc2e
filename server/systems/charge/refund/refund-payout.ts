import { sql } from 'kysely'
import { refund as calls } from '../../../../core/contract/charge/refund.ts'
import type { Tx } from '../../../db/database.ts'
import { attachEvidence } from '../../../files/uploads/stored.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type Call, type Served, serve, serveEach, serveWork } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import type { Actor } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import type { AskTimes } from '../../after-loan/payout/index.ts'
import { confirmOutcome } from '../send/confirm.ts'
import { freeSerial, fundAccount, needSending, type PayingAccount, sendOut } from '../send/dispatch.ts'
import { askNow } from '../send/sender.ts'
import { refuseSamePerson } from './refund-audit.ts'
import { refundBlocks } from './refund-blocks.ts'
import { refundSender } from './refund-sender.ts'
import { type HeldRefund, lockRefund, payableOf, type Refund, reread } from './refund-store.ts'
import { held, noted, standingOf } from './refund-submit.ts'

const statusOf = (tx: Tx, refundNo: string) => ({
  field: 'refundStatus',
  now: async () => (await reread(tx, refundNo)).refundStatus as 'success',
})

/** An account of ours that pays refunds of a merchant over a channel. */
const payingAccount = async (
  tx: Tx,
  fundAccountNo: string,
  { channel, merchantNo }: Refund,
): Promise<PayingAccount> => {
  const from = await fundAccount(tx, fundAccountNo)
  const serves = await tx.maybe(sql`
    select 1 from fund_account fa join fund_account_merchant fm using (fund_account_no)
    where fa.fund_account_no = ${fundAccountNo} and fm.merchant_no = ${merchantNo} and fa.account_role in ('payout', 'both')`)
  if (!from?.enabled || from.channel !== channel || !serves) throw invalid('fundAccountNo', 'validation.accountUnfit')
  return from
}

type Out = { event: 'refund.payout' | 'refund.again'; from: PayingAccount; byHand?: { serialNo: string } }

/** Lets the money of a locked refund leave. */
const send = async (tx: Tx, found: HeldRefund, { event, from, byHand }: Out, actor: Actor): Promise<Refund> => {
  const { refund } = found
  if (!byHand) needSending(from)
  const set = {
    attemptNo: refund.attemptNo + 1,
    fundAccountNo: from.fundAccountNo,
    payerUserNo: actor.no,
    payerUserName: actor.name,
    failType: null,
    failReason: null,
  }
  const moved = await transition(tx, 'refund', refund, { event, set }, actor)
  const payable = payableOf(tx, { ...found, refund: moved })
  const way = { from, amount: refund.refundAmount, payee: refund.payeeAccount, ...(byHand ? { byHand } : {}) }
  await sendOut(tx, payable, way, actor)
  return moved
}

/** The cashier pays approved refunds out of one account. */
const payout = serveEach(calls.payout, {
  ids: ({ refundNos }) => [...new Set(refundNos)],
  async row(id, call) {
    const { tx, session, actor, input } = call
    const found = await lockRefund(tx, session, id)
    await refundBlocks.check(call, calls.payout, id)
    await refuseSamePerson(tx, found.refund, actor)
    const from = await payingAccount(tx, input.fundAccountNo, found.refund)
    await send(tx, found, { event: 'refund.payout', from }, actor)
    noted(call, id, { refundStatus: 'created' }, { refundStatus: 'in_progress', fundAccountNo: from.fundAccountNo })
  },
})

type Given = { fundAccountNo: string; serialNo?: string | undefined; evidence?: string | undefined }

/** What was paid by hand names the bank's serial, and shows it. */
const handOf = async ({ tx, actor }: Call, { refund }: HeldRefund, { serialNo, evidence }: Given) => {
  if (!serialNo) throw invalid('serialNo', 'validation.serialEmpty')
  if (!evidence) throw invalid('evidence', 'validation.contentEmpty')
  const externalId = `${refund.refundNo}-${refund.attemptNo + 1}`
  await freeSerial(tx, { channel: refund.channel, serialNo, externalId })
  const about = { objectType: 'refund', objectNo: refund.refundNo, decision: 'refund.markSent' }
  return { serialNo, shown: await attachEvidence(tx, evidence, about, actor) }
}

const paidOut = async (call: Call<Given>, found: HeldRefund, event: Out['event'], byHand: boolean) => {
  const { tx, actor, input } = call
  const { refund } = found
  await refuseSamePerson(tx, refund, actor)
  const from = await payingAccount(tx, input.fundAccountNo, refund)
  const hand = byHand ? await handOf(call, found, input) : undefined
  await send(tx, found, { event, from, ...(hand ? { byHand: { serialNo: hand.serialNo } } : {}) }, actor)
  const logged = { fundAccountNo: from.fundAccountNo, ...(hand ? { serialNo: hand.serialNo, ...hand.shown } : {}) }
  noted(
    call as Call,
    refund.refundNo,
    { refundStatus: refund.refundStatus },
    { refundStatus: 'in_progress', ...logged },
  )
  return standingOf(await reread(tx, refund.refundNo))
}

/** Once more under a new reference, because the last send failed for good. */
const again = serve(calls.again, async call => {
  const found = await held(call, calls.again)
  return paidOut(call, found, 'refund.again', found.refund.channel === 'bank_file')
})

/** The cashier has paid at the bank by hand. */
const markSent = serve(calls.sent, async call => paidOut(call, await held(call, calls.sent), 'refund.payout', true))

/** Asks the network at once what became of a refund. */
const query = (payments: Deps['payout'], times: AskTimes) => {
  const { before, work, after } = askNow(refundSender, payments, times)
  return serveWork(calls.query, {
    async before(call) {
      const { refund } = await held(call, calls.query)
      return before(call.tx, `${refund.refundNo}-${refund.attemptNo}`)
    },
    work,
    async after(call, answered) {
      const { refundNo: no } = call.input
      const found = await after(call, answered, { no, running: 'in_progress', status: statusOf(call.tx, no) })
      return { refundStatus: found.status, answer: found.answer }
    },
  })
}

/** Two persons confirm by a statement the outcome of a refund that nobody else tells. */
const confirm = serve(calls.confirm, async call => {
  const found = await held(call, calls.confirm)
  const { refundNo, askedBy: involved } = found.refund
  const said = await confirmOutcome(call, {
    payable: payableOf(call.tx, found),
    involved,
    status: statusOf(call.tx, refundNo),
  })
  return said instanceof Fault ? said : { confirmStatus: said.confirmStatus, refundStatus: said.status }
})

/** What lets the money of refunds leave, and says what became of it. */
export const payoutServed = (payments: Deps['payout'], times: AskTimes): Served[] => [
  payout,
  again,
  markSent,
  query(payments, times),
  confirm,
]
