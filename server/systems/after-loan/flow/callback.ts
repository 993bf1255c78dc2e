import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { intake } from '../../../../core/contract/order/intake.ts'
import { mask } from '../../../../core/rules/mask.ts'
import { eq, type Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import type { CallbackHint, CollectGateway, PayoutGateway, WalletChannel } from '../../../gateways/gateway.ts'
import { Fault } from '../../../http/fault.ts'
import { newRequestId } from '../../../http/request.ts'
import { type PublicCall, servePublic } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Deps, Module } from '../../../module.ts'
import { askNow, hearProof } from '../payout/payout-send.ts'

const masked = (body: string) => body.replace(/(?<![\w-])256\d{9}(?![\w-])/g, mask)

/** What is wrong with a callback: its reference is unknown, its signature is wrong, its amount differs, or the network denies it. */
type Suspicion = 'unknown' | 'signature' | 'differs' | 'forged'

/** Writes down that somebody may be feigning to be a network; `objectNo` is the event as it was received. */
export const suspect = (tx: Tx, what: Suspicion, objectNo: string, request?: PublicCall<never>['request']) =>
  tx.append('securityLog', {
    at: tx.now,
    securityKind: `callback.${what}`,
    objectNo,
    path: intake.callback.path,
    ip: request?.ip,
    requestId: request?.requestId ?? newRequestId(),
  })

/** Keeps an event; one that came before is only counted. */
const store = (tx: Tx, channel: string, eventId: string, body: string) =>
  tx.one(sql<{ eventNo: number; deliveries: number }>`
    insert into inbound_event (channel, event_id, body_hash, body, received_time)
    values (${channel}, ${eventId}, ${createHash('sha256').update(body).digest('hex')}, ${masked(body)}, ${tx.now})
    on conflict (channel, event_id, body_hash) do update set deliveries = inbound_event.deliveries + 1
    returning event_no, deliveries`)

const attemptOf = (tx: Tx, channel: string, { gatewayRef, externalId }: CallbackHint) =>
  tx.maybe(sql<{ externalId: string; amount: Money; payee: string }>`
    select external_id, amount, payee from gateway_attempt where channel = ${channel} and (gateway_ref = ${gatewayRef} or external_id = ${externalId}) limit 1`)

/** It speaks of other money, or of another person, than we sent to. */
const differs = ({ amount, party }: CallbackHint, attempt: { amount: Money; payee: string }) =>
  (amount !== undefined && !eq(amount, attempt.amount)) || (party !== undefined && party !== attempt.payee)

const handled = (tx: Tx, eventNo: number, outcome: string) =>
  tx.exec(sql`update inbound_event set handled_time = ${tx.now}, outcome = ${outcome} where event_no = ${eventNo}`)

const hear = async (
  deps: Pick<Deps, 'payout' | 'collect'>,
  { tx, input, request }: PublicCall<{ channel: string }>,
) => {
  const { channel } = input
  const headers = Object.fromEntries(request.headers)
  const parsed = (gateway: PayoutGateway | CollectGateway | undefined) =>
    gateway?.parseCallback(headers, request.body) ?? null
  const paidOut = parsed(deps.payout[channel as WalletChannel])
  const paidIn = parsed(deps.collect[channel as WalletChannel])
  const hint = paidOut ?? paidIn
  const hash = createHash('sha256').update(request.body).digest('hex')
  const { eventNo, deliveries } = await store(tx, channel, hint?.eventId ?? hash, request.body)
  if (deliveries > 1) return
  const attempt = hint && (await attemptOf(tx, channel, hint))
  if (hint?.signature === 'wrong') suspect(tx, 'signature', String(eventNo), request)
  if (attempt && differs(hint, attempt)) suspect(tx, 'differs', String(eventNo), request)
  if (attempt && hint.proved) {
    await hearProof(tx, attempt.externalId, `e${eventNo}`, hint.proved)
    await handled(tx, eventNo, 'proved')
  } else if (attempt) {
    await askNow(tx, attempt.externalId, `e${eventNo}`, hint.claim === 'failure' ? 'failure' : undefined)
    await handled(tx, eventNo, 'asked')
  } else if (paidOut && !paidIn) {
    suspect(tx, 'unknown', String(eventNo), request)
    await handled(tx, eventNo, 'unknown_reference')
  } else await enqueue(tx, 'payin.query', String(eventNo), { eventNo })
}

/** More from one address is no network; what is turned away (429) is sent again, and asked for by us besides. */
const perMinute = 600

/** What payment networks tell us unasked: kept as it came, believed only after asking. A repeated event changes nothing. */
export const callbackModule = (deps: Pick<Deps, 'payout' | 'collect'>, most = perMinute): Module => {
  const limiter = new RateLimiterMemory({ points: most, duration: 60 })
  return {
    served: [
      servePublic(intake.callback, async call => {
        await limiter.consume(call.request.ip ?? 'unknown').catch((limit: RateLimiterRes) => {
          const seconds = Math.ceil(limit.msBeforeNext / 1000)
          throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds })
        })
        await hear(deps, call)
        return {}
      }),
    ],
  }
}
