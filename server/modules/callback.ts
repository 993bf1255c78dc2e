import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { intake } from '../../core/contract/intake.ts'
import { mask } from '../../core/rules/mask.ts'
import type { Tx } from '../db/database.ts'
import type { CallbackHint } from '../gateways/gateway.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Deps, Module } from '../module.ts'
import { type PublicCall, servePublic } from '../serve.ts'
import { askNow } from './payout-send.ts'

/** The word by which a network says that nothing was paid. */
const failedWord: Readonly<Record<string, string>> = { mtn_momo: 'FAILED', airtel_money: 'TF' }

const masked = (body: string) => body.replace(/(?<![\w-])256\d{9}(?![\w-])/g, mask)

const store = (tx: Tx, channel: string, eventId: string, body: string) =>
  tx.maybe(sql<{ eventNo: number }>`
    insert into inbound_event (channel, event_id, body_hash, body, received_time)
    values (${channel}, ${eventId}, ${createHash('sha256').update(body).digest('hex')}, ${masked(body)}, ${tx.now})
    on conflict do nothing returning event_no`)

const attemptOf = (tx: Tx, channel: string, { gatewayRef, externalId }: CallbackHint) =>
  tx.maybe(sql<{ externalId: string }>`
    select external_id from gateway_attempt where channel = ${channel} and (gateway_ref = ${gatewayRef} or external_id = ${externalId}) limit 1`)

const handled = (tx: Tx, eventNo: number, outcome: string) =>
  tx.exec(sql`update inbound_event set handled_time = ${tx.now}, outcome = ${outcome} where event_no = ${eventNo}`)

const hear = async (
  deps: Pick<Deps, 'payout' | 'collect'>,
  { tx, input, request }: PublicCall<{ channel: string }>,
) => {
  const { channel } = input
  const headers = Object.fromEntries(request.headers)
  const payout = channel in deps.payout ? deps.payout[channel as keyof Deps['payout']] : undefined
  const collect = channel in deps.collect ? deps.collect[channel as keyof Deps['collect']] : undefined
  const paidOut = payout?.parseCallback(headers, request.body) ?? null
  const hint = paidOut ?? collect?.parseCallback(headers, request.body) ?? null
  const hash = createHash('sha256').update(request.body).digest('hex')
  const stored = await store(tx, channel, hint?.eventId ?? hash, request.body)
  if (!stored) return
  const { eventNo } = stored
  const attempt = hint && (await attemptOf(tx, channel, hint))
  if (attempt) {
    const claimsFailure = (input as { status?: unknown }).status === failedWord[channel]
    await askNow(tx, attempt.externalId, `e${eventNo}`, claimsFailure ? 'failure' : undefined)
    await handled(tx, eventNo, 'asked')
  } else if (paidOut) await handled(tx, eventNo, 'unknown_reference')
  else await enqueue(tx, 'payin.query', String(eventNo), { eventNo })
}

/** What payment networks tell us unasked: kept as it came, believed only after asking. A repeated event changes nothing. */
export const callbackModule = (deps: Pick<Deps, 'payout' | 'collect'>): Module => ({
  served: [
    servePublic(intake.callback, async call => {
      await hear(deps, call)
      return {}
    }),
  ],
})
