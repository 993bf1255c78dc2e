import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'
import { begunItems } from '../../../testing/proven.ts'

const { loanRoute } = contract
let made = 0

/** Routes of the suites stay behind every other one, and take nothing. */
const form = () => ({
  routeName: `Route ${++made}`,
  priority: 1000 + made,
  merchantNos: ['M1'],
  payoutType: 'wallet',
  amountMin: '90000000.00',
  amountMax: '95000000.00',
  targets: [{ fundAccountNo: 'FA1', weight: 100 }],
  fallback: true,
})

const added = async (fixture: Fixture, more: object = {}): Promise<string> =>
  String((await done(fixture, loanRoute.save, { ...form(), ...more } as Input)).key)

let channels = 0
/** A channel of its own, so that nothing else stops with it. */
const channel = async (fixture: Fixture): Promise<string> => {
  const no = `CX${++channels}`
  await fixture.exec(sql`insert into channel (channel, channel_name) values (${no}, ${`Channel ${channels}`})`)
  await fixture.db.withTx(begunItems)
  return no
}
const paused = async (fixture: Fixture): Promise<string> => {
  const no = await channel(fixture)
  await done(fixture, loanRoute.pause, { channel: no, version: 0, reason: 'silent' })
  return no
}

export default facts({
  machines: {
    payoutChannel: {
      row: { channel: 'CH1', channelName: 'Channel' },
      undriven: { 'channels are there from the installation on': ['∅ channel.create open'] },
    },
  },
  commands: [
    {
      call: loanRoute.pause,
      make: async fixture => {
        const no = await channel(fixture)
        return { no, input: { channel: no, version: 0, reason: 'silent' } }
      },
    },
    {
      call: loanRoute.resume,
      make: async fixture => {
        const no = await paused(fixture)
        return { no, input: { channel: no, version: 1, remark: 'it is back' } }
      },
    },
  ],
  approvals: [
    {
      action: 'loanRoute.save',
      ask: async fixture => {
        const routeNo = await added(fixture)
        const change = { ...form(), routeNo, version: 0, fallback: false }
        return String((await done(fixture, loanRoute.save, change as Input)).approvalNo)
      },
    },
    {
      action: 'loanRoute.state',
      ask: async fixture => {
        // In force from a day that no test reaches: payouts of the others go on without routes.
        const routeNo = await added(fixture, { effectiveDate: '2026-12-31' })
        const asked = await done(fixture, loanRoute.state, { routeNo, enabled: true, version: 0 })
        return String(asked.approvalNo)
      },
    },
  ],
  lists: [
    {
      list: loanRoute.page,
      key: 'routeNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`drop index if exists loan_route_priority`)
        await copied(
          fixture,
          'loan_route',
          `route_no = '${no}'`,
          `jsonb_build_object(${prefixed('route_no')}, ${at('updated_time')}, 'priority', 2000 + n % 4, 'payout_type', (array['wallet', 'bank'])[1 + n % 2], 'merchant_nos', case when n % 3 > 0 then array['M' || n % 3] end)`,
        )
      },
      means: {
        waiting: (row, mine: boolean) => !mine || row.pendingApproval !== null,
        merchantNo: (row, nos: string[]) =>
          !nos.length || row.merchantNos === null || (row.merchantNos as string[]).some(no => nos.includes(no)),
      },
    },
    {
      list: loanRoute.channels,
      key: 'channel',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(
          sql`insert into channel (channel, channel_name) select 'CY' || n, 'Channel ' || n % 4 from generate_series(1, 45) n`,
        )
        await fixture.db.withTx(begunItems)
      },
    },
  ],
  calls: Object.values(loanRoute)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'routes and channels are the company’s' })),
})
