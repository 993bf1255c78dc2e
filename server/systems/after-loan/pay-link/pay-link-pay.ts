import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type PayLinkShown, payLink } from '../../../../core/contract/after-loan/pay-link.ts'
import { networkOf } from '../../../../core/rules/text/phone-network.ts'
import type { Tx } from '../../../db/database.ts'
import { type CollectAnswer, type CollectQueryAnswer, refOf, type WalletChannel } from '../../../gateways/gateway.ts'
import { limitOf } from '../../../http/defence/limit.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { servePublic } from '../../../http/serve.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { AnyHandler, Deps, NetworkHandler } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { collectionAccounts } from '../flow/flow-store.ts'
import { takePayment } from '../flow/pay-in.ts'
import { repayRefusal } from '../repayment/repay-blocks.ts'
import { endAsk, lockLinks, type PayAsk, type PayLink, readLinks } from './pay-link-store.ts'

const queue = 'payLink.ask'
/** Seconds until the network is asked what became of a payment; the last one is repeated. */
const pauses = [5, 10, 30, 60, 300, 900]
const maxRounds = 100
/** A network that knows nothing of the request by then never got it. */
const unknownRounds = 6

/** One address opens so many pages in a minute, and one link asks phones so often in an hour. */
const opensPerMinute = 120
const asksPerHour = 6

const channels: Readonly<Record<string, WalletChannel>> = { mtn: 'mtn_momo', airtel: 'airtel_money' }

const linkOf = async (tx: Tx, linkCode: string, read = readLinks): Promise<PayLink> => {
  const [link] = await read(tx, sql`l.link_code = ${linkCode}`)
  if (!link) throw notFound()
  return link
}

/** Whether the order takes money, and how the last payment that a phone was asked for stands. */
const standingOfLink = (tx: Tx, { linkNo, orderNo }: PayLink) =>
  tx.one(sql<{ orderStatus: string; reversing: boolean; outcome: string | null; asked: boolean }>`
    select o.order_status, exists (
        select 1 from loan_code c where c.order_no = o.order_no and c.loan_code_status = 'reversing') as reversing,
      a.outcome, a.pay_ref is not null as asked
    from loan_order o left join lateral (
      select pay_ref, outcome from pay_link_ask where link_no = ${linkNo} order by asked_time desc, pay_ref limit 1) a on true
    where o.order_no = ${orderNo}`)

/** A link as its page shows it: what the clock has not ended yet is over all the same. */
const shownOf = async (tx: Tx, link: PayLink): Promise<PayLinkShown> => {
  const of = await standingOfLink(tx, link)
  const { brand, hotline } = await tx.one(sql<{ brand: string; hotline: string | null }>`
    select coalesce(m.brand_name, m.merchant_name) as brand,
      (select h.contact_value from hotline h where h.enabled = 'enabled' and h.deleted_time is null and h.hotline_type = 'phone' and m.app_name = any(h.app_codes)
        order by h.sort, h.hotline_no limit 1) as hotline
    from merchant m where m.merchant_no = ${link.merchantNo}`)
  const isActive = link.linkStatus === 'active'
  const over = isActive && new Date(link.expireTime) <= tx.now
  const shut = isActive && repayRefusal(of) !== null
  return {
    linkStatus: (over ? 'expired' : shut ? 'revoked' : link.linkStatus) as PayLinkShown['linkStatus'],
    ...{ brand, hotline, amount: link.amount, expireTime: link.expireTime },
    payAskState: !of.asked ? 'none' : of.outcome === null ? 'waiting' : of.outcome === 'paid' ? 'none' : 'failed',
  }
}

export const openedServed = () => {
  const limit = limitOf(opensPerMinute, 60)
  return servePublic(payLink.opened, async ({ tx, input, request }) => {
    const tooMany = await limit.take(request.ip)
    if (tooMany) throw tooMany
    return shownOf(tx, await linkOf(tx, input.linkCode))
  })
}

/** The network of a phone, where we take money by it for the merchant. */
const channelFor = async (tx: Tx, deps: Pick<Deps, 'collect'>, { merchantNo }: PayLink, phone: string) => {
  const channel = channels[networkOf(phone)]
  const takes = channel && deps.collect[channel] && (await collectionAccounts(tx, { channel, merchantNo })).length > 0
  if (!channel || !takes) throw invalid('phone', 'errors.payLinkNetwork')
  return channel
}

export const payServed = (deps: Pick<Deps, 'collect'>) => {
  const opens = limitOf(opensPerMinute, 60)
  const asks = limitOf(asksPerHour, 3600)
  return servePublic(payLink.pay, async ({ tx, input, request }) => {
    const tooMany = await opens.take(request.ip)
    if (tooMany) throw tooMany
    const link = await linkOf(tx, input.linkCode, lockLinks)
    const shown = await shownOf(tx, link)
    if (shown.linkStatus !== 'active') throw new Fault('stateConflict', 'errors.payLinkOver')
    if (shown.payAskState === 'waiting') return shown
    const channel = await channelFor(tx, deps, link, input.phone)
    const tooOften = await asks.take(link.linkNo)
    if (tooOften) throw tooOften
    const payRef = refOf(channel, randomUUID())
    await tx.exec(sql`
      insert into pay_link_ask (pay_ref, link_no, channel, phone, asked_time) values (${payRef}, ${link.linkNo}, ${channel}, ${input.phone}, ${tx.now})`)
    await enqueue(tx, queue, `${payRef}:0`, { payRef, round: 0 })
    return { ...shown, payAskState: 'waiting' as const }
  })
}

type Round = PayAsk & { round: number }
type Answer = { asked: CollectAnswer } | { found: CollectQueryAnswer }

const again = (tx: Tx, { payRef, round }: Round) => {
  const seconds = pauses[Math.min(round, pauses.length - 1)] ?? 900
  const runAt = new Date(tx.now.getTime() + seconds * 1000)
  return enqueue(tx, queue, `${payRef}:${round + 1}`, { payRef, round: round + 1 }, { runAt })
}

/** Money that came is booked as a callback of it would be: whichever is first, there is one receipt. */
const conclude = async (tx: Tx, of: Round, answer: CollectQueryAnswer): Promise<unknown> => {
  const { payRef, channel, round } = of
  if (answer.kind === 'success')
    return takePayment(tx, { event: 'channel.callback', channel }, answer, system(`payLink ${payRef}`))
  if (answer.kind === 'failure') return endAsk(tx, payRef, 'failed')
  if (answer.kind === 'notFound' && round >= unknownRounds) return endAsk(tx, payRef, 'not_found')
  return round < maxRounds ? again(tx, of) : endAsk(tx, payRef, 'unanswered')
}

/** Asks phones for the payments of links, and then the network what became of them. */
export const payQueue = ({ collect }: Pick<Deps, 'collect'>): AnyHandler => {
  const handler: NetworkHandler<Round, Answer> = {
    queue,
    async before(tx, { payload }) {
      const ask = await tx.maybe(sql<PayAsk>`
        select a.pay_ref, a.link_no, a.channel, a.phone, l.amount from pay_link_ask a join pay_link l using (link_no)
        where a.pay_ref = ${String(payload.payRef)} and a.end_time is null`)
      return ask ? { ...ask, round: Number(payload.round) } : null
    },
    async send({ payRef, channel, phone, amount, round }) {
      const none = { kind: 'none', reason: 'not set up' } as const
      const gateway = collect[channel]
      if (round === 0) return { asked: (await gateway?.requestToPay(payRef, phone, amount)) ?? none }
      return { found: (await gateway?.query(payRef)) ?? none }
    },
    async after(tx, of, answer) {
      if ('found' in answer) await conclude(tx, of, answer.found)
      else if (answer.asked.kind === 'failure') await endAsk(tx, of.payRef, 'refused')
      else await again(tx, of)
    },
  }
  return handler as unknown as AnyHandler
}
