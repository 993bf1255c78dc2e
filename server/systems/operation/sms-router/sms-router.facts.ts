import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { verifyRoute, marketingRoute, smsNetwork } = contract

/** A route of all merchants; each number another sender. */
export const routeInput = (n: number, more: Record<string, unknown> = {}) => ({
  ...{ network: 'mtn', accountNo: 'sms-1', senderId: `NILE${n}`, routeWeight: 100, failoverOrder: 1, ...more },
})
let made = 0

const listOf = (calls: typeof verifyRoute | typeof marketingRoute, table: string) => ({
  list: calls.page,
  key: 'routeNo',
  of: 'company' as const,
  fill: async (fixture: Fixture) => {
    const input = routeInput(++made)
    const { key } = fixture.must(await fixture.call(calls.save, input as never, { as: fixture.boss })) as {
      key: string
    }
    const changes = `jsonb_build_object(${prefixed('route_no')}, ${at('updated_time')}, 'failover_order', 1 + n % 9, 'network', (array['mtn', 'airtel', 'any'])[1 + n % 3], 'account_no', (array['sms-1', 'sms-2'])[1 + n % 2], 'scenes', to_jsonb(case when n % 2 = 0 then array['login'] else array[]::text[] end))`
    await copied(fixture, table, `route_no = '${key}'`, changes)
  },
  means: {
    scene: (row: Record<string, unknown>, scenes: readonly string[]) =>
      scenes.length === 0 || (row.scenes as string[]).some(one => scenes.includes(one)),
  },
})

export default facts({
  lists: [listOf(verifyRoute, 'sms_route_verify'), listOf(marketingRoute, 'sms_route_marketing')],
  calls: [
    ...[...Object.values(verifyRoute), ...Object.values(marketingRoute)]
      .filter(call => !('row' in call))
      .map(call => ({
        call: call as Endpoint,
        about: 'routes are ours; those of a merchant are kept from others by their rule',
      })),
    { call: smsNetwork.correct, about: 'the network of a number is no record of a merchant' },
  ],
})
