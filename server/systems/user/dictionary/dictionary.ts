import { sql } from 'kysely'
import type { Choice } from '../../../../core/contract/common/common.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { dictItems, dictTypes, type ImportedItem, importedItem } from '../../../../core/contract/user/dictionary.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import { placesIn } from '../../../../core/rules/places.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { imported, KnownRow, type RowCall } from '../../../files/imports/store.ts'
import { Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Choices, HeldValue, Module } from '../../../module.ts'
import { optionChoices } from '../../telemarketing/base-option/index.ts'
import { addressType } from './addresses.ts'
import { screensOf } from './screens.ts'
import { builtInTypes } from './seed.ts'
import { nameColumn } from './type-names.ts'
import { usedCount, usesOf } from './values.ts'
import { labelIn, publishWords } from './words.ts'

const { dictionary, common } = contract
type Values = Record<string, unknown>
type Type = { codeTableType: string; system: boolean }

const bySystem = (item: Values) => (item.system ? new Fault('stateConflict', 'errors.dictSystem') : null)
const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

const typeOf = (tx: Tx, dictType: unknown) =>
  tx.maybe(
    sql<Type>`select code_table_type, system from dict_type where dict_type = ${dictType} and deleted_time is null`,
  )

const types = serveConfig(dictTypes, {
  prefix: 'DT',
  unique: 'dictType',
  exists: 'errors.dictRepeated',
  startsEnabled: () => true,
  fixed: bySystem,
  uses: (tx, keys) =>
    tx.rows(sql<{ key: string; kind: string; no: string; name: string }>`
      select t.dict_type_no as key, 'dict_item' as kind, i.key_value as no, i.label as name
      from dict_type t join dict_item i on i.dict_type = t.dict_type and i.deleted_time is null
      where t.dict_type_no = any(${[...keys]}) order by i.sort, i.dict_item_no`),
  shows: async ({ tx, session }, no) => {
    const { dictType } = await tx.one(
      sql<{ dictType: string }>`select dict_type from dict_type where dict_type_no = ${no}`,
    )
    return screensOf(dictType, session.language)
  },
  source: ({ session }) => ({
    columns: {
      dictName: nameColumn(builtInTypes, session.language),
      itemCount: sql`(select count(*)::int from dict_item i where i.dict_type = x.dict_type and i.deleted_time is null)`,
    },
    filters: {
      search: (text: string) =>
        sql`(x.dict_type ilike ${like(text)} or ${nameColumn(builtInTypes, session.language)} ilike ${like(text)})`,
    } as never,
  }),
})

/** A text of an error code has the same places for values in every language. */
const checkPlaces = (form: Values) => {
  const places = placesIn(String(form.label))
  const wrong = ['labelEn', 'labelSw', 'labelVi'].find(name => form[name] && placesIn(String(form[name])) !== places)
  if (wrong) throw invalid(wrong, 'errors.dictPlaces')
}

const checkItem = async (tx: Tx, form: Values, before: Values | null): Promise<void> => {
  const dictType = before?.dictType ?? form.dictType
  const type = await typeOf(tx, dictType)
  if (!type) throw invalid('dictType', 'errors.notFound')
  if (!before && type.system) throw invalid('keyValue', 'errors.dictSystem')
  if (before?.system && (form.parentKey || form.valueType !== before.valueType))
    throw invalid('valueType', 'errors.dictSystem')
  if (type.codeTableType === 'error_code') {
    if (!before && !/^-?\d{1,6}$/.test(String(form.keyValue))) throw invalid('keyValue', 'errors.dictNumber')
    checkPlaces(form)
  }
  if (!form.parentKey) return
  const own = form.parentKey === (before?.keyValue ?? form.keyValue)
  const above = await tx.maybe(sql`
    select 1 from dict_item where dict_type = ${dictType} and key_value = ${form.parentKey} and parent_key is null and deleted_time is null for share`)
  if (own || !above) throw invalid('parentKey', 'errors.dictParent')
}

const missing = { en: sql`x.label_en`, sw: sql`x.label_sw`, vi: sql`x.label_vi` }

const itemsFor = (held: readonly HeldValue[]) =>
  serveConfig(dictItems, {
    prefix: 'DI',
    unique: 'keyValue',
    exists: 'errors.dictRepeated',
    startsEnabled: () => true,
    fixed: bySystem,
    check: ({ tx }, form, before) => checkItem(tx, form, before),
    async uses(tx, keys) {
      const rows = await tx.rows(sql<{ key: string; dictType: string; parentKey: string | null; keyValue: string }>`
        select dict_item_no as key, dict_type, parent_key, key_value from dict_item where dict_item_no = any(${[...keys]})`)
      const children = await tx.rows(sql<{ key: string; kind: string; no: string; name: string }>`
        select x.dict_item_no as key, 'dict_item' as kind, i.key_value as no, i.label as name
        from dict_item x join dict_item i on i.dict_type = x.dict_type and i.parent_key = x.key_value and x.parent_key is null and i.deleted_time is null
        where x.dict_item_no = any(${[...keys]}) order by i.sort`)
      const records = await Promise.all(
        rows
          .filter(row => row.parentKey === null)
          .map(row => usesOf(tx, held, { dict: row.dictType, value: row.keyValue, key: row.key })),
      )
      return [...children, ...records.flat()]
    },
    shows: async ({ tx, session }, no) => {
      const { dictType } = await tx.one(
        sql<{ dictType: string }>`select dict_type from dict_item where dict_item_no = ${no}`,
      )
      return screensOf(dictType, session.language)
    },
    source: () => ({
      columns: {
        childCount: sql`(select count(*)::int from dict_item i where i.dict_type = x.dict_type and i.parent_key = x.key_value and x.parent_key is null and i.deleted_time is null)`,
        usedCount: usedCount(held, { type: sql`x.dict_type`, value: sql`x.key_value` }),
      },
      filters: {
        dictType: (type: string) => sql`x.dict_type = ${type}`,
        search: (text: string) =>
          sql`concat_ws(' ', x.key_value, x.label, x.label_en, x.label_sw, x.label_vi) ilike ${like(text)}`,
        missing: (languages: readonly ('en' | 'sw' | 'vi')[]) =>
          languages.length
            ? sql`(${sql.join(
                languages.map(one => sql`${missing[one]} is null`),
                sql` or `,
              )})`
            : null,
      } as never,
    }),
  })

type Row = Choice & { labelEn: string | null; labelSw: string | null }

/** The values of a dictionary in a language. */
const choicesOf = async (tx: Tx, key: string, language: Language): Promise<Choice[]> => {
  const rows = await tx.rows(sql<Row>`
    select i.key_value as value, i.label, i.label_en, i.label_sw, i.parent_key as parent, i.sort, i.value_type = 'json' as json,
      i.enabled = 'enabled' and t.enabled = 'enabled' as enabled
    from dict_item i join dict_type t on t.dict_type = i.dict_type and t.deleted_time is null
    where i.dict_type = ${key} and i.deleted_time is null order by i.sort, i.key_value`)
  if (rows.length === 0 && !(await typeOf(tx, key))) throw notFound()
  return rows.map(({ labelEn, labelSw, ...row }) => ({
    ...row,
    label: labelIn(language, { label: row.label, labelEn, labelSw }),
  }))
}

const optionsFor = (choices: readonly Choices[]) =>
  serve(common.options, async ({ tx, input, session }) => {
    const records = choices.find(({ key }) => key === input.KEY)
    if (records) {
      const list = await records.list({ tx, session })
      return { list: list.map((one, at) => ({ ...one, parent: null, sort: at + 1, json: false })) }
    }
    const own = await optionChoices(tx, input.KEY, session.language)
    return { list: own.length ? own : await choicesOf(tx, input.KEY, session.language) }
  })

const bare = ({ value, label, enabled, sort }: Choice) => ({ value, label, enabled, sort })

const cascade = serve(common.cascade, async ({ tx, input, session }) => {
  const all = await choicesOf(tx, input.KEY, session.language)
  const below = (parent: string | null) => all.filter(one => one.parent === parent)
  return { list: below(null).map(one => ({ ...bare(one), childList: below(one.value).map(bare) })) }
})

const addresses = serve(common.addresses, async ({ tx, input: { parent = null }, session }) => {
  const all = await choicesOf(tx, addressType, session.language)
  if (parent !== null && !all.some(one => one.parent === null && one.value === parent)) throw notFound()
  return {
    list: all
      .filter(one => one.parent === parent && one.enabled)
      .map(({ value, label }) => ({ value, label, leaf: parent !== null })),
  }
})

const clearCache = serve(dictionary.clearCache, async ({ tx, input, audit }) => {
  const { dictType } = input
  if (dictType !== undefined && !(await typeOf(tx, dictType))) throw notFound()
  const changed = await publishWords(tx, dictType)
  const of = dictType === undefined ? {} : { dictType }
  audit({ objectType: 'dict_publication', objectNo: 'dict_publication', after: { changed, ...of } })
  return { changed }
})

/** The words behind every code, and what may be chosen of them. */
export const dictionaryModule = (held: readonly HeldValue[] = [], choices: readonly Choices[] = []): Module => {
  const items = itemsFor(held)
  /** An item of a file; one that is there already is left as it is. */
  const take = async (call: RowCall, row: ImportedItem): Promise<string> => {
    const { sort, ...given } = row
    const form: Values = { parentKey: null, labelEn: null, labelSw: null, labelVi: null, remark: null, ...given }
    if (form.valueType === 'json' && dictItems.flaw?.(form)) throw invalid('label', 'validation.dictJson')
    await checkItem(call.tx, form, null)
    const there = await call.tx.maybe(sql`
      select 1 from dict_item where dict_type = ${row.dictType} and coalesce(parent_key, '') = ${row.parentKey ?? ''} and key_value = ${row.keyValue} and deleted_time is null`)
    if (there) throw new KnownRow('validation', 'errors.dictRepeated')
    return items.add(call, { ...form, sort: Number(sort) }, true)
  }
  return {
    served: [...types.served, ...items.served, optionsFor(choices), cascade, addresses, clearCache],
    lists: [...types.lists, ...items.lists],
    imports: [imported({ list: dictionary.page, schema: importedItem, row: take })],
  }
}
