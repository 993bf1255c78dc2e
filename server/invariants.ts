import { sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { auditInvariants } from './invariants/audit.ts'
import type { Invariant } from './invariants/check.ts'
import { fileInvariants } from './invariants/files.ts'
import { importInvariants } from './invariants/imports.ts'
import { ledgerInvariants } from './invariants/ledger.ts'
import { loanInvariants } from './invariants/loan.ts'
import { postingInvariants } from './invariants/postings.ts'
import { reconInvariants } from './invariants/recon.ts'
import { stateInvariants } from './invariants/states.ts'

export const invariants: readonly Invariant[] = [
  ...ledgerInvariants,
  ...postingInvariants,
  ...loanInvariants,
  ...stateInvariants,
  ...fileInvariants,
  ...importInvariants,
  ...auditInvariants,
  ...reconInvariants,
]

export type Broken = { name: string; rule: string; rows: Record<string, unknown>[] }

/** Of the rows that break a rule no more are read: whoever repairs them asks again. */
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
