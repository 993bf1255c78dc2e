import { sql } from 'kysely'
import type { Holiday } from '../../../../core/contract/common/business-config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint } from '../../../../core/contract/endpoint.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts, type House } from '../../../testing/facts.ts'

const { maturity, businessConfig } = contract
const terms = { dueShift: 'none', reminderPlan: [], extensionFromDay: -1, extensionToDay: 2 }

const added = async (house: House): Promise<string> => {
  const { data } = await house.call(maturity.save, terms as never, { as: house.boss })
  return String(data.key)
}

/** The draft of a new item, sent to a second person. */
const submitted = async (house: House): Promise<string> => {
  const item = {
    ...terms,
    productNo: await house
      .one(sql<{ no: string }>`select product_no as no from product order by product_no limit 1`)
      .then(row => row.no),
  }
  const { key } = house.must(await house.call(maturity.save, item as never, { as: house.boss })) as { key: string }
  const { versionNo, version } = await house.one(
    sql<{
      versionNo: string
      version: number
    }>`select version_no, version from maturity_config_version where maturity_no = ${key}`,
  )
  const input = { versionNo, version, reason: 'agreed with the merchant' }
  return house.must(await house.call(maturity.versionSubmit, input, { as: house.boss })).approvalNo
}

/** A holiday in a year, sent to a second person. */
const holiday = async (house: House): Promise<string> => {
  const configKey = 'PUBLIC_HOLIDAYS' as const
  const held = house.must(await house.call(businessConfig.get, { configKey }, { as: house.boss }))
  const { version } = held
  const value = held.value as Holiday[]
  const date = addDays(eatDate(house.clock.now().toISOString()), 365 + value.length)
  const added = { date, name: { zh: '节日', en: 'Feast', sw: 'Sikukuu' }, closed: true }
  const input = { configKey, version, value: [...value, added] }
  return house.must(await house.call(businessConfig.update, input, { as: house.boss })).approvalNo
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
      fill: async house => {
        const maturityNo = await added(house)
        await copied(house, 'product', `product_no = 'P1'`, `jsonb_build_object('product_no', 'PF-' || n)`)
        // Each is for a product of its own: no two rows are for the same.
        const changes = `jsonb_build_object(${prefixed('maturity_no')}, ${at('updated_time')}, 'merchant_no', 'M1', 'product_no', 'PF-' || n, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
        await copied(house, 'maturity_config', `maturity_no = '${maturityNo}'`, changes)
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
