import { sql } from 'kysely'
import type { Holiday } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { maturity, businessConfig } = contract
const terms = { dueShift: 'none', reminderPlan: [], extensionFromDay: -1, extensionToDay: 2 }

const added = async (fixture: Fixture): Promise<string> => {
  const { data } = await fixture.call(maturity.save, terms as never, { as: fixture.boss })
  return String(data.key)
}

/** The draft of a new item, sent to a second person. */
const submitted = async (fixture: Fixture): Promise<string> => {
  const item = {
    ...terms,
    productNo: await fixture
      .one(sql<{ no: string }>`select product_no as no from product order by product_no limit 1`)
      .then(row => row.no),
  }
  const { key } = fixture.must(await fixture.call(maturity.save, item as never, { as: fixture.boss })) as {
    key: string
  }
  const { versionNo, version } = await fixture.one(
    sql<{
      versionNo: string
      version: number
    }>`select version_no, version from maturity_config_version where maturity_no = ${key}`,
  )
  const input = { versionNo, version, reason: 'agreed with the merchant' }
  return fixture.must(await fixture.call(maturity.versionSubmit, input, { as: fixture.boss })).approvalNo
}

/** A holiday in a year, sent to a second person. */
const holiday = async (fixture: Fixture): Promise<string> => {
  const configKey = 'PUBLIC_HOLIDAYS' as const
  const held = fixture.must(await fixture.call(businessConfig.get, { configKey }, { as: fixture.boss }))
  const { version } = held
  const value = held.value as Holiday[]
  const date = addDays(eatDate(fixture.clock.now().toISOString()), 365 + value.length)
  const added = { date, name: { zh: '节日', en: 'Feast', sw: 'Sikukuu' }, closed: true }
  const input = { configKey, version, value: [...value, added] }
  return fixture.must(await fixture.call(businessConfig.update, input, { as: fixture.boss })).approvalNo
}

export default facts({
  approvals: [
    { action: 'maturity.version', ask: submitted },
    { action: 'businessConfig.PUBLIC_HOLIDAYS', ask: holiday },
  ],
  lists: [
    {
      list: maturity.page,
      key: 'maturityNo',
      of: 'company',
      fill: async fixture => {
        const maturityNo = await added(fixture)
        await copied(fixture, 'product', `product_no = 'P1'`, `jsonb_build_object('product_no', 'PF-' || n)`)
        // Each is for a product of its own: no two rows are for the same.
        const changes = `jsonb_build_object(${prefixed('maturity_no')}, ${at('updated_time')}, 'merchant_no', 'M1', 'product_no', 'PF-' || n, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(fixture, 'maturity_config', `maturity_no = '${maturityNo}'`, changes)
      },
      // Nothing waits here.
      means: { waiting: (_, mine: boolean) => !mine },
    },
  ],
  records: [{ fields: ['maturityNo'], table: 'maturity_config', key: 'maturity_no' }],
  calls: [
    ...Object.values(maturity)
      .filter(call => !('row' in call))
      .map(call => ({ call: call as Endpoint, about: 'rows for all merchants are ours' })),
    ...Object.values(businessConfig).map(call => ({ call: call as Endpoint, about: 'settings are ours' })),
  ],
})
