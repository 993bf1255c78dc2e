import type { Tx } from './db/database.ts'
import type { Invariant } from './invariants/check.ts'
import { fileInvariants } from './invariants/files.ts'
import { importInvariants } from './invariants/imports.ts'
import { ledgerInvariants } from './invariants/ledger.ts'
import { loanInvariants } from './invariants/loan.ts'
import { stateInvariants } from './invariants/states.ts'

export const invariants: readonly Invariant[] = [
  ...ledgerInvariants,
  ...loanInvariants,
  ...stateInvariants,
  ...fileInvariants,
  ...importInvariants,
]

export type Broken = { name: string; rule: string; rows: Record<string, unknown>[] }

/** Asks every invariant; answers those that some row breaks, with the first hundred rows. Reads only. */
export const runInvariants = async (tx: Tx): Promise<Broken[]> => {
  await tx.flush()
  const broken: Broken[] = []
  for (const { name, rule, broken: statement } of invariants) {
    const rows = (await tx.rows(statement)) as Record<string, unknown>[]
    if (rows.length > 0) broken.push({ name, rule, rows: rows.slice(0, 100) })
  }
  return broken
}
