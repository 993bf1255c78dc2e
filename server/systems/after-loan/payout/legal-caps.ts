import { sql } from 'kysely'
import { checkCaps, type LegalCap } from '../../../../core/rules/legal-cap.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'

type StoredCap = LegalCap & { legalSource: string }

const day = (time: string) => sql`(v.${sql.ref(time)} at time zone 'Africa/Kampala')::date`

/** Every cap that is not off, whenever it holds, those included that are agreed to and yet to start: a cap holds for whole days. */
export const legalCaps = (tx: Tx): Promise<StoredCap[]> =>
  tx.rows(sql<StoredCap>`
    select cap_key, v.content ->> 'capValue' as cap_value, v.content ->> 'capBase' as cap_base, v.content ->> 'capMode' as cap_mode,
      v.content ->> 'feeTreatment' as fee_treatment, v.content ->> 'legalSource' as legal_source,
      ${day('effective_time')} as effective_from,
      case v.version_status when 'superseded' then ${day('superseded_time')} - 1
        else (select min(${sql.raw("(n.effective_time at time zone 'Africa/Kampala')::date")}) - 1 from legal_cap_version n
          where n.cap_no = v.cap_no and n.version_status = 'scheduled' and v.version_status = 'effective') end as effective_to
    from legal_cap_version v join legal_cap c using (cap_no)
    where v.version_status in ('superseded', 'effective', 'scheduled') and v.content ->> 'capMode' <> 'off'
    order by cap_key, v.effective_time`)

/** The first enforced cap that a contract made today would exceed, with its figure; undefined for a lawful one. */
export const brokenCap = async (tx: Tx, terms: Terms, loanAmount: Money) =>
  checkCaps(terms, loanAmount, await legalCaps(tx), tx.today).find(({ verdict }) => verdict === 'over')

/** @throws {Fault} 40001 when an enforced cap forbids a contract made today; the words say which, and by how much. */
export const checkLegal = async (tx: Tx, terms: Terms, loanAmount: Money): Promise<void> => {
  const broken = await brokenCap(tx, terms, loanAmount)
  if (!broken) return
  const { capKey, capValue } = broken.cap
  throw new Fault('validation', 'errors.overLegalCap', {
    cap: `dict.CAP_KEY.${capKey}`,
    figure: Number(broken.figure),
    max: Number(capValue),
  })
}
