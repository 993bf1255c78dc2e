import { sql } from 'kysely'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { messages, putWords } from '../../../../core/i18n/server.ts'
import type { Tx } from '../../../db/database.ts'
import { builtIn, builtInTypes as types } from './seed.ts'

type Labels = { label: string; labelEn: string | null; labelSw: string | null }
type Published = Record<Language, Record<string, string>>

/** The label in a language; what a language lacks is said in English, then in Chinese. */
export const labelIn = (language: Language, { label, labelEn, labelSw }: Labels): string =>
  (language === 'sw' ? (labelSw ?? labelEn) : language === 'en' ? labelEn : null) ?? label

const known = new Map(builtIn.map(word => [`${word.dictType} ${word.keyValue}`, word.key]))

/** The labels that are not those of the program, by the keys of its texts; of one dictionary, or of all. */
const differing = async (tx: Tx, of: readonly string[]): Promise<Published> => {
  const rows = await tx.rows(sql<Labels & { dictType: string; keyValue: string }>`
    select dict_type, key_value, label, label_en, label_sw from dict_item
    where deleted_time is null and parent_key is null and value_type = 'text' and dict_type = any(${[...of]}) and (updated_by <> 'system' or not system)`)
  const found: Published = { zh: {}, en: {}, sw: {} }
  for (const row of rows) {
    const key = known.get(`${row.dictType} ${row.keyValue}`) ?? `dict.${row.dictType}.${row.keyValue}`
    for (const language of languages) {
      const said = labelIn(language, row)
      if (said !== messages[language][key]) found[language][key] = said
    }
  }
  return found
}

/** What is in force now, without the words of a dictionary. */
const others = async (tx: Tx, dictType: string): Promise<Published> => {
  const { words } = await tx.one(sql<{ words: Published }>`select words from dict_publication for update`)
  const own = new Set(builtIn.flatMap(word => (word.dictType === dictType ? [word.key] : [])))
  const isOther = ([key]: readonly [string, string]) => !own.has(key) && !key.startsWith(`dict.${dictType}.`)
  const left = (language: Language) => Object.fromEntries(Object.entries(words[language] ?? {}).filter(isOther))
  return { zh: left('zh'), en: left('en'), sw: left('sw') }
}

/**
 * Puts the labels as they are now in force, of one dictionary or of all, and has every open console fetch them; answers how many of
 * them are not the program's.
 */
export const publishWords = async (tx: Tx, dictType?: string): Promise<number> => {
  const changed = await differing(tx, dictType === undefined ? types : types.filter(type => type === dictType))
  const kept: Published = dictType === undefined ? { zh: {}, en: {}, sw: {} } : await others(tx, dictType)
  const words = Object.fromEntries(languages.map(language => [language, { ...kept[language], ...changed[language] }]))
  await tx.exec(
    sql`update dict_publication set stamp = gen_random_uuid(), words = ${JSON.stringify(words)}::jsonb, published_time = ${tx.now}`,
  )
  await tx.exec(sql`
    insert into user_event (user_no, event)
    select distinct user_no, 'dict.changed' from session where ended_time is null`)
  return Object.keys(changed.zh).length
}

let held: { stamp: string; words: Published } = { stamp: '', words: { zh: {}, en: {}, sw: {} } }

/** The labels in force; this process says them from now on. */
export const publishedWords = async (tx: Tx): Promise<Published> => {
  const { stamp } = await tx.one(sql<{ stamp: string }>`select stamp::text from dict_publication`)
  if (stamp !== held.stamp) {
    const { words } = await tx.one(sql<{ words: Published }>`select words from dict_publication`)
    held = { stamp, words }
    for (const language of languages) putWords(language, words[language] ?? {})
  }
  return held.words
}
