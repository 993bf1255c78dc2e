import { sql } from 'kysely'
import { loan } from '../../../../../core/contract/after-loan/loan.ts'
import { text } from '../../../../../core/i18n/server.ts'
import type { Tx } from '../../../../db/database.ts'
import type { QueryAnswer } from '../../../../gateways/gateway.ts'
import { Fault } from '../../../../http/fault.ts'
import { type Call, type Served, serveEachWork, serveWork } from '../../../../http/serve.ts'
import type { Deps } from '../../../../module.ts'
import { findOrder, type Order } from '../../../order/order/index.ts'
import { verifyHolder } from '../payee/holder.ts'
import { isSamePayee, noteCodePayee, ownerOf, payeeOf } from '../payee/loan-payee.ts'
import type { AskTimes } from '../payout.ts'
import { answerOf, learned, loanSender, noteAsk, preparedFrom } from '../payout-send.ts'
import { loanBlocks } from './loan-blocks.ts'
import { noteCode } from './loan-note.ts'
import { type Attempt, type LoanCode, loanFrom, loanScope, lockAttempt, lockCode } from './loan-source.ts'

const askEverySeconds = 30

/** Reads a code that the caller may see, locking nothing. */
const findCode = async ({ tx, session }: Pick<Call, 'tx' | 'session'>, loanCode: string): Promise<LoanCode> => {
  const code = await tx.maybe(
    sql<LoanCode>`select lc.* from ${loanFrom} where lc.loan_code = ${loanCode} and ${loanScope(session)}`,
  )
  if (!code) throw new Fault('notFound', 'errors.notFound')
  return code
}

/** Asks the network whose account a code pays to. */
const verify = (payout: Deps['payout']) =>
  serveEachWork(loan.verify, {
    ids: ({ loanCodes }) => [...new Set(loanCodes)],
    async before(id, call) {
      const { tx, session } = call
      const code = await findCode(call, id)
      await loanBlocks.check(call, loan.verify, id)
      return {
        account: payeeOf(code),
        owner: await ownerOf(tx, await findOrder(tx, session, code.orderNo, loan.page.perm)),
      }
    },
    work: async ({ account, owner }) => ({ account, verified: await verifyHolder(payout, account, owner) }),
    async after(id, call, { account, verified }) {
      const { tx, session } = call
      const held = await lockCode(tx, session, id)
      const { order, code } = held
      await loanBlocks.check(call, loan.verify, id)
      if (!isSamePayee(account, code)) throw new Fault('versionConflict', 'errors.recordChanged')
      await noteCodePayee(tx, held, verified)
      call.audit({
        objectType: 'loanCode',
        objectNo: id,
        orderNo: order.orderNo,
        before: { verifyResult: code.verifyResult },
        after: { verifyResult: verified.verifyResult },
      })
    },
  })

/** What the network said, in words. */
export const wording = (answer: QueryAnswer, { language }: Call['request']): string => {
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

/** What the network says in time; nothing is known when it is late. */
export const within = async (asking: Promise<QueryAnswer>, milliseconds: number): Promise<QueryAnswer> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<QueryAnswer>(resolve => {
    timer = setTimeout(() => resolve({ kind: 'none', reason: 'timeout' }), milliseconds)
  })
  return Promise.race([asking, late]).finally(() => clearTimeout(timer))
}

/** Says that an attempt is asked about now. @throws {Fault} 42901 when somebody did so a moment ago, or does */
export const takeQuestion = async (tx: Tx, externalId: string): Promise<void> => {
  const since = new Date(tx.now.getTime() - askEverySeconds * 1000)
  const ours = await tx.exec(sql`
    update gateway_attempt set asked_time = ${tx.now}
    where external_id = ${externalId} and (asked_time is null or asked_time <= ${since})`)
  if (ours === 1) return
  const { askedTime } = await tx.one(
    sql<{ askedTime: string }>`select asked_time from gateway_attempt where external_id = ${externalId}`,
  )
  const seconds = Math.ceil((Date.parse(askedTime) - since.getTime()) / 1000)
  throw new Fault('tooMany', 'errors.askedJustNow', { seconds })
}

/** Queries the network at once for the outcome of a payout. */
const query = (payout: Deps['payout'], times: AskTimes) =>
  serveWork(loan.query, {
    async before(call) {
      const { tx, input } = call
      const code = await findCode(call, input.loanCode)
      await loanBlocks.check(call, loan.query, code.loanCode)
      const externalId = `${code.loanCode}-${code.attemptNo}`
      await takeQuestion(tx, externalId)
      const attempt = await tx.one(sql<Attempt>`select * from gateway_attempt where external_id = ${externalId}`)
      const order = await tx.one(sql<Order>`select * from loan_order where order_no = ${code.orderNo}`)
      return {
        prepared: await preparedFrom(tx, payout, { order, code, attempt }),
        isSent: attempt.sentTime !== null,
      }
    },
    async work({ prepared, isSent }) {
      const { gateway, sending } = prepared
      const answer = isSent
        ? await within(
            answerOf(() => gateway.query(sending)),
            5_000,
          )
        : ({ kind: 'pending' } as const)
      return { prepared, answer }
    },
    async after(call, { prepared, answer }) {
      const { tx, request } = call
      const { externalId } = prepared
      const held = await lockAttempt(tx, externalId)
      await noteAsk(tx, times, held.attempt)
      if (held.attempt.attemptStatus !== 'prepared')
        await learned(tx, await loanSender.hold(tx, externalId), { ...prepared, claim: null }, answer)
      const after = await tx.one(sql<{ loanCodeStatus: 'remitting'; nextQueryTime: string | null }>`
        select lc.loan_code_status, ga.next_query_time from loan_code lc join gateway_attempt ga on ga.external_id = ${externalId} where lc.loan_code = ${held.code.loanCode}`)
      noteCode(call, held, { loanCodeStatus: after.loanCodeStatus, answer: answer.kind })
      return { ...after, answer: wording(answer, request) }
    },
  })

/** What people ask the networks about payouts. Nothing is held open while they answer. */
export const loanQuestions = (payout: Deps['payout'], times: AskTimes): Served[] => [
  verify(payout),
  query(payout, times),
]
