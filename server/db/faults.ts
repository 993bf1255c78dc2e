/** The transaction collided with others three times; nothing was written. */
export class TransactionConflict extends Error {
  override name = 'TransactionConflict'
}

/** Another transaction inserted a row that this one had not found: a retry finds it. */
export class SeenMeanwhile extends Error {
  override name = 'SeenMeanwhile'
}

/** A query that must answer a row answered none. */
export class RowMissing extends Error {
  override name = 'RowMissing'
}

type PostgresError = { code?: unknown; constraint?: unknown; message?: unknown }

/** The SQLSTATE of a database error. */
export const sqlState = (error: unknown): string | undefined => {
  const code = (error as PostgresError | undefined)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

const violations = new Set(['23502', '23503', '23505', '23514'])

/** The constraint that refused the row, or undefined when the error is something else. */
export const violatedConstraint = (error: unknown): string | undefined => {
  const constraint = (error as PostgresError | undefined)?.constraint
  return violations.has(sqlState(error) ?? '') && typeof constraint === 'string' ? constraint : undefined
}

const unstorable = new Set(['22003', '22007', '22008', '22021', '22P02', '22P05'])

/** A value that was sent fits into no column: a number or a day out of range, half of a character. */
export const isUnstorable = (error: unknown): boolean => unstorable.has(sqlState(error) ?? '')

/** A lock was not given within the time limit: somebody else (a day-end run, as a rule) is at work on the row. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** A prepared statement outlived a change of its tables. */
export const isStalePlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' && String((error as PostgresError).message).startsWith('cached plan')

/** Nothing was wrong with the statement: one before it in the same transaction had failed. */
export const isRefusedAfter = (error: unknown): boolean => sqlState(error) === '25P02'

/** The same transaction may succeed when it is run again as a whole. */
export const isPassing = (error: unknown): boolean =>
  ['40001', '40P01'].includes(sqlState(error) ?? '') || isStalePlan(error) || error instanceof SeenMeanwhile
