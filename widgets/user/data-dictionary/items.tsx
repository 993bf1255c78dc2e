import { lazy } from 'react'
import { common } from '../../../core/contract/common/common.ts'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { dictItems, dictionary } from '../../../core/contract/user/dictionary.ts'
import { configScreen } from '../../../core/engine/config/config-screen.tsx'
import type { Action, DialogProps, Screen } from '../../../core/engine/screen.ts'
import { choicesOf } from './choices.tsx'
import { ErrorPreview } from './error-preview.tsx'
import { InlineLabel } from './inline-label.tsx'
import { LabelTexts } from './label-texts.tsx'

const ConfigForm = lazy(async () => ({
  default: (await import('../../../core/engine/config/config-form.tsx')).ConfigForm,
}))

export type ItemRow = ConfigRow<typeof dictItems>
type Of = {
  /** Its keys are those of the program. */
  system: boolean
  /** It holds the texts of answer codes. */
  errors: boolean
  /** How many dictionaries there are. */
  types: number
}

const NewChild = ({ rows, close }: DialogProps<ItemRow>) => (
  <ConfigForm
    config={dictItems}
    mode="new"
    row={undefined}
    title="dictionary.newChild"
    within={{ dictType: rows[0].dictType, parentKey: rows[0].keyValue }}
    close={close}
  />
)

const newChild: Action<ItemRow> = {
  label: 'dictionary.newChild',
  needs: { perm: dictItems.calls.save.perm, audit: 'dictItem.newChild' },
  when: row => (row.system ? 'dictionary.ofProgram' : row.parentKey ? 'dictionary.twoLevels' : true),
  dialog: NewChild,
}

const inline = (id: 'labelEn' | 'labelSw' | 'labelVi') => ({
  id,
  cell: (row: ItemRow) => <InlineLabel row={row} name={id} />,
})

const clear = (types: number): Action<never> => ({
  run: dictionary.clearCache,
  label: 'dictionary.clearCache',
  input: () => ({}),
  confirm: () => ({ key: 'dictionary.confirmClear', params: { n: types } }),
  done: 'dictionary.cleared',
})

const made = new Map<string, Screen>()

const itemsScreen = (dictType: string, { system, errors, types }: Of) =>
  configScreen({
    config: dictItems,
    within: { dictType },
    filters: ['search', 'missing'],
    columns: ['keyValue', 'label', inline('labelEn'), inline('labelSw'), inline('labelVi'), 'sort'],
    more: ['parentKey', 'valueType', 'childCount', 'usedCount', 'remark', 'system', 'dictItemNo'],
    settings: [
      'dictType',
      'keyValue',
      'parentKey',
      'label',
      'labelEn',
      'labelSw',
      'labelVi',
      'valueType',
      'sort',
      'usedCount',
      'remark',
    ],
    row: system ? [] : [newChild],
    confirm: {
      enable: 'dictionary.confirmEnable',
      disable: 'dictionary.confirmDisable',
      delete: 'dictionary.confirmDelete',
    },
    preview: values => (values.valueType === 'json' ? <LabelTexts of={values} /> : null),
    tabs: [
      { name: 'languages', label: 'dictionary.languages', body: row => <LabelTexts of={row} /> },
      ...(errors
        ? [
            {
              name: 'preview',
              label: 'dictionary.preview',
              body: (row: ItemRow) => <ErrorPreview row={row} />,
            } as const,
          ]
        : []),
    ],
    toolbar: [
      clear(types),
      ...(errors
        ? []
        : [
            {
              label: 'dictionary.choices',
              needs: { perm: dictItems.calls.page.perm },
              dialog: choicesOf(dictType),
            } as Action<never>,
          ]),
    ],
    also: [common.cascade, common.addresses],
  })

/** The items of a dictionary. */
export const itemsOf = (dictType: string, of: Of): Screen => {
  const name = `${dictType} ${of.system} ${of.errors} ${of.types}`
  const screen = made.get(name) ?? itemsScreen(dictType, of)
  made.set(name, screen)
  return screen
}
