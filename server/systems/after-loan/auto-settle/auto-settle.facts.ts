import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'

const { autoSettle } = contract
const form = { residueLimit: '500.00', daysSincePayment: 1, useOverflow: true }

/** The rule of M1, made again each time. */
const added = async (fixture: Fixture): Promise<string> => {
  const { list } = fixture.must(
    await fixture.call(autoSettle.page, { merchantNo: ['M1'], pageSize: 100 }, { as: fixture.boss }),
  )
  for (const { configNo, version } of list)
    fixture.must(await fixture.call(autoSettle.remove, { configNo, version } as never, { as: fixture.boss }))
  return String((await done(fixture, autoSettle.save, { ...form, merchantNo: 'M1' } as Input)).key)
}

export default facts({
  approvals: [
    {
      action: 'autoSettle.save',
      ask: async fixture => {
        const configNo = await added(fixture)
        const change = { configNo, version: 0, ...form, residueLimit: '300.00' }
        return String((await done(fixture, autoSettle.save, change as Input)).approvalNo)
      },
    },
    {
      action: 'autoSettle.state',
      ask: async fixture => {
        const { key } = await done(fixture, autoSettle.save, { ...form, merchantNo: 'M2' } as Input)
        const asked = { configNo: String(key), enabled: true, version: 0 }
        return String((await done(fixture, autoSettle.state, asked as Input)).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: autoSettle.page,
      key: 'configNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`drop index if exists auto_settle_config_place`)
        const { key } = await done(fixture, autoSettle.save, form as Input)
        await copied(
          fixture,
          'auto_settle_config',
          `config_no = '${key}'`,
          `jsonb_build_object(${prefixed('config_no')}, ${at('updated_time')}, 'residue_limit', 200 + n % 4 * 100, 'merchant_no', (array['M1', 'M2', null])[1 + n % 3])`,
        )
      },
      means: { waiting: (row, mine: boolean) => !mine || row.pendingApproval !== null },
    },
    {
      list: autoSettle.results,
      key: 'resultNo',
      of: 'company',
      fill: async (fixture, { paid }) => {
        const { key } = await done(fixture, autoSettle.save, { ...form, merchantNo: 'M2' } as Input)
        await fixture.exec(sql`
          insert into auto_settle_result (business_date, order_no, config_no, outcome, owed_before, owed_after, run_time)
          select date '2026-01-01' + n, ${paid}, ${String(key)}, (array['settled', 'skipped'])[1 + n % 2], n % 4 * 100, 0, now() from generate_series(1, 33) n`)
      },
    },
  ],
  calls: Object.values(autoSettle)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'a rule is seen by all who work with its orders' })),
})
