import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { facts } from '../../../testing/facts.ts'

const { baseOption } = contract
let made = 0

export default facts({
  lists: [
    {
      list: baseOption.page,
      key: 'optionNo',
      of: 'company',
      fill: async fixture => {
        const n = ++made
        const input = {
          baseType: 'PAUSE_REASON',
          optionCode: `own_${n}`,
          nameZh: `休息${n}`,
          nameEn: `Rest ${n}`,
          nameSw: `Pumziko ${n}`,
          sort: 1,
        }
        const { key } = (
          await fixture.call(baseOption.save, input as InputOf<typeof baseOption.save>, { as: fixture.boss })
        ).data
        const names = ['option_code', 'name_zh', 'name_en', 'name_sw']
          .map(name => `'${name}', x.${name} || n`)
          .join(', ')
        const changes = `jsonb_build_object(${prefixed('option_no')}, ${names}, 'sort', 1 + n, ${at('updated_time')})`
        await copied(fixture, 'base_option', `option_no = '${key}'`, changes)
      },
      means: {
        search: (row, text: string) =>
          [row.optionCode, row.nameZh, row.nameEn, row.nameSw].join(' ').toLowerCase().includes(text.toLowerCase()),
      },
    },
  ],
  records: [{ fields: ['optionNo'], table: 'base_option', key: 'option_no' }],
  calls: Object.values(baseOption)
    .filter(call => !('row' in call))
    .map(call => ({ call: call as Endpoint, about: 'choices are ours, whatever the merchant' })),
})
