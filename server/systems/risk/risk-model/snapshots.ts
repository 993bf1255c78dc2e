import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { FactValues } from './content.ts'

/** What was known of an order when it was decided, and what became of it. */
export type Snapshot = {
  orderNo: string
  customerNo: string
  loanKind: string
  facts: FactValues
  /** Null where it is not known. */
  bad: boolean | null
}

/** Most snapshots that one question looks at. */
export const mostSnapshots = 5_000

/** The newest snapshots of evaluations; `where` speaks of the order `o` and the snapshot `f`. */
export const snapshotsOf = (tx: Tx, where: RawBuilder<unknown>, most = mostSnapshots): Promise<Snapshot[]> =>
  tx.rows(sql<Snapshot>`
    select o.order_no, o.customer_no, o.loan_kind, f.facts, k.bad
    from risk_fact_snapshot f join loan_order o using (order_no) left join risk_outcome k using (order_no)
    where ${where} and f.facts <> '{}' order by f.created_time desc, f.order_no desc limit ${most}`)
