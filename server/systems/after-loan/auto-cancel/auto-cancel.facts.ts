import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts, type Input } from '../../../testing/facts.ts'

const { autoCancel } = contract
const form = { pendingHours: 72, failedHours: 24 }

export default facts({
  lists: [
    {
      list: autoCancel.page,
      key: 'configNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`drop index if exists auto_cancel_config_place`)
        const { key } = await done(fixture, autoCancel.save, form as Input)
        await copied(
          fixture,
          'auto_cancel_config',
          `config_no = '${key}'`,
          `jsonb_build_object(${prefixed('config_no')}, ${at('updated_time')}, 'pending_hours', 20 + n % 4, 'merchant_no', (array['M1', 'M2', null])[1 + n % 3])`,
        )
      },
    },
  ],
  calls: Object.values(autoCancel)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'a rule is seen by all who work with its orders' })),
})
