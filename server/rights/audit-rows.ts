import type { Tx } from '../db/database.ts'
import type { Audit } from '../http/serve.ts'
import type { Actor } from './actor.ts'

/** Writes the audit lines of a command in its own transaction; a command that names no record still leaves one line. */
export const writeAudit = (
  tx: Tx,
  of: { action: string; path: string; actor: Actor },
  lines: readonly Audit[],
): void => {
  const written: readonly Audit[] = lines.length ? lines : [{ objectType: 'endpoint', objectNo: of.path }]
  for (const line of written)
    tx.append('auditLog', {
      action: of.action,
      objectType: line.objectType,
      objectNo: line.objectNo,
      orderNo: line.orderNo ?? null,
      actor: of.actor.no,
      actorName: of.actor.name,
      at: tx.now,
      requestId: of.actor.requestId,
      ip: of.actor.ip,
      partnerNo: of.actor.partnerNo,
      before: line.before ?? null,
      after: line.after ?? null,
    })
}
