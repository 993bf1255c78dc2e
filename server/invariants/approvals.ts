import { sql } from 'kysely'
import { payloadHash } from '../approval/approval.ts'
import type { Tx } from '../db/database.ts'
import type { Broken } from './check.ts'

type Held = { approvalNo: string; approvalStatus: string; payload: unknown; payloadHash: string }

/** V12: what was agreed to is what was asked for. */
export const checkPayloads = async (tx: Tx): Promise<Broken[]> => {
  const held = await tx.rows(
    sql<Held>`select approval_no, approval_status, payload, payload_hash from approval order by approval_no`,
  )
  const rows = held
    .filter(one => payloadHash(one.payload) !== one.payloadHash)
    .map(({ approvalNo, approvalStatus }) => ({ approvalNo, approvalStatus }))
  return rows.length > 0
    ? [{ name: 'V12a', rule: 'what needs a second person is what the first one asked for', rows }]
    : []
}
