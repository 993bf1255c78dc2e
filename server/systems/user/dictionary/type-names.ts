import { type RawBuilder, sql } from 'kysely'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { messages } from '../../../../core/i18n/server.ts'

const camel = (key: string) => key.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What a dictionary of the program is called: by a name of its own, else by the label of the field that holds its values. */
export const typeName = (dictType: string, language: Language): string =>
  messages[language][`dictionary.type.${dictType}`] ?? messages[language][`fields.${camel(dictType)}`] ?? dictType

/**
 * The name of a dictionary as a reader finds it: those of the program in the language of the reader, unless somebody has given it
 * another name. `x` is its table.
 */
export const nameColumn = (types: readonly string[], language: Language): RawBuilder<unknown> => {
  const names = Object.fromEntries(
    types.map(type => [type, { said: typeName(type, language), own: languages.map(one => typeName(type, one)) }]),
  )
  const name = sql`${JSON.stringify(names)}::jsonb -> x.dict_type`
  return sql`case when x.system and (${name} -> 'own') ? x.dict_name then ${name} ->> 'said' else x.dict_name end`
}
