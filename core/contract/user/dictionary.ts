import { z } from 'zod'
import { config } from '../config.ts'
import type { Flaw } from '../config-versions.ts'
import { command, noun } from '../endpoint.ts'
import { dictionary as dict, field } from '../fields.ts'

const tableTypes = dict('CODE_TABLE_TYPE', ['ordinary', 'error_code'])
const valueTypes = dict('VALUE_TYPE', ['text', 'json'])
/** Languages in which labels may be kept besides Chinese, which every label has. */
export const labelLanguages = dict('LABEL_LANGUAGE', ['en', 'sw', 'vi'])

/** Longest label, in characters. */
export const maxLabel = 200
const code = () => field.text(64).regex(/^[A-Z0-9_]+$/, 'validation.dictTypeFormat')
const label = () => field.longText(maxLabel)
const translation = () => label().nullable()

const isJson = (text: unknown) => {
  try {
    JSON.parse(String(text))
    return true
  } catch {
    return false
  }
}

/** What is wrong between the fields of an item, whatever its type. */
const flaw = (values: Readonly<Record<string, unknown>>): Flaw | null => {
  if (values.valueType !== 'json') return null
  const wrong = ['label', 'labelEn', 'labelSw', 'labelVi'].find(name => values[name] && !isJson(values[name]))
  return wrong ? { path: wrong, message: 'validation.dictJson' } : null
}

/** Dictionaries: each names a set of codes. */
export const dictTypes = config({
  name: 'dictType',
  path: '/common/dict/type',
  area: 'dict',
  table: 'dict_type',
  key: 'dictTypeNo',
  row: {
    dictType: field.text(64),
    dictName: field.text(64),
    codeTableType: field.dict(tableTypes),
    system: field.flag(),
    itemCount: field.int(),
    typeSort: field.int(),
  },
  form: { dictName: field.text(64), typeSort: field.place() },
  create: { dictType: code(), codeTableType: field.dict(tableTypes) },
  filters: {
    search: field.text(64).optional(),
    codeTableType: z.array(field.dict(tableTypes)).optional(),
  },
  sort: ['typeSort', 'dictType'],
  defaultSort: 'typeSort',
  used: true,
})

const ImportedItem = z.object({
  dictType: code(),
  parentKey: field.text(64).optional(),
  keyValue: field.text(64),
  label: label(),
  labelEn: label().optional(),
  labelSw: label().optional(),
  labelVi: label().optional(),
  valueType: field.dict(valueTypes),
  sort: z.string().regex(/^[1-9]\d{0,3}$/, 'validation.sortAbove'),
})
export type ImportedItem = z.output<typeof ImportedItem>
/** A row of an imported file. */
export const importedItem = ImportedItem

/** The codes of a dictionary with their labels. */
export const dictItems = config({
  name: 'dictItem',
  path: '/common/dict/item',
  area: 'dict',
  table: 'dict_item',
  key: 'dictItemNo',
  row: {
    dictType: field.text(64),
    parentKey: field.text(64).nullable(),
    keyValue: field.text(64),
    label: label(),
    labelEn: translation(),
    labelSw: translation(),
    labelVi: translation(),
    valueType: field.dict(valueTypes),
    sort: field.int(),
    system: field.flag(),
    childCount: field.int(),
    usedCount: field.int(),
    remark: field.remark(200).nullable(),
  },
  form: {
    parentKey: field.text(64).optional(),
    valueType: field.dict(valueTypes),
    label: label(),
    labelEn: label().optional(),
    labelSw: label().optional(),
    labelVi: label().optional(),
    sort: field.place(),
    remark: field.remark(200).optional(),
  },
  create: { dictType: code(), keyValue: field.text(64) },
  flaw,
  filters: {
    dictType: field.text(64).optional(),
    search: field.text(64).optional(),
    missing: z.array(field.dict(labelLanguages)).optional(),
  },
  sort: ['sort', 'keyValue'],
  defaultSort: 'sort',
  used: true,
  exported: { as: 'dictItems', perm: 'dict:save' },
  imported: {
    as: 'dictItems',
    perm: 'dict:save',
    row: ImportedItem,
    key: 'keyValue',
    example: {
      dictType: 'INCOMING_CHANNEL',
      keyValue: 'kiosk',
      label: '自助终端',
      labelEn: 'Kiosk',
      labelSw: 'Kioski',
      valueType: 'text',
      sort: '60',
    },
    maxRows: 5_000,
  },
})

/** Calls of the data dictionary: words of codes, texts of answer codes, and putting them in force. */
export const dictionary = noun('user/dictionary', {
  typePage: dictTypes.calls.page,
  typeDetail: dictTypes.calls.detail,
  typeHistory: dictTypes.calls.history,
  typeSave: dictTypes.calls.save,
  typeState: dictTypes.calls.state,
  typeRemove: dictTypes.calls.remove,
  typeUsedBy: dictTypes.calls.usedBy as NonNullable<typeof dictTypes.calls.usedBy>,
  ...dictItems.calls,
  usedBy: dictItems.calls.usedBy as NonNullable<typeof dictItems.calls.usedBy>,
  /** Puts the labels in force on every server and open console: of one dictionary, or of all. */
  clearCache: command({
    path: '/common/dict/clearCache',
    perm: 'dict:cacheClear',
    audit: 'dict.clearCache',
    input: z.strictObject({ dictType: field.text(64).optional() }),
    output: z.object({ changed: z.int().nonnegative() }),
  }),
})
