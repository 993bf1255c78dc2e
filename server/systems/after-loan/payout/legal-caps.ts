import { sql } from 'kysely'
import { checkCaps, type LegalCap } from '../../../../core/rules/legal-cap.ts'
import type { Terms } from '../../../../core/rules/loan/terms.ts'
import type { Money } from '../../../../core/rules/money.ts'
import type { Tx } from '../../../db/database.ts'
import { Fault } from '../../../http/fault.ts'

type StoredCap = LegalCap & { legalSource: string }

/** Every cap that is not off, whenever it holds. */
export const legalCaps = (tx: Tx): Promise<StoredCap[]> =>
  tx.rows(sql<StoredCap>`
    select cap_key, cap_value, cap_base, cap_mode, fee_treatment, effective_from, effective_to, legal_source
    from legal_cap where cap_mode <> 'off' order by cap_key, effective_from`)

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
