import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { QueryAnswer } from '../../../gateways/gateway.ts'
import type { Call } from '../../../http/serve.ts'
import type { Deps } from '../../../module.ts'
import {
  type AskTimes,
  type Attempt,
  answerOf,
  learned,
  noteAsk,
  prepared,
  type Sender,
  takeQuestion,
  within,
  wording,
} from '../../after-loan/payout/index.ts'
import { applyTo, differs } from './outcome.ts'
import type { Payable, StatusOf } from './payable.ts'

/** Sends of one kind; `locked` answers what a number of that kind pays, locked. */
export const senderOf = (kind: Payable['kind'], locked: (tx: Tx, no: string) => Promise<Payable>): Sender => ({
  kind,
  async hold(tx, externalId) {
    const { parentNo } = await tx.one(
      sql<{ parentNo: string }>`select parent_no from gateway_attempt where external_id = ${externalId}`,
    )
    const payable = await locked(tx, parentNo)
    const attempt = await tx.one(
      sql<Attempt>`select * from gateway_attempt where external_id = ${externalId} for update`,
    )
    const held = { payable, attempt }
    return {
      attempt,
      apply: (outcome, actor) => applyTo(tx, held, outcome, actor),
      differs: (kind, o, actor) => differs(tx, held, kind, o, actor),
      message: payable.message,
    }
  },
})

type Asked = Awaited<ReturnType<typeof prepared>>

/** Asks a network at once what became of a send, in the three steps of a command that works outside its transaction. */
export const askNow = (sender: Sender, payments: Deps['payout'], times: AskTimes) => ({
  async before(tx: Tx, externalId: string) {
    await takeQuestion(tx, externalId)
    const sent = await sender.hold(tx, externalId)
    return { asked: await prepared(payments, sent), isSent: sent.attempt.sentTime !== null }
  },
  async work({ asked, isSent }: { asked: Asked; isSent: boolean }): Promise<{ asked: Asked; answer: QueryAnswer }> {
    const ask = () => asked.gateway.query(asked.sending)
    return { asked, answer: isSent ? await within(answerOf(ask), 5_000) : { kind: 'pending' } }
  },
  async after<S extends string>(
    { tx, audit, request }: Pick<Call, 'tx' | 'audit' | 'request'>,
    { asked, answer }: { asked: Asked; answer: QueryAnswer },
    { no, running, status }: { no: string; running: string; status: StatusOf<S> },
  ) {
    const sent = await sender.hold(tx, asked.externalId)
    await noteAsk(tx, times, sent.attempt)
    if (sent.attempt.attemptStatus !== 'prepared') await learned(tx, sent, { ...asked, claim: null }, answer)
    const now = await status.now()
    const before = { [status.field]: running }
    audit({ objectType: sender.kind, objectNo: no, before, after: { [status.field]: now, answer: answer.kind } })
    return { status: now, answer: wording(answer, request) }
  },
})
