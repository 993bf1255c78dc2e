import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { signatureOf } from '../../../http/defence/signature.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { NetworkHandler, Scheduled } from '../../../module.ts'
import { newNo } from '../../../money/numbers.ts'
import { faultOf, type PostOnce } from '../../../outgoing/open-link.ts'
import type { MerchantSecrets } from '../../common/index.ts'

/** The queue of callbacks that are to be sent. */
const callbackQueue = 'merchant.callback'
/** Minutes after each try in vain: ten tries in 24 hours. */
const waits = [1, 5, 15, 30, 60, 120, 240, 360, 600] as const
/** Where a signed body goes, and with which key. */
export type Sending = { callbackUrl: string; merchantNo: string; apiKeyId: string; secret: string; body: string }
/** What the receiver answered; a status of null says that none came. */
export type Answered = { answerCode: number | null; answerText: string | null; latencyMs: number }

/** Sends a body as partners sign theirs to us. Its clock is that of the world. */
export const sendSigned =
  (secrets: MerchantSecrets, post: PostOnce) =>
  async ({ callbackUrl, merchantNo, apiKeyId, secret, body }: Sending): Promise<Answered> => {
    const timestamp = String(Date.now())
    const begun = performance.now()
    const took = () => Math.round(performance.now() - begun)
    try {
      const headers = {
        'content-type': 'application/json',
        'x-merchant': merchantNo,
        'x-key': apiKeyId,
        'x-timestamp': timestamp,
        'x-signature': signatureOf(secrets.open(secret, merchantNo), timestamp, body),
      }
      const { status, text } = await post(new URL(callbackUrl), { body, headers })
      return { answerCode: status, answerText: text, latencyMs: took() }
    } catch (error) {
      return { answerCode: null, answerText: faultOf(error), latencyMs: took() }
    }
  }

/** Whether a receiver took what it was sent. */
export const isTaken = ({ answerCode }: Pick<Answered, 'answerCode'>): boolean =>
  answerCode !== null && answerCode >= 200 && answerCode < 300

/** The oldest key in use of a merchant, in its environment where there is one: a receiver that changes over knows it. */
export const signingKey = (tx: Tx, merchantNo: string) =>
  tx.maybe(sql<{ apiKeyId: string; secret: string }>`
    select k.api_key_id, k.secret from merchant_credential k join merchant_config c using (merchant_no)
    where k.merchant_no = ${merchantNo} and k.ended_time is null order by k.environment = c.environment desc, k.created_time, k.api_key_id limit 1`)

/** Sends a callback, for the first time or once more. */
export const queueCallback = (tx: Tx, callbackNo: string, round: string, runAt = tx.now) =>
  enqueue(tx, callbackQueue, `${callbackNo} ${round}`, { callbackNo }, { runAt })

type Due = { callbackNo: string; merchantNo: string; body: string; tries: number; callbackUrl: string | null }

/** Tries a callback, notes what came back, and tries again later until it is dead. */
export const callbackSender = (secrets: MerchantSecrets, post: PostOnce): NetworkHandler<Due & Sending, Answered> => ({
  queue: callbackQueue,
  waits: true,
  async before(tx, { payload: { callbackNo } }) {
    const due = await tx.maybe(sql<Due>`
      select b.callback_no, b.merchant_no, b.body, b.tries, c.callback_url from merchant_callback b join merchant_config c using (merchant_no)
      where b.callback_no = ${callbackNo} and b.delivery = 'waiting' and c.deleted_time is null`)
    if (!due) return null
    const key = due.callbackUrl === null ? undefined : await signingKey(tx, due.merchantNo)
    if (due.callbackUrl !== null && key) return { ...due, callbackUrl: due.callbackUrl, ...key }
    await tx.exec(sql`
      update merchant_callback set delivery = 'dead', last_try_time = ${tx.now}, answer_text = 'no address or key' where callback_no = ${due.callbackNo}`)
    return null
  },
  send: sendSigned(secrets, post),
  async after(tx, { callbackNo, tries }, answer) {
    const wait = waits[tries]
    const taken = isTaken(answer)
    const delivery = taken ? 'delivered' : wait === undefined ? 'dead' : 'waiting'
    await tx.exec(sql`
      update merchant_callback set delivery = ${delivery}, tries = ${tries + 1}, answer_code = ${answer.answerCode}, answer_text = ${answer.answerText},
        latency_ms = ${answer.latencyMs}, last_try_time = ${tx.now}, delivered_time = ${taken ? tx.now : null}
      where callback_no = ${callbackNo} and delivery = 'waiting'`)
    if (delivery === 'waiting' && wait !== undefined)
      await queueCallback(tx, callbackNo, `${tx.now.getTime()}`, new Date(tx.now.getTime() + wait * 60_000))
  },
})

/** Transitions that are looked at in one run, and how many of them once more: one that began earlier may commit later. */
const [each, margin] = [6_000, 2_000]

type Cause = {
  transitionNo: string
  callbackEvent: string
  merchantNo: string
  orderNo: string
  thirdOrderNo: string
  status: string
  at: string
}

/** What a receiver is sent: numbers and what became of the order, nothing about the person. */
export const bodyOf = (of: {
  eventId: string
  event: string
  thirdOrderNo: string
  orderNo: string
  status: string
  time: string
}) => JSON.stringify(of)

const note = async (tx: Tx, cause: Cause) => {
  const callbackNo = newNo('CB', tx.now)
  const { callbackEvent, merchantNo, orderNo, thirdOrderNo, status, transitionNo } = cause
  const time = new Date(cause.at).toISOString()
  const body = bodyOf({ eventId: callbackNo, event: callbackEvent, thirdOrderNo, orderNo, status, time })
  const hash = createHash('sha256').update(body).digest('hex')
  const added = await tx.exec(sql`
    insert into merchant_callback (callback_no, merchant_no, callback_event, transition_no, order_no, third_order_no, body, payload_hash, created_time)
    values (${callbackNo}, ${merchantNo}, ${callbackEvent}, ${transitionNo}, ${orderNo}, ${thirdOrderNo}, ${body}, ${hash}, ${tx.now})
    on conflict (transition_no, callback_event) do nothing`)
  if (added) await queueCallback(tx, callbackNo, 'first')
  return added
}

/** What happened to orders of merchants that want to hear of it, as the history of states has it. */
const causes = (tx: Tx, from: string, to: string) =>
  tx.rows(sql<Cause>`
    with moved as (
      select s.transition_no, s.machine, s.object_no, s.to_state, s.from_state, s.at from state_transition s
      where s.transition_no > ${from}::bigint and s.transition_no <= ${to}::bigint and s.machine in ('M10', 'M20', 'M32') and s.from_state <> s.to_state),
    caused as (
      select m.transition_no, e.event as callback_event, o.merchant_no, o.order_no, o.third_order_no, m.to_state as status, m.at
      from moved m
        left join loan_code lc on m.machine = 'M20' and lc.loan_code = m.object_no
        left join repay_record rr on m.machine = 'M32' and rr.repayment_no = m.object_no
        join loan_order o on o.order_no = case m.machine when 'M10' then m.object_no when 'M20' then lc.order_no else rr.order_no end
        cross join lateral (values
          (case when m.machine = 'M10' then 'order.status' end), (case when m.machine = 'M10' and m.to_state = 'settled' then 'order.settled' end),
          (case when m.machine = 'M20' and m.to_state in ('success', 'failed', 'cancelled', 'reversed') then 'payout.result' end),
          (case when m.machine = 'M32' and m.to_state = 'posted' then 'repayment.posted' end)) e (event)
      where e.event is not null)
    select t.transition_no::text, t.callback_event, t.merchant_no, t.order_no, t.third_order_no, t.status, t.at
    from caused t join merchant_config c using (merchant_no)
    where c.deleted_time is null and c.callback_url is not null and t.callback_event = any(c.callback_events) and t.at > c.callback_since
      and not exists (select 1 from merchant_callback b where b.transition_no = t.transition_no and b.callback_event = t.callback_event)
    order by t.transition_no`)

/** Notes what merchants' systems are to hear of; each happening once, whatever the order of commits. */
export const collectCallbacks: Scheduled = {
  job: 'merchantConfig.callbacks',
  every: { seconds: 15 },
  async run(tx) {
    const { seen } = await tx.one(
      sql<{ seen: string }>`select transition_no::text as seen from merchant_callback_cursor for update`,
    )
    const from = String(Math.max(0, Number(seen) - margin))
    const { last } = await tx.one(sql<{ last: string | null }>`
      select max(transition_no)::text as last from (
        select transition_no from state_transition where transition_no > ${from}::bigint order by transition_no limit ${each}) s`)
    if (last === null) return { callbacks: 0 }
    let callbacks = 0
    for (const cause of await causes(tx, from, last)) callbacks += await note(tx, cause)
    await tx.exec(sql`update merchant_callback_cursor set transition_no = greatest(transition_no, ${last}::bigint)`)
    return { callbacks }
  },
}
