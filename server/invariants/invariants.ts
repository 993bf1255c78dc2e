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
]

/** The most rows read of one broken rule; after a repair the check runs again. */
const most = 1000

/** Asks every invariant; answers those that some row breaks, with their rows. Reads only. */
export const runInvariants = async (tx: Tx): Promise<Broken[]> => {
  await tx.flush()
  const broken: Broken[] = []
  for (const { name, rule, broken: statement } of invariants) {
    const rows = await tx.rows(sql<Record<string, unknown>>`select * from (${statement}) broken limit ${most}`)
    if (rows.length > 0) broken.push({ name, rule, rows })
  }
  return broken
}
