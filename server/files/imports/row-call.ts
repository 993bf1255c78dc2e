import type { Tx } from '../../db/database.ts'
import type { Actor } from '../../rights/actor.ts'
import { writeAudit } from '../../rights/audit-rows.ts'
import type { Session } from '../../session/session.ts'
import type { Importable, ImportJob, RowCall } from './store.ts'

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
