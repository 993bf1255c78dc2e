import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { formatMoney, lt, type Money } from '../../../../../core/rules/money.ts'
import type { Tx } from '../../../../db/database.ts'
import { checkVersion, Fault, invalid, stateConflict } from '../../../../http/fault.ts'
import { type Served, serve, serveEach } from '../../../../http/serve.ts'
import type { Deps } from '../../../../module.ts'
import { transition } from '../../../../states/transition.ts'
import { lockOrder, type Order } from '../../../order/order/index.ts'
import { correctPayee } from '../payee/payee-correct.ts'
import { type AskTimes, createLoanCode, wakeDispatch } from '../payout.ts'
import { channelOf } from '../payout-channel.ts'
import { endUnpaid } from '../unpaid.ts'
import { loanBlocks, payeeFailures } from './loan-blocks.ts'
import { noteCode } from './loan-note.ts'
import { loanQuestions } from './loan-question.ts'
import { loanFrom, loanScope, lockCode, lockNewestCode } from './loan-source.ts'

/** Finance gives payouts up: the codes and their orders end, and the customers have their credit back. */
const cancel = serveEach(loan.cancel, {
  ids: ({ loanCodes }) => [...new Set(loanCodes)],
  async row(id, call) {
    const { tx, session, input, actor } = call
    const held = await lockCode(tx, session, id)
    await loanBlocks.check(call, loan.cancel, id)
    if (held.code.loanCodeStatus === 'created' && input.loanCodes.length > 1)
      throw new Fault('stateConflict', 'errors.batchCancelFailedOnly', {}, { status: 'created' })
    const payload = { reason: input.reason, remark: input.remark ?? null }
    await endUnpaid(tx, held, { event: 'order.cancel', payload }, actor)
    noteCode(call, held, { loanCodeStatus: 'cancelled', orderStatus: 'cancelled', ...payload })
  },
})

/** A payout that a black list holds goes on, once somebody has looked at why it is held. */
const release = serve(loan.release, async call => {
  const { tx, session, input, actor } = call
  const held = await lockCode(tx, session, input.loanCode)
  const { code } = held
  checkVersion(code, input.version)
  await loanBlocks.check(call, loan.release, code.loanCode)
  const payload = { reason: input.reason }
  const set = { waitReason: null, listReleasedTime: tx.now }
  await transition(tx, 'loanCode', code, { event: 'code.release', set, payload }, actor)
  await wakeDispatch(tx, code.loanCode)
  noteCode(call, held, { waitReason: null, ...payload })
  return { loanCode: code.loanCode }
})

const needsCheck = () =>
  new Fault('needsConfirmation', 'errors.confirmAccountChecked', {}, { confirm: ['accountChecked'] })

/** Failures of the account or its channel: another account may pay. */
const mendedElsewhere = ['our_balance', 'config', 'amount_limit']

/** Sends failed payouts again to the same account, under a new reference. */
const retry = serveEach(loan.retry, {
  async prepare({ tx, session, input }) {
    if (input.accountChecked) return
    const unchecked = await tx.maybe(sql`
      select 1 from ${loanFrom} where lc.loan_code = any(${input.loanCodes}) and lc.loan_code_status = 'failed' and lc.fail_type = any(${[...payeeFailures]}) and ${loanScope(session)} limit 1`)
    if (unchecked) throw needsCheck()
  },
  ids: ({ loanCodes }) => [...new Set(loanCodes)],
  async row(id, call) {
    const { tx, session, input, actor } = call
    const held = await lockCode(tx, session, id)
    const { order, code } = held
    await loanBlocks.check(call, loan.retry, id)
    if (payeeFailures.includes(code.failType ?? '') && !input.accountChecked) throw needsCheck()
    const payload = { attemptNo: code.attemptNo, failType: code.failType }
    const set = {
      failType: null,
      failReason: null,
      finishTime: null,
      waitReason: null,
      accountFixed: !mendedElsewhere.includes(code.failType ?? ''),
    }
    await transition(tx, 'loanCode', code, { event: 'payout.retry', set, payload }, actor)
    await transition(tx, 'order', order, { event: 'payout.replay', set: { statusTime: tx.now } }, actor)
    await wakeDispatch(tx, code.loanCode)
    noteCode(call, held, { loanCodeStatus: 'created', orderStatus: 'pending_disbursement' })
  },
})

/** Replaces a failed code by one to the corrected, verified account. */
const recreate = serve(loan.recreate, async call => {
  const { tx, session, input, actor } = call
  const held = await lockCode(tx, session, input.loanCode)
  const { order, code } = held
  checkVersion(code, input.version)
  await loanBlocks.check(call, loan.recreate, code.loanCode)
  await transition(tx, 'loanCode', code, { event: 'code.recreate', set: { finishTime: tx.now } }, actor)
  const event = order.orderStatus === 'loan_failed' ? 'code.recreate' : 'reWithdraw.submit'
  const next: Order = await transition(tx, 'order', order, { event, set: { statusTime: tx.now } }, actor)
  const loanCode = await createLoanCode(tx, next, actor, { isAgreed: true })
  noteCode(call, held, { loanCodeStatus: 'cancelled', orderStatus: next.orderStatus, recreatedAs: loanCode })
  return { loanCode }
})

/** Lets the customer name another account. The caller may have seen the version of the order or of its failed code. */
const allowReWithdraw = serve(loan.allowReWithdraw, async call => {
  const { tx, session, input, actor } = call
  const order = await lockOrder(tx, session, input.orderNo, loan.page.perm)
  const code = await lockNewestCode(tx, order.orderNo)
  if (code?.version !== input.version) checkVersion(order, input.version)
  if (!code) throw stateConflict(order.orderStatus, 'ORDER_STATUS')
  await loanBlocks.check(call, loan.allowReWithdraw, code.loanCode)
  await transition(tx, 'order', order, { event: 'reWithdrawal.allow', set: { statusTime: tx.now } }, actor)
  noteCode(call, { order, code }, { orderStatus: 're_withdrawal_allowed' })
  return { orderNo: order.orderNo }
})

type PayingAccount = {
  fundAccountNo: string
  channel: string
  balance: Money
  enabled: boolean
  accountRole: string
  serves: boolean
}

const payingAccount = async (tx: Tx, fundAccountNo: string, order: Order): Promise<PayingAccount> => {
  const found = await tx.maybe(sql<PayingAccount>`
    select fa.fund_account_no, fa.channel, fa.enabled = 'enabled' as enabled, fa.account_role, coalesce(b.balance, 0)::numeric(18,2) as balance,
      exists (select 1 from fund_account_merchant fm where fm.fund_account_no = fa.fund_account_no and fm.merchant_no = ${order.merchantNo}) as serves
    from fund_account fa left join ledger_balance b on b.account_code = 'bank:' || fa.fund_account_no where fa.fund_account_no = ${fundAccountNo}`)
  if (!found?.enabled || !found.serves || found.accountRole === 'collection')
    throw invalid('fundAccountNo', 'validation.accountUnfit')
  return found
}

/** Pays created codes from another account of ours on the payee's network. */
const channel = serveEach(loan.channel, {
  ids: ({ loanCodes }) => [...new Set(loanCodes)],
  async row(id, call) {
    const { tx, session, input, actor } = call
    const held = await lockCode(tx, session, id)
    const { order, code } = held
    await loanBlocks.check(call, loan.channel, id)
    const way = await payingAccount(tx, input.fundAccountNo, order)
    if (way.channel !== channelOf[code.payoutSubtype]) throw invalid('fundAccountNo', 'validation.accountUnfit')
    if (lt(way.balance, code.actualLoanAmount))
      throw invalid('fundAccountNo', 'validation.accountShort', { balance: formatMoney(way.balance) })
    const set = {
      channel: way.channel,
      fundAccountNo: way.fundAccountNo,
      accountFixed: true,
      waitReason: code.waitReason === 'blocked' ? 'blocked' : null,
    }
    await transition(tx, 'loanCode', code, { event: 'channel.update', set }, actor)
    await wakeDispatch(tx, id)
    call.audit({
      objectType: 'loanCode',
      objectNo: id,
      orderNo: order.orderNo,
      before: { channel: code.channel, fundAccountNo: code.fundAccountNo },
      after: { channel: way.channel, fundAccountNo: way.fundAccountNo },
    })
  },
})

/** What people do to payouts. */
export const loanCommands = (payout: Deps['payout'], times: AskTimes): Served[] => [
  cancel,
  release,
  retry,
  correctPayee(payout),
  recreate,
  allowReWithdraw,
  channel,
  ...loanQuestions(payout, times),
]
