import type { Tx } from '../../db/database.ts'
import { isPassing } from '../../db/faults.ts'
import type { Actor } from '../../rights/actor.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import type { Session } from '../../session/session.ts'
import type { Importable, ImportJob, NumberedRows, RowCall, RowsCall } from './store.ts'

/** The person who brought the file, as the actor of its rows. */
export const actorOf = ({ importNo }: Pick<ImportJob, 'importNo'>, { userNo, realName }: Session): Actor => ({
  no: userNo,
  name: realName,
  requestId: `import:${importNo}`,
  ip: null,
})

/** What the handler of a row is given. */
export const callFor = (tx: Tx, of: Importable, job: ImportJob, session: Session, rowNo: number): RowCall => {
  const { importNo } = job
  const actor = actorOf(job, session)
  const { audit: action, path } = of.list.importing.command
  return {
    tx,
    session,
    actor,
    importNo,
    rowNo,
    audit: ({ after, ...line }) =>
      writeAudit(tx, { action: action as string, path, actor }, [{ ...line, after: { ...after, importNo, rowNo } }]),
  }
}

/** What the handler of many rows is given. */
const callForMany = (tx: Tx, of: Importable, job: ImportJob, session: Session): RowsCall => ({
  tx,
  session,
  actor: actorOf(job, session),
  importNo: job.importNo,
  audit: (rowNo, line) => callFor(tx, of, job, session, rowNo).audit(line),
})

/**
 * Takes in what of some rows can be taken in together; `then` runs at the end of it, and may undo it by throwing. Where the
 * database refuses it as a whole, nothing is taken in, and every row is looked at by itself.
 */
export const takeTogether = async (
  tx: Tx,
  of: Importable,
  job: ImportJob,
  session: Session,
  rows: NumberedRows<Record<string, unknown>>,
  then: (taken: Map<number, string>) => void = () => undefined,
): Promise<Map<number, string>> => {
  const together = of.rows
  if (!together || rows.size < 2) return new Map()
  let taken = new Map<number, string>()
  try {
    await tx.attempt(async inner => {
      taken = await together(callForMany(inner, of, job, session), rows)
      await inner.flush()
      then(taken)
    })
  } catch (error) {
    if (isPassing(error)) throw error
    if (!(error instanceof Rehearsed)) return new Map()
  }
  return taken
}

/** Thrown at the end of a rehearsal, so that nothing of it remains. */
export class Rehearsed extends Error {}
