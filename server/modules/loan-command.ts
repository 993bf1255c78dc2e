import { sql } from 'kysely'
import { loan } from '../../core/contract/loan.ts'
import { text } from '../../core/i18n/server.ts'
import { mask } from '../../core/rules/mask.ts'
import { formatMoney, lt, type Money } from '../../core/rules/money.ts'
import type { Tx } from '../db/database.ts'
import { checkVersion, Fault, invalid, stateConflict } from '../fault.ts'
import type { QueryAnswer } from '../gateways/gateway.ts'
import type { Deps } from '../module.ts'
import { type Call, type Served, serve, serveEach } from '../serve.ts'
import { transition } from '../transition.ts'
import { type Instrument, verifyHolder } from './holder.ts'
import { isSamePayee, keepPayee, restoreCredit } from './loan-payee.ts'
import {
  type Attempt,
  type HeldCode,
  type LoanCode,
  loanFrom,
  loanScope,
  lockAttempt,
  lockCode,
  lockNewestCode,
} from './loan-source.ts'
import { lockOrder, type Order } from './order-source.ts'
import { type AskTimes, channelOf, createLoanCode, wakeDispatch } from './payout.ts'
import { answerOf, learned, noteAsk, preparedFrom } from './payout-send.ts'

const maxAttempts = 5
const askEverySeconds = 30
const payeeFailures = ['payee_invalid', 'payee_barred', 'payee_limit']

const note = (call: Pick<Call, 'audit'>, before: HeldCode, after: Record<string, unknown>) =>
  call.audit({
    objectType: 'loanCode',
    objectNo: before.code.loanCode,
    orderNo: before.order.orderNo,
    before: { loanCodeStatus: before.code.loanCodeStatus, orderStatus: before.order.orderStatus },
    after,
  })

/** Reads a code that the caller may see, locking nothing. */
const findCode = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, loanCode: string): Promise<LoanCode> => {
  const code = await tx.maybe(
    sql<LoanCode>`select lc.* from ${loanFrom} where lc.loan_code = ${loanCode} and ${loanScope(session)}`,
  )
  if (!code) throw new Fault('notFound', 'errors.notFound')
  return code
}

const refuseState = (code: LoanCode) => stateConflict(code.loanCodeStatus, 'LOAN_CODE_STATUS')

/** Finance gives payouts up: the codes and their orders end, and the customers have their credit back. */
const cancel = serveEach(loan.cancel, {
  ids: ({ loanCodes }) => [...new Set(loanCodes)],
  async row(id, call) {
    const { tx, session, input, actor } = call
    const held = await lockCode(tx, session, id)
    const { order, code } = held
    if (['remitting', 'unknown'].includes(code.loanCodeStatus))
      throw new Fault('stateConflict', 'errors.payoutInProgress', {}, { status: code.loanCodeStatus })
    if (code.loanCodeStatus === 'created' && input.loanCodes.length > 1)
      throw new Fault('stateConflict', 'errors.batchCancelFailedOnly', {}, { status: 'created' })
    const payload = { reason: input.reason, remark: input.remark ?? null }
    await transition(tx, 'loanCode', code, { event: 'code.cancel', set: { finishTime: tx.now }, payload }, actor)
    await transition(
      tx,
      'order',
      order,
      { event: 'order.cancel', set: { cancelReason: input.reason, statusTime: tx.now }, payload },
      actor,
    )
    await restoreCredit(tx, order)
    note(call, held, { loanCodeStatus: 'cancelled', orderStatus: 'cancelled', ...payload })
  },
})

const needsCheck = () =>
  new Fault('needsConfirmation', 'errors.confirmAccountChecked', {}, { confirm: ['accountChecked'] })

/** Sends failed payouts again to the same account, under a new reference. */
const retry = serveEach(loan.retry, {
  async prepare({ tx, session, input }) {
    if (input.accountChecked) return
    const unchecked = await tx.maybe(sql`
      select 1 from ${loanFrom} where lc.loan_code = any(${input.loanCodes}) and lc.loan_code_status = 'failed' and lc.fail_type = any(${payeeFailures}) and ${loanScope(session)} limit 1`)
    if (unchecked) throw needsCheck()
  },
  ids: ({ loanCodes }) => [...new Set(loanCodes)],
  async row(id, call) {
    const { tx, session, input, actor } = call
    const held = await lockCode(tx, session, id)
    const { order, code } = held
    if (code.loanCodeStatus !== 'failed') throw refuseState(code)
    if (order.orderStatus !== 'loan_failed') throw stateConflict(order.orderStatus, 'ORDER_STATUS')
    if (code.attemptNo >= maxAttempts) throw new Fault('stateConflict', 'errors.attemptsUsed', { max: maxAttempts })
    if (!isSamePayee(order, code)) throw new Fault('stateConflict', 'errors.payeeCorrected')
    if (payeeFailures.includes(code.failType ?? '') && !input.accountChecked) throw needsCheck()
    const payload = { attemptNo: code.attemptNo, failType: code.failType }
    const set = { failType: null, failReason: null, finishTime: null, waitReason: null }
    await transition(tx, 'loanCode', code, { event: 'payout.retry', set, payload }, actor)
    await transition(tx, 'order', order, { event: 'payout.replay', set: { statusTime: tx.now } }, actor)
    await wakeDispatch(tx, code.loanCode)
    note(call, held, { loanCodeStatus: 'created', orderStatus: 'pending_disbursement' })
  },
})

const correctable = ({ order, code }: HeldCode) => {
  if (code.loanCodeStatus !== 'failed') throw refuseState(code)
  if (!['loan_failed', 're_withdrawal_allowed'].includes(order.orderStatus))
    throw stateConflict(order.orderStatus, 'ORDER_STATUS')
}

const seenPayee = (payee: Instrument, verifyResult: string) => ({
  payoutSubtype: payee.payoutSubtype,
  walletAccount: payee.walletAccount && mask(payee.walletAccount),
  cardholderName: mask(payee.cardholderName),
  verifyResult,
})

/** Corrects where a failed loan is paid to. The network is asked whose account it is before anything is locked. */
const userInfo = (payout: Deps['payout']) =>
  serve(loan.userInfo, async call => {
    const { tx, session, input, actor } = call
    await findCode(call, input.loanCode)
    const { payoutSubtype, walletAccount, cardholderName } = input
    const payee = { payoutSubtype, walletAccount, cardholderName }
    const verified = await verifyHolder(payout, payee)
    const held = await lockCode(tx, session, input.loanCode)
    const { order, code } = held
    checkVersion(code, input.version)
    correctable(held)
    await keepPayee(tx, order, actor.no)
    await tx.exec(sql`
      update loan_order set payout_type = 'wallet', payout_subtype = ${payoutSubtype}, wallet_account = ${walletAccount}, bank_name = null, branch = null, bank_card_no = null,
        cardholder_name = ${cardholderName}, payout_verify = ${verified.verifyResult}, payout_holder_name = ${verified.holderName}, version = version + 1
      where order_no = ${order.orderNo}`)
    await tx.exec(sql`update loan_code set version = version + 1 where loan_code = ${code.loanCode}`)
    call.audit({
      objectType: 'loanCode',
      objectNo: code.loanCode,
      orderNo: order.orderNo,
      before: seenPayee(order, order.payoutVerify),
      after: seenPayee(payee, verified.verifyResult),
    })
    return {
      verifyResult: verified.verifyResult,
      holderName: verified.holderName && session.desensitized ? mask(verified.holderName) : verified.holderName,
    }
  })

/** Replaces a failed code by one to the corrected, verified account. */
const recreate = serve(loan.recreate, async call => {
  const { tx, session, input, actor } = call
  const held = await lockCode(tx, session, input.loanCode)
  const { order, code } = held
  checkVersion(code, input.version)
  correctable(held)
  if (isSamePayee(order, code)) throw new Fault('stateConflict', 'errors.payeeUnchanged')
  if (order.payoutVerify !== 'passed') throw new Fault('stateConflict', 'errors.payeeNotVerified')
  await transition(tx, 'loanCode', code, { event: 'code.recreate', set: { finishTime: tx.now } }, actor)
  const event = order.orderStatus === 'loan_failed' ? 'code.recreate' : 'reWithdraw.submit'
  const next: Order = await transition(tx, 'order', order, { event, set: { statusTime: tx.now } }, actor)
  const loanCode = await createLoanCode(tx, next, actor)
  note(call, held, { loanCodeStatus: 'cancelled', orderStatus: next.orderStatus, recreatedAs: loanCode })
  return { loanCode }
})

/** Lets the customer name another account. The caller may have seen the version of the order or of its failed code. */
const allowReWithdraw = serve(loan.allowReWithdraw, async call => {
  const { tx, session, input, actor } = call
  const order = await lockOrder(tx, session, input.orderNo, loan.page.perm)
  const code = await lockNewestCode(tx, order.orderNo)
  if (code?.version !== input.version) checkVersion(order, input.version)
  if (order.orderStatus !== 'loan_failed' || !code) throw stateConflict(order.orderStatus, 'ORDER_STATUS')
  if (![...payeeFailures, 'name_mismatch'].includes(code.failType ?? ''))
    throw new Fault('stateConflict', 'errors.notCorrectable')
  await transition(tx, 'order', order, { event: 'reWithdrawal.allow', set: { statusTime: tx.now } }, actor)
  note(call, { order, code }, { orderStatus: 're_withdrawal_allowed' })
  return { orderNo: order.orderNo }
})

/** Asks the network whose account a code pays to. */
const verify = (payout: Deps['payout']) =>
  serveEach(loan.verify, {
    ids: ({ loanCodes }) => [...new Set(loanCodes)],
    async row(id, call) {
      const { tx, session } = call
      const asked = await findCode(call, id)
      if (!['created', 'failed'].includes(asked.loanCodeStatus)) throw refuseState(asked)
      const verified = await verifyHolder(payout, asked)
      const { order, code } = await lockCode(tx, session, id)
      if (!['created', 'failed'].includes(code.loanCodeStatus)) throw refuseState(code)
      await tx.exec(
        sql`update loan_code set verify_result = ${verified.verifyResult}, holder_name = ${verified.holderName} where loan_code = ${id}`,
      )
      if (isSamePayee(order, code))
        await tx.exec(
          sql`update loan_order set payout_verify = ${verified.verifyResult}, payout_holder_name = ${verified.holderName} where order_no = ${order.orderNo}`,
        )
      call.audit({
        objectType: 'loanCode',
        objectNo: id,
        orderNo: order.orderNo,
        before: { verifyResult: code.verifyResult },
        after: { verifyResult: verified.verifyResult },
      })
    },
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
    select fa.fund_account_no, fa.channel, fa.enabled, fa.account_role, coalesce(b.balance, 0)::numeric(18,2) as balance,
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
    if (code.loanCodeStatus !== 'created') throw refuseState(code)
    const way = await payingAccount(tx, input.fundAccountNo, order)
    if (way.channel !== channelOf[code.payoutSubtype]) throw invalid('fundAccountNo', 'validation.accountUnfit')
    if (lt(way.balance, code.actualLoanAmount))
      throw invalid('fundAccountNo', 'validation.accountShort', { balance: formatMoney(way.balance) })
    const set = {
      channel: way.channel,
      fundAccountNo: way.fundAccountNo,
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

const told = (answer: QueryAnswer, { language }: Call['request']): string => {
  if (answer.kind === 'success') return text(language, 'afterLoan.channelSuccess', { serialNo: answer.serialNo })
  if (answer.kind === 'failure') return text(language, 'afterLoan.channelFailure', { reason: answer.answerMessage })
  return text(
    language,
    (
      {
        pending: 'afterLoan.channelPending',
        notFound: 'afterLoan.channelNotFound',
        none: 'afterLoan.channelNone',
      } as const
    )[answer.kind],
  )
}

const within = async (asking: Promise<QueryAnswer>, milliseconds: number): Promise<QueryAnswer> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<QueryAnswer>(resolve => {
    timer = setTimeout(() => resolve({ kind: 'none', reason: 'timeout' }), milliseconds)
  })
  return Promise.race([asking, late]).finally(() => clearTimeout(timer))
}

/** Whether nobody else is asking about a code at this moment: until this transaction ends it is ours to ask. */
const isAskedHere = async (tx: Tx, { loanCode }: LoanCode): Promise<boolean> =>
  (
    await tx.one(
      sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`ask ${loanCode}`}, 0)) as ours`,
    )
  ).ours

/** Asks the network at once what became of a payout; nothing is locked while it answers. */
const query = (payout: Deps['payout'], times: AskTimes) =>
  serve(loan.query, async call => {
    const { tx, input, request } = call
    const code = await findCode(call, input.loanCode)
    if (!['remitting', 'unknown'].includes(code.loanCodeStatus)) throw refuseState(code)
    if (code.channel === 'bank_file') throw new Fault('stateConflict', 'errors.bankAnswersByFile')
    const ours = await isAskedHere(tx, code)
    const recent = await tx.maybe(sql<{ at: string }>`
      select at from audit_log where object_type = 'loanCode' and object_no = ${code.loanCode} and action = ${loan.query.audit}
        and at > ${new Date(tx.now.getTime() - askEverySeconds * 1000)} order by audit_no desc limit 1`)
    const since = recent ? (tx.now.getTime() - Date.parse(recent.at)) / 1000 : 0
    if (recent || !ours)
      throw new Fault('tooMany', 'errors.askedJustNow', { seconds: Math.ceil(askEverySeconds - since) })
    const externalId = `${code.loanCode}-${code.attemptNo}`
    const attempt = await tx.one(sql<Attempt>`select * from gateway_attempt where external_id = ${externalId}`)
    const order = await tx.one(sql<Order>`select * from loan_order where order_no = ${code.orderNo}`)
    const prepared = await preparedFrom(tx, payout, { order, code, attempt })
    const answer = attempt.sentTime
      ? await within(answerOf(prepared.gateway.query(prepared.sending)), 5_000)
      : ({ kind: 'pending' } as const)
    const held = await lockAttempt(tx, externalId)
    await noteAsk(tx, times, held.attempt)
    if (held.attempt.attemptStatus !== 'prepared') await learned(tx, { ...prepared, claim: null }, answer)
    const after = await tx.one(sql<{ loanCodeStatus: 'remitting'; nextQueryTime: string | null }>`
      select lc.loan_code_status, ga.next_query_time from loan_code lc join gateway_attempt ga on ga.external_id = ${externalId} where lc.loan_code = ${code.loanCode}`)
    note(call, held, { loanCodeStatus: after.loanCodeStatus, answer: answer.kind })
    return { ...after, answer: told(answer, request) }
  })

/** What people do to payouts. */
export const loanCommands = (payout: Deps['payout'], times: AskTimes): Served[] => [
  cancel,
  retry,
  userInfo(payout),
  recreate,
  allowReWithdraw,
  verify(payout),
  channel,
  query(payout, times),
]
