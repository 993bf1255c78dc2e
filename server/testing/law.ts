import { type RawBuilder, sql } from 'kysely'
import type { LegalCap } from '../../core/rules/legal-cap.ts'
import { startOfEatDay } from '../../core/rules/time.ts'

/** Puts a cap of the law into force; `undefined` takes every cap away. */
export const law = (cap?: { capKey: LegalCap['capKey']; capValue: string; from?: string }): RawBuilder<unknown> => {
  if (!cap) return sql`truncate legal_cap, legal_cap_version`
  const { capKey, capValue } = cap
  const from = startOfEatDay(cap.from ?? '2024-11-15')
  const content = {
    capValue,
    capBase: 'principal',
    capMode: 'enforce',
    feeTreatment: 'interestOnly',
    legalSource: 'Legal Notice 21 of 2024',
  }
  return sql`
    with c as (
      insert into legal_cap (cap_no, enabled, cap_key, created_time, updated_by, updated_time)
      values (${capKey}, 'enabled', ${capKey}, ${from}, 'U1', ${from}) returning cap_no)
    insert into legal_cap_version (version_no, version_status, cap_no, content, effective_time, maker_no, maker_name, created_time)
    select cap_no || '-V', 'effective', cap_no, ${JSON.stringify(content)}::jsonb, ${from}, 'U1', 'Law', ${from} from c`
}
