import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, type Input } from '../../../testing/facts.ts'

const { autoWriteOff } = contract
const form = { shortfallLimit: '500.00', principalLimit: '200.00', autoPartial: true, autoExtension: true }

/** The rule of M1, made again each time. */
const added = async (fixture: Fixture): Promise<string> => {
  const { list } = fixture.must(
    await fixture.call(autoWriteOff.page, { merchantNo: ['M1'], pageSize: 100 }, { as: fixture.boss }),
  )
  for (const { configNo, version } of list)
    fixture.must(await fixture.call(autoWriteOff.remove, { configNo, version } as never, { as: fixture.boss }))
  return String((await done(fixture, autoWriteOff.save, { ...form, merchantNo: 'M1' } as Input)).key)
}

export default facts({
  approvals: [
    {
      action: 'autoWriteOff.save',
      ask: async fixture => {
        const configNo = await added(fixture)
        const change = { configNo, version: 0, ...form, shortfallLimit: '800.00' }
        return String((await done(fixture, autoWriteOff.save, change as Input)).approvalNo)
      },
    },
    {
      action: 'autoWriteOff.state',
      ask: async fixture => {
        const { key } = await done(fixture, autoWriteOff.save, { ...form, merchantNo: 'M2' } as Input)
        const asked = { configNo: String(key), enabled: true, version: 0 }
        return String((await done(fixture, autoWriteOff.state, asked as Input)).approvalNo)
      },
    },
  ],
  lists: [
    {
      list: autoWriteOff.page,
      key: 'configNo',
      of: 'company',
      fill: async fixture => {
        await fixture.exec(sql`drop index if exists auto_write_off_config_place`)
        await copied(
          fixture,
          'auto_write_off_config',
          `config_no = 'W1'`,
          `jsonb_build_object(${prefixed('config_no')}, ${at('updated_time')}, 'shortfall_limit', 200 + n % 4 * 100, 'merchant_no', (array['M1', 'M2', null])[1 + n % 3])`,
        )
      },
      means: { waiting: (row, mine: boolean) => !mine || row.pendingApproval !== null },
    },
  ],
  records: [{ fields: ['configNo'], table: 'auto_write_off_config', key: 'config_no', unheld: true }],
  calls: Object.values(autoWriteOff)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'a rule is seen by all who work with its orders' })),
})
