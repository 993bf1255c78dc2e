import { contract } from '../../../../core/contract/contract.ts'
import type { Endpoint, InputOf } from '../../../../core/contract/endpoint.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { common, dictionary } = contract
let made = 0
const byKeeper = 'words leave and come in bulk under the code by which they are kept: there is no code of its own'

const type = async (fixture: Fixture) => {
  const dictType = `OWN_${++made}`
  const input = { dictType, dictName: `Own ${made}`, codeTableType: 'ordinary', typeSort: 1 }
  const { key } = (
    await fixture.call(dictionary.typeSave, input as InputOf<typeof dictionary.typeSave>, { as: fixture.boss })
  ).data
  return { dictType, key: String(key) }
}

const has = (words: readonly unknown[], text: string) => words.join(' ').toLowerCase().includes(text.toLowerCase())
const labels = { en: 'labelEn', sw: 'labelSw', vi: 'labelVi' } as const

export default facts({
  lists: [
    {
      list: dictionary.typePage,
      key: 'dictTypeNo',
      of: 'company',
      fill: async fixture => {
        const { key } = await type(fixture)
        const changes = `jsonb_build_object(${prefixed('dict_type_no')}, 'dict_type', x.dict_type || '_' || n, 'type_sort', 1 + n, ${at('updated_time')})`
        await copied(fixture, 'dict_type', `dict_type_no = '${key}'`, changes)
      },
      means: { search: (row, text: string) => has([row.dictType, row.dictName], text) },
    },
    {
      list: dictionary.page,
      key: 'dictItemNo',
      of: 'company',
      fill: async fixture => {
        const { dictType } = await type(fixture)
        const input = { dictType, keyValue: 'own', label: '自有', labelEn: 'Own', valueType: 'text', sort: 1 }
        const { key } = (
          await fixture.call(dictionary.save, input as InputOf<typeof dictionary.save>, { as: fixture.boss })
        ).data
        const changes = `jsonb_build_object(${prefixed('dict_item_no')}, 'key_value', x.key_value || n, 'sort', 1 + n, ${at('updated_time')})`
        await copied(fixture, 'dict_item', `dict_item_no = '${key}'`, changes)
      },
      means: {
        search: (row, text: string) => has([row.keyValue, row.label, row.labelEn, row.labelSw, row.labelVi], text),
        missing: (row, languages: readonly (keyof typeof labels)[]) =>
          languages.length === 0 || languages.some(one => row[labels[one]] === null),
      },
    },
  ],
  beginnings: [
    {
      call: dictionary.page.importing!.command,
      input: async fixture => {
        const bytes = Buffer.from(
          `dictType,keyValue,label,valueType,sort\nINCOMING_CHANNEL,kiosk${++made},自助终端,text,60\n`,
        )
        return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'items.csv', bytes }) }
      },
    },
  ],
  records: [
    { fields: ['dictTypeNo'], table: 'dict_type', key: 'dict_type_no' },
    { fields: ['dictItemNo'], table: 'dict_item', key: 'dict_item_no' },
  ],
  calls: [
    ...[...Object.values(dictionary), common.options, common.cascade, common.addresses]
      .filter(call => !('row' in call))
      .map(call => ({ call: call as Endpoint, about: 'words are ours, whatever the merchant' })),
    { call: dictionary.page.exporting!, otherPerm: byKeeper },
    { call: dictionary.page.importing!.command, otherPerm: byKeeper },
  ],
})
