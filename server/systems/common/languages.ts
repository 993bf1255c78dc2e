import { sql } from 'kysely'
import { type LanguageRow, languageCodes } from '../../../core/contract/language.ts'
import { text } from '../../../core/i18n/server.ts'
import type { Tx } from '../../db/database.ts'

/** The languages that the program has words for, each under its own name; the first is the default. */
export const ownLanguages: readonly LanguageRow[] = languageCodes.values.map((code, index) => ({
  code,
  name: text(code, `login.language.${code}`),
  sort: index + 1,
  isDefault: index === 0,
}))

/** The languages that staff may choose, in their order; those of the program in a database that has none yet. */
export const languageRows = async (tx: Tx): Promise<LanguageRow[]> => {
  const rows = await tx.rows(sql<LanguageRow>`
    select language_code as code, language_name as name, sort, language_status = 'default' as is_default from language
    where deleted_time is null and language_status <> 'draft' and language_code = any(${[...languageCodes.values]})
    order by sort, language_code`)
  return rows.length ? rows : [...ownLanguages]
}
