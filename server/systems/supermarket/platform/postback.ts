import { sql } from 'kysely'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { contract } from '../../../../core/contract/contract.ts'
import type { ParsedOf } from '../../../../core/contract/endpoint.ts'
import type { Postback } from '../../../../core/contract/supermarket/platform.ts'
import { clickDays } from '../../../../core/contract/supermarket/shelf.ts'
import { type Money, percent, zeroMoney } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { isFresh, isSignature, signatureOf } from '../../../http/defence/signature.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import { type PublicCall, servePublic } from '../../../http/serve.ts'
import { listed, serveListed } from '../../../lists/listed.ts'
import { newNo } from '../../../money/numbers.ts'
import { oldKeyMs, type PostbackKeys } from './keys.ts'

const { platform } = contract
type Said = ParsedOf<typeof platform.postback>
type Platform = {
  platformNo: string
  settlementMode: string
  sharePercent: string | null
  keyTurn: number
  keyTime: string | null
}
type Click = { clickTime: string; price: Money | null }
type Result = Postback['postbackResult']

/** More from one address is no partner; what is turned away is sent again. */
const perMinute = 600

/** The key in use and, for a day, the one before it. */
const keysOf = (keys: PostbackKeys, now: Date, { platformNo, keyTurn, keyTime }: Platform): string[] => {
  if (keyTurn === 0) return []
  const isNew = keyTime !== null && now.getTime() - Date.parse(keyTime) < oldKeyMs
  return [keys(platformNo, keyTurn), ...(isNew && keyTurn > 1 ? [keys(platformNo, keyTurn - 1)] : [])]
}

const signed = (keys: PostbackKeys, { tx, request }: PublicCall<Said>, of: Platform): Result | null => {
  const [timestamp, signature] = ['x-timestamp', 'x-signature'].map(name => request.headers.get(name) ?? '') as [
    string,
    string,
  ]
  const isRight = keysOf(keys, tx.now, of).some(key =>
    isSignature(signature, signatureOf(key, timestamp, request.body)),
  )
  if (!isRight) return 'wrong_key'
  return isFresh(timestamp, Date.now(), tx.now.getTime()) ? null : 'stale'
}

/** What we earn by an event. */
const revenueOf = (
  { settlementMode, sharePercent }: Platform,
  { price }: Click,
  { marketEvent, amount }: Said,
): Money => {
  if (settlementMode === 'cpa' && marketEvent === 'apply') return price ?? zeroMoney
  if (settlementMode === 'cps' && marketEvent === 'payout') return percent(amount ?? zeroMoney, sharePercent ?? '0')
  return zeroMoney
}

const clickOf = (tx: Tx, { clickId, platformNo }: Said) =>
  tx.maybe(sql<Click>`
    select c.click_time, coalesce(p.settlement_price, f.unit_price) as price
    from market_click c join market_product p using (market_product_no) join supermarket_platform f on f.platform_no = c.platform_no
    where c.click_id = ${clickId} and c.platform_no = ${platformNo}`)

const note = (tx: Tx, input: Said, result: Result, revenue: Money = zeroMoney) =>
  tx.maybe(sql<{ postbackNo: string }>`
    insert into market_postback (postback_no, platform_no, event_id, click_id, market_event, postback_result, amount, revenue_amount, received_time)
    values (${newNo('PB', tx.now)}, ${input.platformNo}, ${input.eventId}, ${input.clickId}, ${input.marketEvent}, ${result}, ${input.amount ?? null}, ${revenue}, ${tx.now})
    on conflict do nothing returning postback_no`)

const words = {
  wrong_key: 'errors.signature',
  stale: 'errors.signature',
  unknown_click: 'errors.notFound',
  late: 'errors.clickLate',
  wrong_value: 'validation.infoComplete',
} as const

/** A refusal that is listed, so that the manager sees what a partner does wrong. */
const refused = async (tx: Tx, input: Said, result: Exclude<Result, 'accepted'>) => {
  await note(tx, input, result)
  return result === 'wrong_value'
    ? invalid('amount', words[result])
    : new Fault(result === 'unknown_click' || result === 'late' ? 'notFound' : 'forbidden', words[result])
}

/** What a partner reports of a click: believed by its signature, once per event. */
export const postbackCall = (keys: PostbackKeys, most = perMinute) => {
  const limiter = new RateLimiterMemory({ points: most, duration: 60 })
  return servePublic(platform.postback, async call => {
    const { tx, input, request } = call
    await limiter.consume(request.ip ?? 'unknown').catch((limit: RateLimiterRes) => {
      throw new Fault('tooMany', 'errors.tooManyAttempts', { seconds: Math.ceil(limit.msBeforeNext / 1000) })
    })
    const of = await tx.maybe(sql<Platform>`
      select platform_no, settlement_mode, share_percent, key_turn, key_time from supermarket_platform where platform_no = ${input.platformNo} and deleted_time is null`)
    if (!of) throw new Fault('forbidden', 'errors.signature')
    const wrong = signed(keys, call, of)
    if (wrong) return refused(tx, input, wrong as Exclude<Result, 'accepted'>)
    const click = await clickOf(tx, input)
    if (!click) return refused(tx, input, 'unknown_click')
    if (tx.now.getTime() - Date.parse(click.clickTime) > clickDays * 86_400_000) return refused(tx, input, 'late')
    if (input.marketEvent === 'payout' && input.amount === undefined) return refused(tx, input, 'wrong_value')
    const taken = await note(tx, input, 'accepted', revenueOf(of, click, input))
    if (!taken)
      await tx.exec(sql`
        update market_postback set deliveries = deliveries + 1 where postback_result = 'accepted'
          and ((platform_no = ${input.platformNo} and event_id = ${input.eventId}) or (click_id = ${input.clickId} and market_event = ${input.marketEvent}))`)
    return {}
  })
}

/** What partners reported, the refused ones with the reason. */
export const postbackList = listed({
  list: platform.postbacks,
  source: () => ({
    from: sql`market_postback x`,
    alias: 'x',
    key: sql`x.postback_no`,
    where: sql`true`,
    joins: {
      f: sql`join supermarket_platform f on f.platform_no = x.platform_no`,
      p: sql`left join market_click c on c.click_id = x.click_id and c.platform_no = x.platform_no left join market_product p on p.market_product_no = c.market_product_no`,
    },
    columns: { platformName: sql`f.platform_name`, marketProductName: sql`p.market_product_name` },
  }),
})
export const postbackListed = serveListed(postbackList)
