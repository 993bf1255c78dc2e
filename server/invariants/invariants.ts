import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { activityInvariants } from './activity.ts'
import { auditInvariants } from './audit.ts'
import { chargeInvariants } from './charge.ts'
import type { Broken, Invariant } from './check.ts'
import { fileInvariants } from './files.ts'
import { importInvariants } from './imports.ts'
import { ledgerInvariants } from './ledger.ts'
import { loanInvariants } from './loan.ts'
import { merchantInvariants } from './merchant.ts'
import { postingInvariants } from './postings.ts'
import { reconInvariants } from './recon.ts'
import { snapshotInvariants } from './snapshot.ts'
import { staffInvariants } from './staff.ts'
import { stateInvariants } from './states.ts'
import { walletInvariants } from './wallet.ts'

/** All rules, by what they are about. */
export const invariants: readonly Invariant[] = [
  ...ledgerInvariants,
  ...postingInvariants,
  ...loanInvariants,
  ...chargeInvariants,
  ...merchantInvariants,
  ...walletInvariants,
  ...activityInvariants,
  ...staffInvariants,
  ...stateInvariants,
  ...fileInvariants,
  ...importInvariants,
  ...auditInvariants,
  ...reconInvariants,
  ...snapshotInvariants,
]

/** Rules of the ledger (L1 to L13), and of what is kept of each day; they are asked at the end of every day. */
export const nightlyInvariants = invariants.filter(({ name }) =>
  /^(L\d+[a-d]?|V1|V3[a-d]|V4|V6|V15|V17|V27|V32[a-b]?)$/.test(name),
)

/** The most rows read of one broken rule; after a repair the check runs again. */
const most = 1000

/** The rows that break a rule: none when all is well. */
export const brokenBy = async (tx: Tx, { broken }: Invariant): Promise<Broken['rows']> => {
  await tx.flush()
  return tx.rows(sql<Record<string, unknown>>`select * from (${broken}) broken limit ${most}`)
}

/** Asks every invariant; answers those that some row breaks, with their rows. Reads only. */
export const runInvariants = async (tx: Tx): Promise<Broken[]> => {
  const broken: Broken[] = []
  for (const one of invariants) {
    const rows = await brokenBy(tx, one)
    if (rows.length > 0) broken.push({ name: one.name, rule: one.rule, rows })
  }
  return broken
}
