import { sql } from 'kysely'
import { type BusinessKey, type BusinessValue, businessConfigs } from '../../../core/contract/common/business-config.ts'
import type { Tx } from '../../db/database.ts'

/** What a setting of the business holds; null where nobody has set it. */
export const businessValue = async <K extends BusinessKey>(tx: Tx, key: K): Promise<BusinessValue<K> | null> => {
  const row = await tx.maybe(
    sql<{ value: unknown }>`select config_value as value from business_config where config_key = ${key}`,
  )
  if (!row) return null
  const { plain, schema } = businessConfigs[key]
  // A part that was never set holds what the program says.
  const value = Array.isArray(plain) ? row.value : { ...plain, ...(row.value as object) }
  return schema.parse(value) as BusinessValue<K>
}

/** Days on which nobody works, Sundays aside. */
export const closedDays = async (tx: Tx): Promise<ReadonlySet<string>> => {
  const holidays = (await businessValue(tx, 'PUBLIC_HOLIDAYS')) ?? []
  return new Set(holidays.filter(({ closed }) => closed).map(({ date }) => date))
}
