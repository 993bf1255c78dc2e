import { sql } from 'kysely'
import type { EatDate } from '../../../core/rules/time.ts'
import type { Tx } from '../../db/database.ts'
import type { Deps, Module } from '../../module.ts'
import { type Anchor, anchorSealer, sealedText } from '../../session/anchor.ts'
import type { Sealer } from '../../session/seal.ts'

const most = 10_000

/** Takes rows of the audit log that are not in the chain into it, oldest first; answers how many. */
export const chainAudit = async (tx: Tx): Promise<number> => {
  await tx.flush()
  return (await tx.one(sql<{ taken: number }>`select chain_audit(${most}) as taken`)).taken
}

/** Seals where the chain stands at the turn of a business date, once. Rows below the anchor before that are all in the chain. */
export const anchorAudit = async (tx: Tx, sealer: Sealer, anchorDate: EatDate): Promise<Record<string, number>> => {
  while ((await chainAudit(tx)) === most);
  const tip = await tx.one(sql<Omit<Anchor, 'anchorDate'>>`select chain_no, hash from audit_tip`)
  if (tip.chainNo === 0) return { anchored: 0 }
  const seal = sealer.seal(Buffer.from(sealedText({ anchorDate, ...tip })), anchorDate)
  const anchored = await tx.exec(sql`
    insert into audit_anchor (anchor_date, chain_no, audit_no, hash, seal, anchored_time)
    select ${anchorDate}, ${tip.chainNo}, max(audit_no), ${tip.hash}, ${seal}, ${tx.now} from audit_log on conflict do nothing`)
  await tx.exec(sql`
    update audit_tip set settled_no = a.audit_no from (
      select audit_no from audit_anchor where anchor_date < ${anchorDate} order by anchor_date desc limit 1) a
    where settled_no < a.audit_no`)
  return { anchored }
}

/** Chains the audit log a minute after it was written at the latest, and anchors the chain every day. */
export const auditChainModule = ({ secretKey }: Pick<Deps, 'secretKey'>): Module => {
  const sealer = anchorSealer(secretKey)
  return {
    served: [],
    scheduled: [
      { job: 'audit.chain', every: { seconds: 60 }, run: async tx => ({ chained: await chainAudit(tx) }) },
      { job: 'audit.anchor', every: { dailyAt: '00:10' }, run: (tx, { date }) => anchorAudit(tx, sealer, date) },
    ],
  }
}
