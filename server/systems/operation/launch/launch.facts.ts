import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { launch, businessConfig } = contract
const about = 'a channel is of a merchant: its own test asks whom each call is shown to'
let made = 0

/** Hosts that landing pages of tests are on. */
export const landingHosts = sql`
  insert into business_config (config_key, config_value) values ('ATTRIBUTION_DAYS', '{"attributionDays": 7, "landingHosts": "get-app.boda.example"}')
  on conflict (config_key) do update set config_value = excluded.config_value`

/** A channel of the app of M1; each call another code. */
export const channelInput = (ownerUserNo: string) => ({
  promotionChannel: `radio-${String(++made).padStart(2, '0')}`,
  channelName: `Radio ${made}`,
  media: 'radio',
  merchantNo: 'M1',
  appCode: 'BodaCash',
  ownerUserNo,
  costMode: 'cpa',
  unitPrice: '1000.00',
  dailyBudget: '0.00',
  dailyRegisterCap: 0,
  landingUrl: 'https://get-app.boda.example/loan',
  postbackEvents: [],
})

const added = async (fixture: Fixture, more: object = {}): Promise<string> => {
  await fixture.exec(landingHosts)
  return String((await done(fixture, launch.save, { ...channelInput(fixture.boss.userNo), ...more })).key)
}

const heard = { postbackUrl: 'https://track.network.example/pb?c={clickId}', postbackEvents: ['register'] }

/** Asks a second person to let a channel call its network. */
const asked = async (fixture: Fixture, channelNo: string): Promise<string> =>
  String((await done(fixture, launch.state, { channelNo, enabled: true, version: 0 })).approvalNo)

export default facts({
  lists: [
    {
      list: launch.page,
      key: 'channelNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object('channel_no', 'PF' || n % 7 || '-' || n, 'promotion_channel', 'code-' || n % 5 || '-' || n, 'channel_name', 'Radio ' || n % 6 || ' ' || n, ${at('updated_time')},
          'media', (array['radio', 'facebook'])[1 + n % 2], 'cost_mode', (array['cpa', 'cpc', 'fixed'])[1 + n % 3], 'unit_price', n % 4 * 100)`
        await copied(fixture, 'promotion_channel', `channel_no = '${no}'`, changes)
        await fixture.exec(sql`
          insert into channel_stat_daily (channel_no, stat_date, click_count, register_count, incoming_count, pass_count, paid_out_count, payout_amount, first_due_count, first_bad_count, first_paid_count, cost_mode, unit_price, cost_amount)
          select channel_no, ${fixture.clock.now()}::date, 40 + length(channel_no), 9, 8, 6, ascii(right(channel_no, 1)) % 5, 1000, 30, ascii(right(channel_no, 1)) % 9, 3, 'cpa', 1000, 9000
          from promotion_channel where channel_no like 'PF%'`)
      },
      means: {
        waiting: (_row, mine: boolean) => !mine,
        statTime: () => true,
        channelName: (row, text: string) => String(row.channelName).toLowerCase().includes(text.trim().toLowerCase()),
        promotionChannel: (row, code: string) => String(row.promotionChannel).toLowerCase() === code.toLowerCase(),
      },
    },
    {
      list: launch.costs,
      key: 'costNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`
          insert into channel_cost (cost_no, channel_no, cost_date, amount, remark, cost_source, created_by, created_time)
          select 'PC' || n % 7 || '-' || n, ${no}, date '2025-01-01' + n, n % 5 * 1000, case when n % 2 = 0 then 'invoice' end, (array['entered', 'imported'])[1 + n % 2], 'U1',
            ${fixture.clock.now()}::timestamptz - n % 9 * interval '1 hour' from generate_series(1, 60) n`)
      },
    },
    {
      list: launch.postbacks,
      key: 'postbackNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`
          insert into channel_click (click_id, channel_no, click_time, led_to) select 'CKF' || ${no} || n, ${no}, ${fixture.clock.now()}, 'open' from generate_series(1, 60) n`)
        await fixture.exec(sql`
          insert into channel_postback (postback_no, channel_no, click_id, launch_event, event_time, delivery, tries, answer_code, created_time)
          select 'PK' || n % 7 || '-' || n, ${no}, 'CKF' || ${no} || n, (array['register', 'apply', 'payout'])[1 + n % 3], ${fixture.clock.now()}, (array['waiting', 'delivered', 'dead'])[1 + n % 3], n % 10,
            case when n % 3 > 0 then 500 end, ${fixture.clock.now()}::timestamptz - n % 9 * interval '1 hour' from generate_series(1, 60) n`)
      },
    },
  ],
  beginnings: [
    {
      call: launch.page.importing!.command,
      input: async fixture => {
        const no = await added(fixture)
        const { code } = await fixture.one(
          sql<{ code: string }>`select promotion_channel as code from promotion_channel where channel_no = ${no}`,
        )
        const bytes = Buffer.from(`date,channel,amount\n2026-01-05,${code},380000\n`)
        return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'costs.csv', bytes }) }
      },
    },
  ],
  approvals: [
    { action: 'launch.state', ask: async fixture => asked(fixture, await added(fixture, heard)) },
    {
      action: 'launch.save',
      ask: async fixture => {
        const own = channelInput(fixture.boss.userNo)
        await fixture.exec(landingHosts)
        const channelNo = String((await done(fixture, launch.save, own)).key)
        await done(fixture, launch.state, { channelNo, enabled: true, version: 0 })
        const { promotionChannel: _, ...form } = own
        return String((await done(fixture, launch.save, { ...form, ...heard, channelNo, version: 1 })).approvalNo)
      },
    },
    {
      action: 'businessConfig.ATTRIBUTION_DAYS',
      ask: async fixture => {
        const configKey = 'ATTRIBUTION_DAYS' as const
        const { version } = fixture.must(
          await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }),
        ) as { version: number }
        const value = { attributionDays: 1 + (++made % 29), landingHosts: `get-${made}.boda.example` }
        return String((await done(fixture, businessConfig.update, { configKey, version, value })).approvalNo)
      },
    },
  ],
  records: [{ fields: ['channelNo', 'channelNos'], table: 'promotion_channel', key: 'channel_no' }],
  calls: [
    { call: launch.page.importing!.command, otherPerm: 'who enters costs brings a file of them too' },
    ...Object.values(launch)
      .filter(call => !('row' in call))
      .map(call => ({ call: call as Endpoint, about })),
  ],
})
