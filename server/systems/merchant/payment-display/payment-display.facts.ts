import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { paymentDisplay } = contract
const channels = ['mtn_momo', 'airtel_money', 'bank_file'] as const

/** A way to pay of a merchant that the app does not show yet: each merchant has a few of them at most. */
const added = async (fixture: Fixture, merchantNo = 'M1'): Promise<string> => {
  const held = await fixture.rows(sql<{ channel: string; direction: string; no: string }>`
    select display_no as no, channel, direction from payment_display where merchant_no = ${merchantNo} and deleted_time is null`)
  const all = channels.flatMap(channel => (['payout', 'repay'] as const).map(direction => ({ channel, direction })))
  const free = all.find(one => !held.some(of => of.channel === one.channel && of.direction === one.direction))
  if (!free) return String(held[0]?.no)
  const displayName = { zh: '钱包', en: 'Wallet', sw: 'Pochi' }
  const input = { merchantNo, ...free, displayName, sort: 1, minAmount: '1000.00', maxAmount: '500000.00' }
  return String((await done(fixture, paymentDisplay.save, input)).key)
}

export default facts({
  lists: [
    {
      list: paymentDisplay.page,
      key: 'displayNo',
      fill: async fixture => {
        const no = await added(fixture)
        await fixture.exec(sql`drop index if exists payment_display_of`)
        const changes = `jsonb_build_object(${prefixed('display_no')}, ${at('updated_time')}, 'sort', 1 + n % 5, 'channel', (array['mtn_momo', 'airtel_money'])[1 + n % 2], 'merchant_no', (array['M1', 'M2'])[1 + n % 2])`
        await copied(fixture, 'payment_display', `display_no = '${no}'`, changes)
      },
    },
  ],
  records: [
    {
      fields: ['displayNo'],
      table: 'payment_display',
      key: 'display_no',
      make: added,
      owners: sql`select display_no as no, merchant_no, null::text[] as holders from payment_display`,
      unheld: true,
    },
  ],
  calls: [{ call: paymentDisplay.save, about: 'a new way, or a change of one: its own test asks whose it may be' }],
})
