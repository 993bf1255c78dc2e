import { wallet as calls } from '../../../../core/contract/after-loan/wallet.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault } from '../../../http/fault.ts'
import { type Call, serve, serveEach, serveWork } from '../../../http/serve.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { transition } from '../../../states/transition.ts'
import { askNow, confirmOutcome } from '../../charge/send/index.ts'
import { type AskTimes, askTimes } from '../payout/index.ts'
import { walletBlocks } from './wallet-blocks.ts'
import { detailServed } from './wallet-detail.ts'
import { rewards, withdrawals } from './wallet-source.ts'
import {
  changeWallet,
  lockedWallet,
  lockWithdrawal,
  payableOf,
  reread,
  type Withdrawal,
  withdrawalSender,
} from './wallet-store.ts'
import { payerOf, sendWithdrawal, withdrawServed } from './withdraw.ts'

type Command = Parameters<typeof walletBlocks.check>[1]

/** A withdrawal within the data rule, locked, seen as it is, and in a state for what is asked. */
const held = async (call: Call<{ withdrawNo: string; version?: number }>, command: Command): Promise<Withdrawal> => {
  const { tx, session, input } = call
  const found = await lockWithdrawal(tx, session, input.withdrawNo)
  if (input.version !== undefined) checkVersion(found, input.version)
  await walletBlocks.check(call, command, input.withdrawNo)
  return found
}

const statusOf = (tx: Tx, withdrawNo: string) => ({
  field: 'withdrawStatus',
  now: async () => (await reread(tx, withdrawNo)).withdrawStatus as 'paying',
})
const noted = (call: Call<never> | Call, withdrawNo: string, before: object | null, after: object): void =>
  (call as Call).audit({ objectType: 'withdrawal', objectNo: withdrawNo, before: { ...before }, after: { ...after } })

/** Sends once more, under a new reference, what definitely failed. */
const retry = serveEach(calls.retry, {
  ids: ({ withdrawNos }) => [...new Set(withdrawNos)],
  async row(id, call) {
    const { tx, session, actor } = call
    const before = await lockWithdrawal(tx, session, id)
    await walletBlocks.check(call, calls.retry, id)
    const from = await payerOf(tx, before)
    const set = {
      attemptNo: before.attemptNo + 1,
      fundAccountNo: from.fundAccountNo,
      failType: null,
      failReason: null,
      finishTime: null,
    }
    await transition(tx, 'walletWithdrawal', before, { event: 'wallet.retry', set }, actor)
    await sendWithdrawal(tx, from, { row: before, amount: before.withdrawAmount, payee: before }, actor)
    const after = { withdrawStatus: 'paying', attemptNo: set.attemptNo, fundAccountNo: from.fundAccountNo }
    noted(call, id, { withdrawStatus: before.withdrawStatus }, after)
  },
})

/** Gives up: the money is back in the wallet of the customer. */
const cancel = serve(calls.cancel, async call => {
  const { tx, actor, input } = call
  const before = await held(call, calls.cancel)
  const { customerNo, merchantNo, withdrawNo: reference, withdrawAmount: amount } = before
  const made = {
    event: 'wallet.cancel',
    set: { cancelReason: input.reason, finishTime: tx.now },
    payload: { reason: input.reason },
  }
  const moved = await transition(tx, 'walletWithdrawal', before, made, actor)
  const balance = await lockedWallet(tx, customerNo)
  const after = await changeWallet(tx, balance, { code: 'P12c', customerNo, merchantNo, reference, amount }, actor)
  const was = { withdrawStatus: before.withdrawStatus, walletBalance: balance }
  noted(call, reference, was, { withdrawStatus: 'cancelled', walletBalance: after, reason: input.reason })
  return { withdrawNo: reference, withdrawStatus: 'cancelled' as const, version: moved.version }
})

/** Asks the network at once what became of a withdrawal. */
const query = (payments: Deps['payout'], times: AskTimes) => {
  const { before, work, after } = askNow(withdrawalSender, payments, times)
  return serveWork(calls.query, {
    async before(call) {
      const { withdrawNo, attemptNo } = await held(call, calls.query)
      return before(call.tx, `${withdrawNo}-${attemptNo}`)
    },
    work,
    async after(call, answered) {
      const { withdrawNo: no } = call.input
      const found = await after(call, answered, { no, running: 'paying', status: statusOf(call.tx, no) })
      return { withdrawStatus: found.status, answer: found.answer }
    },
  })
}

/** Two persons confirm by a statement the outcome of a withdrawal that nobody else tells. */
const confirm = serve(calls.confirm, async call => {
  const before = await held(call, calls.confirm)
  const status = statusOf(call.tx, before.withdrawNo)
  const said = await confirmOutcome(call, { payable: payableOf(call.tx, before), involved: [], status })
  return said instanceof Fault ? said : { confirmStatus: said.confirmStatus, withdrawStatus: said.status }
})

/** Rewards of customers and what became of the money that they took out. */
export const walletModule = (
  deps: Pick<Deps, 'payout'> & Partial<Pick<Deps, 'secretKey'>>,
  times: AskTimes = askTimes,
): Module => ({
  served: [
    serveListed(rewards),
    serveListed(withdrawals),
    ...detailServed,
    retry,
    cancel,
    query(deps.payout, times),
    confirm,
    withdrawServed(deps),
  ],
  lists: [rewards, withdrawals],
})
