import { type RawBuilder, sql } from 'kysely'
import { type SensitiveKind, sensitiveKinds } from '../../core/contract/fields.ts'
import { plainSettings, type SensitiveSettings } from '../../core/rules/sensitive.ts'
import type { Tx } from '../db/database.ts'

/** The settings of a kind, and the version that a change of them names. */
export type StoredSettings = SensitiveSettings & { fieldKey: SensitiveKind; version: number }

/** A phone number is personal; what names a person to others or leads to money is special. */
const classOf = (fieldKey: SensitiveKind) => (fieldKey === 'phone' ? 'C3' : plainSettings.dataClass)

/** How each kind is guarded now: as people have set it, else as code knows it. */
export const sensitiveSettings = async (tx: Tx, of: readonly SensitiveKind[] = sensitiveKinds) => {
  const rows = await tx.rows(sql<StoredSettings>`
    select field_key, data_class, list_mask, reveal_hour_cap, reveal_day_cap, reason_required, code_required, version
    from sensitive_field where field_key = any(${[...of]})`)
  const held = new Map(rows.map(row => [row.fieldKey, row]))
  return of.map(
    (fieldKey): StoredSettings =>
      held.get(fieldKey) ?? { ...plainSettings, dataClass: classOf(fieldKey), fieldKey, version: 0 },
  )
}

/** Kinds of which lists show no letter, as a part of the statement that reads a person. */
export const fullyMasked: RawBuilder<SensitiveKind[]> =
  sql`array(select field_key from sensitive_field where list_mask = 'full')`
