import { sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { launches } from '../../../../core/contract/operation/launch.ts'
import { postbackHost } from '../../../../core/rules/market/channel-postback.ts'
import { allowedLink, hostsIn } from '../../../../core/rules/market/hosts.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { invalid } from '../../../http/fault.ts'
import { serveListed } from '../../../lists/listed.ts'
import type { Module, NetworkHandler } from '../../../module.ts'
import { type AskOnce, askPublic } from '../../../outgoing/open-link.ts'
import type { Session } from '../../../session/session.ts'
import { launchRules, openServed } from './click.ts'
import { costImport, costList, costSave } from './cost.ts'
import { channelStat, channelStatFinal } from './numbers.ts'
import { collectPostbacks, postbackList, postbackSender, postbackTest } from './postback.ts'
import { channelSource, costDoubled, seenBy } from './source.ts'
import { stat } from './stat.ts'

type Values = Readonly<Record<string, unknown>>
const hostOf = (link: unknown) => postbackHost(typeof link === 'string' ? link : null)

/** The merchant is one of the caller's with this app; the owner works here; the link leads to a page of the app. */
const checkPlace = async (tx: Tx, session: Session, { merchantNo, appCode, ownerUserNo, landingUrl }: Values) => {
  const merchant = await tx.maybe(sql<{ appName: string }>`
    select x.app_name from merchant x where x.merchant_no = ${merchantNo} and x.deleted_time is null and ${seenBy(session)}`)
  if (!merchant) throw invalid('merchantNo', 'validation.wrongValue')
  if (merchant.appName !== appCode) throw invalid('appCode', 'validation.appOfMerchant')
  if (!(await tx.maybe(sql`select 1 from app_user where user_no = ${ownerUserNo}`)))
    throw invalid('ownerUserNo', 'validation.wrongValue')
  const { landingHosts } = await launchRules(tx)
  if (!allowedLink(String(landingUrl), hostsIn(landingHosts))) throw invalid('landingUrl', 'validation.landingHost')
}

const config = serveConfig(launches, {
  prefix: 'PH',
  unique: 'promotionChannel',
  derived: ({ postbackUrl }) => ({ postbackHost: hostOf(postbackUrl) }),
  check: ({ tx, session }, form) => checkPlace(tx, session, form),
  // A host that we call is agreed to by two: as it is switched on, or as it changes while on. The rest acts at once.
  needsChecker: (item, change) => {
    const now = item.postbackHost ?? null
    if ('to' in change) return change.to === 'enabled' && now !== null && now !== item.agreedHost
    const next = hostOf(change.form.postbackUrl)
    return item.enabled === 'enabled' && next !== null && next !== now
  },
  turned: async (tx, { channelNo }) => {
    await tx.exec(sql`update promotion_channel set agreed_host = postback_host where channel_no = ${channelNo}`)
  },
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select channel_no as key, 'customer' as kind, customer_no as no, customer_no as name from customer_channel where channel_no = any(${[...keys]})
      order by register_time desc limit 1000`),
  source: channelSource,
})

/** Ways that people come to an app: what each costs and brings, who it brought, and what its network hears. */
export const launchModule = ({ ask = askPublic }: { ask?: AskOnce } = {}): Module => ({
  ...config,
  served: [
    ...config.served,
    stat,
    costSave,
    serveListed(costList),
    serveListed(postbackList),
    postbackTest(ask),
    openServed(),
  ],
  lists: [...config.lists, costList, postbackList],
  imports: [costImport],
  warnings: [costDoubled],
  queues: [postbackSender(ask) as unknown as NetworkHandler<never, never>],
  scheduled: [...config.scheduled, channelStat, channelStatFinal, collectPostbacks],
})
