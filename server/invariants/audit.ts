import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { type Anchor, anchorSealer, sealedText } from '../session/anchor.ts'
import { type Broken, invariant } from './check.ts'

/** Rules of the audit log: the chain of its rows and the anchors. */
export const auditInvariants = [
  invariant(
    'V23',
    'the audit log is as it was chained, row by row, up to every anchor',
    sql`
    with chained as (
      select chain_no, audit_no, hash, coalesce(lag(hash) over (order by chain_no), '') as before, coalesce(lag(chain_no) over (order by chain_no), 0) as earlier
      from audit_chain)
    select 'changed' as flaw, c.audit_no, c.chain_no from chained c left join audit_log a using (audit_no)
    where a.audit_no is null or c.hash <> audit_hash(c.before, a) or c.chain_no <> c.earlier + 1
    union all
    select 'anchor', n.audit_no, n.chain_no from audit_anchor n left join audit_chain c using (chain_no) where c.hash is distinct from n.hash
    union all
    select 'tip', c.audit_no, t.chain_no from audit_tip t left join audit_chain c using (chain_no) where coalesce(c.hash, '') <> t.hash
    union all
    select 'unchained', a.audit_no, null from audit_log a join audit_tip t on a.audit_no <= t.settled_no
    where not exists (select 1 from audit_chain c where c.audit_no = a.audit_no)`,
  ),
]

/** V23: every anchor bears the seal of this installation's key. */
export const checkAnchors = async (tx: Tx, secretKey: Buffer): Promise<Broken[]> => {
  const sealer = anchorSealer(secretKey)
  const isGood = ({ seal, ...anchor }: Anchor & { seal: string }) => {
    try {
      return sealer.open(seal, anchor.anchorDate).toString() === sealedText(anchor)
    } catch {
      return false
    }
  }
  const anchors = await tx.rows(
    sql<Anchor & { seal: string }>`select anchor_date, chain_no, hash, seal from audit_anchor order by anchor_date`,
  )
  const rows = anchors.filter(anchor => !isGood(anchor)).map(({ anchorDate, chainNo }) => ({ anchorDate, chainNo }))
  return rows.length > 0 ? [{ name: 'V23a', rule: 'an anchor of the audit log bears our seal', rows }] : []
}
