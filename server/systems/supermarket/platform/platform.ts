import { sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { platforms } from '../../../../core/contract/supermarket/platform.ts'
import { hostsIn, hostsMeet } from '../../../../core/rules/market/hosts.ts'
import { addDays, startOfEatDay } from '../../../../core/rules/time.ts'
import { changesOf, noteChange } from '../../../configs/history.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Reader } from '../../../lists/listed.ts'
import type { Deps, Module } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { transition } from '../../../states/transition.ts'
import { takeOffline } from '../product/index.ts'
import { type PostbackKeys, postbackKeys } from './keys.ts'
import { postbackCall, postbackList } from './postback.ts'
import { platformReads } from './reads.ts'

const { platform } = contract
type Values = Readonly<Record<string, unknown>>

const oneAtATime = (tx: Tx) => tx.exec(sql`select pg_advisory_xact_lock(hashtext('hosts of platforms'))`)

/** A host leads to one platform. */
const checkHosts = async (tx: Tx, { allowedHosts }: Values, platformNo: unknown) => {
  await oneAtATime(tx)
  const own = hostsIn(String(allowedHosts))
  const others = await tx.rows(sql<{ platformName: string; allowedHosts: string }>`
    select platform_name, allowed_hosts from supermarket_platform where deleted_time is null and platform_no <> ${platformNo ?? ''}`)
  for (const other of others)
    if (hostsIn(other.allowedHosts).some(theirs => own.some(host => hostsMeet(host, theirs))))
      throw invalid('allowedHosts', 'validation.hostTaken', { name: other.platformName })
}

const ofProducts = (what: ReturnType<typeof sql>) =>
  sql`(select ${what} from market_product p where p.platform_no = x.platform_no and p.deleted_time is null and p.draft_of is null)`

/** Clicks and what came of them since a day, of platform `x`. */
const lately = ({ tx }: Reader) => {
  const since = startOfEatDay(addDays(tx.today, -29))
  return {
    clicks: sql`left join lateral (select count(*)::int as n from market_click c where c.platform_no = x.platform_no and c.click_time >= ${since}) clicks on true`,
    said: sql`left join lateral (
      select count(*) filter (where b.postback_result = 'accepted' and b.market_event = 'apply')::int as applied,
        count(*) filter (where b.postback_result = 'accepted' and b.market_event = 'payout')::int as paid,
        count(*) filter (where b.postback_result = 'accepted')::int as taken, count(*) filter (where b.postback_result <> 'accepted')::int as refused,
        coalesce(sum(b.revenue_amount), 0)::numeric(18,2) as revenue
      from market_postback b where b.platform_no = x.platform_no and b.received_time >= ${since}) said on true`,
  }
}

const like = (text: string) => sql`position(lower(${text}) in lower(x.platform_name || ' ' || x.legal_name)) > 0`

/** Hosts that an item has now. */
const heldHosts = ({ allowedHosts }: Values) => new Set(hostsIn(String(allowedHosts)))

/** Whether a change sends more of a customer, or sends it elsewhere. */
const takesMore = (item: Values, { prefillUrl, prefillFields }: Values) => {
  const held = new Set((item.prefillFields as string[] | null) ?? [])
  if (((prefillFields as string[] | undefined) ?? []).some(name => !held.has(name))) return true
  return prefillUrl != null && prefillUrl !== item.prefillUrl
}

const config = serveConfig(platforms, {
  prefix: 'PF',
  unique: 'platformName',
  // Where customers are sent and with what of them, and that they are sent at all, is agreed to by two.
  needsChecker: (item, change) =>
    'to' in change
      ? change.to === 'enabled'
      : item.enabled === 'enabled' &&
        (hostsIn(String(change.form.allowedHosts)).some(host => !heldHosts(item).has(host)) ||
          takesMore(item, change.form)),
  check: async ({ tx }, form, before) => checkHosts(tx, form, before?.platformNo),
  derived: values =>
    typeof values.allowedHosts === 'string' ? { allowedHosts: hostsIn(values.allowedHosts).join(', ') } : {},
  async switches(tx, item, to) {
    if (to === 'disabled') {
      await takeOffline(tx, sql`p.platform_no = ${item.platformNo}`, 'platform', system('platform.disable'))
      return
    }
    if (String(item.licenceExpiry) < tx.today) throw new Fault('stateConflict', 'errors.licenceEnded')
    await checkHosts(tx, item, item.platformNo)
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select platform_no as key, 'market_product' as kind, market_product_no as no, market_product_name as name from market_product
      where platform_no = any(${[...keys]}) and deleted_time is null order by market_product_name, market_product_no`),
  source: at => ({
    joins: lately(at),
    columns: {
      licenceLeft: sql`(x.licence_expiry - ${at.tx.today}::date)`,
      productCount: ofProducts(sql`count(*)::int`),
      onlineCount: ofProducts(sql`count(*) filter (where p.product_status = 'online')::int`),
      clickCount: sql`clicks.n`,
      applyCount: sql`said.applied`,
      paidOutCount: sql`said.paid`,
      revenueAmount: sql`said.revenue`,
      acceptedCount: sql`said.taken`,
      refusedCount: sql`said.refused`,
    },
    filters: {
      platformName: like,
      licenceWithin: (days: string) => sql`x.licence_expiry - ${at.tx.today}::date <= ${Number(days)}`,
    } as never,
  }),
})

const rotate = (keys: PostbackKeys) =>
  serve(platform.rotateKey, async ({ tx, input, actor, audit }) => {
    const { platformNo } = input
    const row = await tx.maybe(
      sql<Values & { version: number; enabled: string; keyTurn: number; keyTime: string | null }>`
        select x.* from supermarket_platform x where x.platform_no = ${platformNo} and x.deleted_time is null for update`,
    )
    if (!row) throw notFound()
    checkVersion(row, input.version)
    const set = { keyTurn: row.keyTurn + 1, keyTime: tx.now, updatedBy: actor.no, updatedTime: tx.now }
    const { version } = await transition(tx, platforms.machine, row, { event: 'item.update', set }, actor)
    const changes = changesOf(['keyTime'], row, set)
    noteChange(tx, platforms.machine, { objectNo: platformNo, version, event: 'item.update', changes }, actor)
    audit({ objectType: 'supermarket_platform', objectNo: platformNo, after: { keyTurn: set.keyTurn } })
    return { postbackKey: keys(platformNo, set.keyTurn), version }
  })

/** Lenders and own brands of the loan supermarket, and what partners report. */
export const platformModule = ({ secretKey }: Pick<Deps, 'secretKey'>): Module => {
  const keys = postbackKeys(secretKey)
  return {
    ...config,
    served: [...config.served, ...platformReads, rotate(keys), postbackCall(keys)],
    lists: [...config.lists, postbackList],
    choices: [
      {
        key: 'MARKET_PLATFORM',
        list: ({ tx }) =>
          tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
            select platform_no as value, platform_name as label, enabled = 'enabled' as enabled from supermarket_platform
            where deleted_time is null order by platform_name, platform_no`),
      },
    ],
  }
}
