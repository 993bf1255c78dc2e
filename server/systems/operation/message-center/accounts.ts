import { type RawBuilder, sql } from 'kysely'
import type { Use } from '../../../../core/contract/config.ts'
import { messageAccounts } from '../../../../core/contract/operation/message-center.ts'
import { isHost } from '../../../../core/rules/market/hosts.ts'
import { startOfEatDay } from '../../../../core/rules/time.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import type { CalledChannel } from '../../../gateways/channels/channel-vendor.ts'
import { Fault, invalid } from '../../../http/fault.ts'
import type { Source } from '../../../lists/list.ts'
import type { Reader } from '../../../lists/listed.ts'
import type { Choices, Deps, Scheduled } from '../../../module.ts'
import { system } from '../../../rights/actor.ts'
import { create, transition } from '../../../states/transition.ts'
import { mailAccountNo } from './carriers.ts'

type Frag = RawBuilder<unknown>
const dayMs = 86_400_000
/** How many of the last messages are looked at, how far back, and from which share of them on an account is degraded or down. */
const judgedMs = 60 * 60_000
const [degradedBelow, downBelow] = [80, 30]

/** Routes and apps in force that go by the accounts. */
const usesOf = (tx: Tx, keys: readonly string[]) =>
  tx.rows(sql<Use & { key: string }>`
    select * from (
      select account_no as key, 'sms_route' as kind, route_no as no, sender_id as name from sms_route_verify where enabled = 'enabled' and deleted_time is null
      union all select account_no, 'sms_route', route_no, sender_id from sms_route_marketing where enabled = 'enabled' and deleted_time is null
      union all select one ->> 'accountNo', 'message_app', a.message_app_no, a.app_name from message_app a cross join jsonb_array_elements(a.app_channels) one
        where a.enabled = 'enabled' and a.deleted_time is null) u
    where u.key = any(${[...keys]}) order by u.name, u.no`)

/** Names of our own network stand in no account, but where everything is simulated. */
const checkEndpoint = (endpoint: string, demo: boolean) => {
  const host = endpoint.includes('://') ? new URL(endpoint).hostname : endpoint.replace(/:\d+$/, '')
  const inside = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private)$/i.test(host) || !isHost(host)
  if (inside && !demo) throw invalid('vendorEndpoint', 'validation.vendorEndpoint')
}

const health = (at: Tx): Frag => sql`(
  select case when h.rate < ${downBelow} then 'down' when h.rate < ${degradedBelow} then 'degraded' else 'up' end from (
    select 100.0 * count(*) filter (where m.message_status = 'delivered') / nullif(count(*), 0) as rate from message m
    where m.account_no = x.account_no and m.message_status in ('delivered', 'failed', 'no_report') and m.send_time > ${new Date(at.now.getTime() - judgedMs)}) h)`

const spent = (since: Date | string): Frag =>
  sql`(select coalesce(sum(m.cost), 0)::numeric(18,2) from message m where m.account_no = x.account_no and m.send_time >= ${since})`

const source = ({ tx }: Reader): Partial<Source> => {
  const today = startOfEatDay(tx.today)
  const week = new Date(tx.now.getTime() - 7 * dayMs)
  return {
    columns: {
      sentToday: sql`(select count(*)::int from message m where m.account_no = x.account_no and m.send_time >= ${today})`,
      spentToday: spent(today),
      spentMonth: spent(startOfEatDay(`${tx.today.slice(0, 7)}-01`)),
      lastsDays: sql`floor(x.balance * 7 / nullif(${spent(week)}, 0))::int`,
      balanceLow: sql`coalesce(x.balance < x.low_balance, false)`,
      accountHealth: health(tx),
      usedCount: sql`((select count(*) from sms_route_verify r where r.account_no = x.account_no and r.enabled = 'enabled' and r.deleted_time is null)
        + (select count(*) from sms_route_marketing r where r.account_no = x.account_no and r.enabled = 'enabled' and r.deleted_time is null)
        + (select count(*) from message_app a cross join jsonb_array_elements(a.app_channels) one
            where one ->> 'accountNo' = x.account_no and a.enabled = 'enabled' and a.deleted_time is null))::int`,
    },
  }
}

/** Accounts with those who carry messages. */
export const accountsConfig = ({ demo }: Pick<Deps, 'demo'>) =>
  serveConfig(messageAccounts, {
    prefix: 'MC',
    unique: 'accountName',
    check: async (_call, { vendorEndpoint }) => checkEndpoint(String(vendorEndpoint), demo),
    async switches(tx, item, to) {
      if (to === 'enabled') {
        if (item.credential === null && item.fromServer !== true)
          throw new Fault('stateConflict', 'errors.noAccountSecret')
        return
      }
      const uses = await usesOf(tx, [String(item.accountNo)])
      if (uses.length) throw new Fault('stateConflict', 'errors.accountUsed', { n: uses.length })
    },
    uses: usesOf,
    source,
  })

/** Accounts that messages go by, for those who choose one. */
export const accountChoices = ({ vendors }: Pick<Deps, 'vendors'>): Choices => ({
  key: 'MESSAGE_ACCOUNT',
  async list({ tx }) {
    const rows = await tx.rows(sql<{ value: string; label: string; enabled: boolean }>`
      select account_no as value, account_name as label, deleted_time is null as enabled from message_account order by account_name, account_no`)
    const known = new Set(rows.map(({ value }) => value))
    const others = (vendors?.sms ?? []).filter(({ accountNo }) => !known.has(accountNo))
    return [
      ...rows,
      ...others.map(({ accountNo, vendorName }) => ({ value: accountNo, label: vendorName, enabled: true })),
    ]
  },
})

type Given = {
  accountNo: string
  name: string
  channelType: 'sms' | 'email' | CalledChannel
  senderId: string
  endpoint: string
  kind?: string
}

const vendorOf: Readonly<Record<string, string>> = { email: 'smtp' }

/** Writes the accounts of the server's settings that have no record yet; they are on, as they were. */
export const registerAccounts = async (tx: Tx, { vendors }: Pick<Deps, 'vendors'>): Promise<number> => {
  const given: Given[] = (vendors?.sms ?? []).map(one => {
    const { accountNo, vendorName, senderId, endpoint = 'localhost:80', kind = 'africas_talking' } = one
    return { accountNo, senderId, endpoint, kind, name: vendorName, channelType: 'sms' as const }
  })
  if (vendors?.mail) {
    const { vendorName, senderId } = vendors.mail
    given.push({ accountNo: mailAccountNo, name: vendorName, channelType: 'email', senderId, endpoint: 'localhost:25' })
  }
  for (const { accountNo, vendorName: name, channel, senderId, endpoint = 'localhost:80' } of vendors?.others ?? [])
    given.push({ accountNo, name: `${name} ${channel}`, channelType: channel, senderId, endpoint })
  const actor = system('messageAccount.register')
  let added = 0
  for (const { accountNo, name, channelType, senderId, endpoint, kind } of given) {
    if (await tx.maybe(sql`select 1 from message_account where account_no = ${accountNo}`)) continue
    const row = {
      ...{
        accountNo,
        accountName: name,
        channelType,
        senderId: senderId.slice(0, 20),
        vendorEndpoint: endpoint.replace(/^(http|s?smpp):\/\//, ''),
      },
      ...{ messageVendor: kind ?? vendorOf[channelType] ?? 'other', fromServer: true },
      ...(kind === 'smpp' ? { overTls: endpoint.startsWith('ssmpp:') } : {}),
      ...{
        unitCost: channelType === 'sms' ? '35.00' : '0.00',
        lowBalance: channelType === 'sms' ? '50000.00' : '0.00',
      },
      ...{ createdTime: tx.now, updatedBy: actor.no, updatedTime: tx.now },
    }
    await create(tx, messageAccounts.machine, row, { event: 'item.create' }, actor)
    const made = { accountNo, enabled: 'disabled', version: 0 }
    await transition(tx, messageAccounts.machine, made, { event: 'item.enable' }, actor)
    added++
  }
  return added
}

/** Keeps a record of each account of the server's settings. */
export const register = (deps: Pick<Deps, 'vendors'>): Scheduled => ({
  job: 'messageAccount.register',
  every: { seconds: 60 },
  run: async tx => ({ added: await registerAccounts(tx, deps) }),
})
