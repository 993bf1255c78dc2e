import { common } from '../../../core/contract/common/common.ts'
import type { ConfigRow } from '../../../core/contract/config.ts'
import {
  type BaseType,
  baseOption,
  baseOptions,
  baseTypes,
  flagsOf,
} from '../../../core/contract/telemarketing/base-option.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { Screen } from '../../../core/engine/screen.ts'
import { FormPreview } from './form-preview.tsx'
import { SortDialog } from './sort-dialog.tsx'

export type OptionRow = ConfigRow<typeof baseOptions>

const screenOf = (baseType: BaseType): Screen => {
  const flags = flagsOf[baseType] ?? []
  const parent = baseType === 'CS_SUBTYPE' ? (['parentCode'] as const) : []
  return configScreen({
    config: baseOptions,
    within: { baseType },
    filters: ['search'],
    columns: ['optionCode', ...parent, 'nameZh', 'nameEn', 'nameSw', ...flags, 'sort'],
    more: ['system', 'usedCount', 'optionNo'],
    settings: ['optionCode', ...parent, 'nameZh', 'nameEn', 'nameSw', ...flags, 'sort', 'system', 'usedCount'],
    confirm: {
      enable: 'baseOption.confirmEnable',
      disable: 'baseOption.confirmDisable',
      delete: 'baseOption.confirmDelete',
    },
    toolbar: [
      {
        label: 'baseOption.preview',
        needs: { perm: baseOption.tree.perm },
        dialog: ({ close }) => <FormPreview baseType={baseType} close={close} />,
      },
      {
        label: 'baseOption.sort',
        needs: { perm: baseOption.sort.perm, audit: baseOption.sort.audit },
        dialog: ({ close }) => <SortDialog baseType={baseType} close={close} />,
      },
    ],
    also: [common.options, baseOption.sort],
  })
}

/** The options of each base type, with the flags that its options have. */
export const optionsOf = Object.fromEntries(baseTypes.values.map(type => [type, screenOf(type)])) as Record<
  BaseType,
  Screen
>
