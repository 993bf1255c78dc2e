import { sql } from 'kysely'
import type { Choice } from '../../../../core/contract/common/common.ts'
import type { Language } from '../../../../core/i18n/language.ts'
import type { Tx } from '../../../db/database.ts'

const names = { zh: sql`name_zh`, en: sql`name_en`, sw: sql`name_sw` }

/** What may be chosen of a base type, in order; empty for what is none. */
export const optionChoices = (tx: Tx, baseType: string, language: Language): Promise<Choice[]> =>
  tx.rows(sql<Choice>`
    select option_code as value, ${names[language]} as label, parent_code as parent, enabled = 'enabled' as enabled, sort, false as json
    from base_option where base_type = ${baseType} and deleted_time is null order by sort, option_code`)
