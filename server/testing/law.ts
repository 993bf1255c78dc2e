import { type RawBuilder, sql } from 'kysely'
import type { LegalCap } from '../../core/rules/legal-cap.ts'

/** Puts a cap of the law into force; `undefined` takes every cap away. */
export const law = (cap?: { capKey: LegalCap['capKey']; capValue: string; from?: string }): RawBuilder<unknown> =>
  cap
    ? sql`insert into legal_cap (cap_no, cap_key, cap_value, cap_base, cap_mode, fee_treatment, effective_from, legal_source)
        values (${cap.capKey}, ${cap.capKey}, ${cap.capValue}::numeric, 'principal', 'enforce', 'interestOnly', ${cap.from ?? '2024-11-15'}, 'Legal Notice 21 of 2024')`
    : sql`delete from legal_cap`
