import { sql } from 'kysely'
import { dictionaries } from '../../../../core/contract/dictionaries.ts'
import { dictItems, dictTypes } from '../../../../core/contract/user/dictionary.ts'
import { messages } from '../../../../core/i18n/server.ts'
import type { Tx } from '../../../db/database.ts'
import { newNo } from '../../../money/numbers.ts'
import { writeAddresses } from './addresses.ts'
import { errorKeys } from './error-codes.ts'
import { typeName } from './type-names.ts'

export type Word = {
  dictType: string
  keyValue: string
  key: string
  label: string
  labelEn: string
  labelSw: string
  sort: number
}

const wordOf = (dictType: string, keyValue: string, key: string, sort: number): Word => ({
  dictType,
  keyValue,
  key,
  label: messages.zh[key] ?? keyValue,
  labelEn: messages.en[key] ?? keyValue,
  labelSw: messages.sw[key] ?? keyValue,
  sort,
})

const orderIn = (dictType: string, keyValue: string): number => {
  const known: Readonly<Record<string, readonly string[]>> = dictionaries
  const at = known[dictType]?.indexOf(keyValue) ?? -1
  return at < 0 ? 9_999 : at
}

/** Every value that the program has words for, in the order of its dictionary. */
const dictWords = (): Word[] => {
  const found = new Map<string, string[]>()
  for (const key of Object.keys(messages.zh)) {
    const [, type, value] = /^dict\.(\w+)\.(.+?)(?:_one|_other)?$/.exec(key) ?? []
    if (type && value && messages.zh[key] !== undefined && !/_(one|other)$/.test(key))
      found.set(type, [...(found.get(type) ?? []), value])
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([type, values]) =>
      values
        .map((value, at) => ({ value, at }))
        .sort((a, b) => orderIn(type, a.value) - orderIn(type, b.value) || a.at - b.at)
        .map(({ value }, at) => wordOf(type, value, `dict.${type}.${value}`, at + 1)),
    )
}

export const errorType = 'ERROR_CODE'
/** Of these the program knows no value: people add, disable and delete them. */
const open: readonly string[] = ['INCOMING_CHANNEL', 'PROMOTION_CHANNEL']

/** What the program says, value by value: dictionaries, and the text of each answer code. */
export const builtIn: readonly Word[] = [
  ...dictWords(),
  ...errorKeys.map(([code, key], at) => wordOf(errorType, String(code), key, at + 1)),
]

const note = (tx: Tx, machine: string, table: 'dict_type' | 'dict_item', key: string, nos: readonly string[]) =>
  tx.exec(sql`
    insert into state_transition (machine, object_no, event, from_state, to_state, actor, request_id, at)
    select ${machine}, x.${sql.ref(key)}, m.event, m.before, m.after, 'system', 'start', ${tx.now}
    from ${sql.table(table)} x, (values (1, 'item.create', '∅', 'disabled'), (2, 'item.enable', 'disabled', 'enabled')) as m (at, event, before, after)
    where x.${sql.ref(key)} = any(${[...nos]}) order by x.${sql.ref(key)}, m.at`)

/** The dictionaries of the program. */
export const builtInTypes: readonly string[] = [...new Set(builtIn.map(word => word.dictType))]

/** Writes the types that are missing; answers them. What nobody has changed follows the names of this version. */
const writeTypes = async (tx: Tx): Promise<readonly string[]> => {
  const types = builtInTypes.map((dictType, at) => ({
    no: newNo('DT', tx.now),
    dictType,
    dictName: typeName(dictType, 'zh'),
    tableType: dictType === errorType ? 'error_code' : 'ordinary',
    system: !open.includes(dictType),
    sort: at + 1,
  }))
  const made = await tx.rows(sql<{ no: string; dictType: string }>`
    insert into dict_type (dict_type_no, enabled, dict_type, dict_name, code_table_type, system, type_sort, created_time, updated_by, updated_time)
    select no, 'enabled', "dictType", "dictName", "tableType", system, sort, ${tx.now}, 'system', ${tx.now}
    from json_to_recordset(${JSON.stringify(types)}::json) as given (no text, "dictType" text, "dictName" text, "tableType" text, system boolean, sort int)
    on conflict (dict_type) where deleted_time is null do nothing returning dict_type_no as no, dict_type`)
  await tx.exec(sql`
    update dict_type x set dict_name = given.name
    from json_to_recordset(${JSON.stringify(types.map(({ dictType: type, dictName: name }) => ({ type, name })))}::json) as given (type text, name text)
    where x.dict_type = given.type and x.deleted_time is null and x.system and x.updated_by = 'system' and x.dict_name <> given.name`)
  await note(
    tx,
    dictTypes.machine.id,
    'dict_type',
    'dict_type_no',
    made.map(({ no }) => no),
  )
  return made.map(({ dictType }) => dictType)
}

const writeItems = async (tx: Tx, fresh: readonly string[]): Promise<void> => {
  const items = builtIn
    .filter(({ dictType }) => !open.includes(dictType) || fresh.includes(dictType))
    .map(word => ({ ...word, no: newNo('DI', tx.now), system: !open.includes(word.dictType) }))
  const given = sql`json_to_recordset(${JSON.stringify(items)}::json)
    as given (no text, "dictType" text, "keyValue" text, label text, "labelEn" text, "labelSw" text, sort int, system boolean)`
  const made = await tx.rows(sql<{ no: string }>`
    insert into dict_item (dict_item_no, enabled, dict_type, key_value, value_type, label, label_en, label_sw, sort, system, created_time, updated_by, updated_time)
    select no, 'enabled', "dictType", "keyValue", 'text', label, "labelEn", "labelSw", sort, system, ${tx.now}, 'system', ${tx.now} from ${given}
    on conflict (dict_type, coalesce(parent_key, ''), key_value) where deleted_time is null do nothing returning dict_item_no as no`)
  await note(
    tx,
    dictItems.machine.id,
    'dict_item',
    'dict_item_no',
    made.map(({ no }) => no),
  )
  // What nobody has changed follows the words of this version.
  await tx.exec(sql`
    update dict_item x set label = given.label, label_en = "labelEn", label_sw = "labelSw" from ${given}
    where x.dict_type = "dictType" and x.key_value = "keyValue" and x.parent_key is null and x.deleted_time is null and x.system and x.updated_by = 'system'
      and (x.label, x.label_en, x.label_sw) is distinct from (given.label, "labelEn", "labelSw")`)
}

/** Writes the dictionaries of this version into the database; labels that somebody has changed stay. Servers that start together do this one after the other. */
export const writeDictionaries = async (tx: Tx): Promise<void> => {
  await tx.exec(sql`select pg_advisory_xact_lock(hashtext('write dictionaries'))`)
  await writeItems(tx, await writeTypes(tx))
  await writeAddresses(tx, note)
}
