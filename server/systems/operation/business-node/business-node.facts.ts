import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { businessNode } = contract
let made = 0

/** A node of the app of M1; each call another code. */
export const nodeInput = (more: Record<string, unknown> = {}) => ({
  pointCode: `bill.facts${++made}`,
  eventKey: 'bill.dueIn2',
  nodeName: { zh: '到期提醒', en: 'Due soon', sw: 'Inakaribia' },
  contactKind: 'reminder',
  appCodes: ['BodaCash'],
  channelOrder: [
    { channelType: 'sms', fallbackSeconds: 60 },
    { channelType: 'email', fallbackSeconds: 0 },
  ],
  ...more,
})

/** The number of a new node. */
export const madeNode = async (fixture: Fixture, more: Record<string, unknown> = {}): Promise<string> => {
  const answer = await fixture.call(businessNode.save, nodeInput(more) as never, { as: fixture.boss })
  return String((fixture.must(answer) as { key: string }).key)
}

export default facts({
  lists: [
    {
      list: businessNode.page,
      key: 'nodeNo',
      of: 'company',
      first: true,
      fill: async fixture => {
        const nodeNo = await madeNode(fixture)
        const changes = `jsonb_build_object(${prefixed('node_no')}, 'point_code', x.point_code || '.' || n, ${at('updated_time')}, 'contact_kind', (array['reminder', 'service'])[1 + n % 2], 'app_codes', jsonb_build_array((array['BodaCash', 'MarketLoan'])[1 + n % 2]))`
        await copied(fixture, 'business_node', `node_no = '${nodeNo}'`, changes)
      },
      means: {
        nodeName: (row, text: string) => String(row.allNames).toLowerCase().includes(text.trim().toLowerCase()),
        appCode: (row, app: string) => (row.appCodes as string[]).includes(app),
        channelType: (row, types: readonly string[]) =>
          types.length === 0 ||
          (row.channelOrder as { channelType: string }[]).some(one => types.includes(one.channelType)),
      },
      holds: {
        key: 'nodeNo',
        query: sql`select node_no, concat_ws(' ', point_code, node_name ->> 'zh', node_name ->> 'en', node_name ->> 'sw') as all_names from business_node`,
      },
    },
  ],
  records: [{ fields: ['nodeNo', 'nodeNos'], table: 'business_node', key: 'node_no' }],
  calls: Object.values(businessNode)
    .filter(call => !('row' in call) && call !== businessNode.simulate)
    .map(call => ({ call: call as Endpoint, about: 'nodes are ours, for customers of any merchant' })),
})
