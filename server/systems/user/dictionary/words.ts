import { sql } from 'kysely'
import { type Language, languages } from '../../../../core/i18n/language.ts'
import { messages, putWords } from '../../../../core/i18n/server.ts'
import type { Tx } from '../../../db/database.ts'
import { builtIn } from './seed.ts'

type Labels = { label: string; labelEn: string | null; labelSw: string | null }
type Published = Record<Language, Record<string, string>>

/** The label in a language; what a language lacks is said in English, then in Chinese. */
export const labelIn = (language: Language, { label, labelEn, labelSw }: Labels): string =>
  (language === 'sw' ? (labelSw ?? labelEn) : language === 'en' ? labelEn : null) ?? label

const known = new Map(builtIn.map(word => [`${word.dictType} ${word.keyValue}`, word.key]))
const types = [...new Set(builtIn.map(word => word.dictType))]

/** The labels that are not those of the program, by the keys of its texts. */
const differing = async (tx: Tx): Promise<Published> => {
  const rows = await tx.rows(sql<Labels & { dictType: string; keyValue: string }>`
    select dict_type, key_value, label, label_en, label_sw from dict_item
    where deleted_time is null and parent_key is null and value_type = 'text' and dict_type = any(${types}) and (updated_by <> 'system' or not system)`)
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

/** Puts the labels as they are now in force, and has every open console fetch them; answers how many are not the program's. */
export const publishWords = async (tx: Tx): Promise<number> => {
  const words = await differing(tx)
  await tx.exec(
    sql`update dict_publication set stamp = gen_random_uuid(), words = ${JSON.stringify(words)}::jsonb, published_time = ${tx.now}`,
  )
  await tx.exec(sql`
    insert into user_event (user_no, event)
    select distinct user_no, 'dict.changed' from session where ended_time is null`)
  return Object.keys(words.zh).length
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
