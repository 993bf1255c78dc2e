import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'

const { optOuts } = contract
let made = 0
const phone = () => `25639${String(1_000_000 + ++made)}`

export default facts({
  beginnings: [{ call: optOuts.add, input: () => ({ phone: phone(), blockScope: 'marketing' }) }],
  lists: [
    {
      list: optOuts.page,
      key: 'blockNo',
      of: 'company',
      fill: async fixture => {
        const number = phone()
        await done(fixture, optOuts.add, { phone: number, blockScope: 'all' })
        const { no } = await fixture.one(
          sql<{ no: string }>`select block_no as no from contact_block where phone = ${number}`,
        )
        const changes = `jsonb_build_object(${prefixed('block_no')}, 'phone', '2563900' || lpad(n::text, 5, '0'), ${at('created_time')}, 'expire_time', x.created_time + n % 4 * interval '9 days', 'block_scope', (array['all', 'marketing'])[1 + n % 2], 'block_source', (array['agent', 'sms_stop', 'app'])[1 + n % 3])`
        await copied(fixture, 'contact_block', `block_no = '${no}'`, changes)
      },
      // Nothing of a number is shown that it could be found by.
      means: { phone: () => false },
    },
  ],
  calls: Object.values(optOuts).map(call => ({
    call: call as Endpoint,
    about: 'opt-outs for all merchants are ours; those of a merchant are asked for in the test of the noun',
  })),
})
