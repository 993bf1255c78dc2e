import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { platform, common } = contract
const about = 'platforms lead customers of every merchant to a lender: they are kept for the company'
let made = 0

/** A partner that pays for applications; each call another name and other hosts. */
export const platformInput = () => ({
  platformName: `Quick lender ${++made}`,
  platformKind: 'partner',
  legalName: 'Quick Lender Limited',
  licenceNo: `UMRA/${made}`,
  licenceExpiry: '2030-06-30',
  contactPerson: 'Ritah',
  contactEmail: 'partners@quick.example',
  allowedHosts: `apply-${made}.quick.example`,
  settlementMode: 'cpa',
  unitPrice: '1500.00',
  consentText: { zh: '同意', en: 'I agree', sw: 'Nakubali' },
})

const added = async (fixture: Fixture): Promise<string> =>
  (fixture.must(await fixture.call(platform.save, platformInput() as never, { as: fixture.boss })) as { key: string })
    .key

/** Asks a second person to let a platform lead customers away. */
const asked = async (fixture: Fixture, platformNo: string): Promise<string> => {
  const answer = await fixture.call(platform.state, { platformNo, enabled: true, version: 0 } as never, {
    as: fixture.boss,
  })
  return (fixture.must(answer) as { approvalNo: string }).approvalNo
}

/** A platform whose products may be seen; its number. */
const openedPlatform = async (fixture: Fixture): Promise<string> => {
  const no = await added(fixture)
  const approvalNo = await asked(fixture, no)
  fixture.must(await fixture.call(common.approve, { approvalNo, version: 0 }, { as: fixture.second }))
  return no
}

/** A platform in force that left no request behind: it belongs to no merchant. */
export const platformInForce = async (fixture: Fixture): Promise<string> => {
  const no = await added(fixture)
  await fixture.exec(sql`
    with opened as (
      update supermarket_platform set enabled = case when set_config('app.transition', 'on', true) = 'on' then 'enabled' end
      where platform_no = ${no} returning platform_no)
    insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
    select 'M69.supermarket_platform', platform_no, 'item.enable', 'disabled', 'enabled', 'fixture', 'fixture', ${fixture.clock.now()} from opened`)
  return no
}

export default facts({
  lists: [
    {
      list: platform.page,
      key: 'platformNo',
      of: 'company',
      first: true,
      fill: async fixture => {
        const no = await added(fixture)
        const changes = `jsonb_build_object(${prefixed('platform_no', 'platform_name')}, ${at('updated_time')}, 'licence_expiry', date '2030-01-01' + n % 9)`
        await copied(fixture, 'supermarket_platform', `platform_no = '${no}'`, changes)
      },
      means: {
        waiting: (_row, mine: boolean) => !mine,
        platformName: (row, text: string) =>
          `${row.platformName} ${row.legalName}`.toLowerCase().includes(text.trim().toLowerCase()),
        licenceWithin: (row, days: string) => Number(row.licenceLeft) <= Number(days),
      },
    },
    {
      list: platform.postbacks,
      key: 'postbackNo',
      of: 'company',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`
          insert into market_postback (postback_no, platform_no, event_id, click_id, market_event, postback_result, amount, revenue_amount, received_time)
          select 'PB' || n % 7 || '-' || n, ${no}, 'E' || n, 'C' || n, (array['apply', 'approve', 'payout'])[1 + n % 3], (array['accepted', 'wrong_key', 'late'])[1 + n % 3],
            case when n % 3 > 0 then n % 5 * 1000 end, n % 4 * 100, ${fixture.clock.now()}::timestamptz - n % 9 * interval '1 hour' from generate_series(1, 60) n`)
      },
    },
  ],
  approvals: [
    { action: 'platform.state', ask: async fixture => asked(fixture, await added(fixture)) },
    {
      action: 'platform.save',
      ask: async fixture => {
        const no = await openedPlatform(fixture)
        const { version } = fixture.must(
          await fixture.call(platform.detail, { platformNo: no }, { as: fixture.boss }),
        ) as {
          version: number
        }
        const changed = { ...platformInput(), platformNo: no, version }
        return (
          fixture.must(await fixture.call(platform.save, changed as never, { as: fixture.boss })) as {
            approvalNo: string
          }
        ).approvalNo
      },
    },
  ],
  records: [{ fields: ['platformNo'], table: 'supermarket_platform', key: 'platform_no' }],
  calls: Object.values(platform).map(call => ({
    call: call as Endpoint,
    about,
    ...(call === platform.postback ? { remembers: 'a refused postback is listed with its reason' } : {}),
  })),
})
