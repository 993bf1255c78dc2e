import { CallError } from '../../../../core/client/errors.ts'
import type { AuditTask } from '../../../../core/contract/audit/queue.ts'
import { codes } from '../../../../core/contract/codes.ts'

/** What became of the auditor's hold on the order. `task` is what was opened last, so that typed values stay in sight. */
export type Hold =
  | { is: 'opening' }
  | { is: 'held'; task: AuditTask }
  /** Another window or person works on it; `by` is null for an own window. */
  | { is: 'lost'; task?: AuditTask; by: string | null }
  /** The order or the task went on. */
  | { is: 'gone'; task?: AuditTask; status: string | null }
  /** It could not be opened. */
  | { is: 'refused'; error: unknown }
  | { is: 'done'; words: string }

type Conflict = { is: 'lost'; by: string | null } | { is: 'gone'; status: string | null }

/** What a refused call says about the hold; null when it says nothing. */
export const conflictOf = (error: unknown): Conflict | null => {
  if (!(error instanceof CallError) || error.code !== codes.stateConflict) return null
  const { status, takenOverBy } = (error.data ?? {}) as { status?: string; takenOverBy?: string | null }
  if (takenOverBy !== undefined) return { is: 'lost', by: takenOverBy }
  return { is: 'gone', status: status ?? null }
}
