import { sql } from 'kysely'
import type { MachineName } from '../../../../core/rules/machines/machines.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../rights/actor.ts'
import type { Attempt, ConfirmRecord } from '../../after-loan/payout/index.ts'

/** What every row that money is sent for has. */
export type SentRow = { version: number; attemptNo: number; serialNo: string | null }

/** A refund, a transfer, a withdrawal of rewards or airtime of the staff, locked, as far as its money goes. */
export type Payable<R extends SentRow = SentRow> = {
  kind: 'refund' | 'transfer' | 'withdrawal' | 'phoneBill'
  machine: MachineName
  no: string
  row: R
  status: string
  /** Its states while money is on the way, when it failed, and when it arrived. */
  states: { running: string; failed: string; paid: string }
  /** The send leaves the state as it is and is an event of its own while nobody knows its outcome. */
  notesUnknown: boolean
  /** Moves its money in the books: out of an account of ours, to where it should be, or back. */
  book: (way: 'sent' | 'arrived' | 'failed', attempt: Attempt, actor: Actor) => Promise<void>
  /** What else changes on its row when the money arrived. */
  paidSet: Record<string, unknown>
  /** What follows of it elsewhere. */
  paid: (actor: Actor) => Promise<void>
  message: () => Promise<string>
}

/** The field that names the state of a payable, and what it is now. */
export type StatusOf<S extends string> = { field: string; now: () => Promise<S> }

/** A payable with one of its sends, all locked. */
export type HeldPayable = { payable: Payable; attempt: Attempt }

/** The confirmation that two persons are at, locked. */
export const openConfirmOf = (tx: Tx, { kind, no }: Pick<Payable, 'kind' | 'no'>): Promise<ConfirmRecord | undefined> =>
  tx.maybe(sql<ConfirmRecord>`
    select * from loan_code_confirm where parent_kind = ${kind} and parent_no = ${no}
      and confirm_status in ('unconfirmed', 'first_confirmed') for update`)

/** The newest send of a payable, locked after it. */
export const newestAttempt = (tx: Tx, { no, row }: Pick<Payable, 'no' | 'row'>): Promise<Attempt> =>
  tx.one(sql<Attempt>`select * from gateway_attempt where external_id = ${`${no}-${row.attemptNo}`} for update`)
