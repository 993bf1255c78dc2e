import { sql } from 'kysely'
import type { Attempt, Sender } from '../../after-loan/payout/index.ts'
import { applyTo, differs } from '../send/outcome.ts'
import { lockTransfer, payableOf } from './transfer-store.ts'

/** Sends of transfers. */
export const transferSender: Sender = {
  kind: 'transfer',
  async hold(tx, externalId) {
    const { parentNo } = await tx.one(
      sql<{ parentNo: string }>`select parent_no from gateway_attempt where external_id = ${externalId}`,
    )
    const payable = payableOf(tx, await lockTransfer(tx, null, parentNo))
    const attempt = await tx.one(
      sql<Attempt>`select * from gateway_attempt where external_id = ${externalId} for update`,
    )
    const held = { payable, attempt }
    return {
      attempt,
      apply: (outcome, actor) => applyTo(tx, held, outcome, actor),
      differs: (kind, o, actor) => differs(tx, held, kind, o, actor),
      message: payable.message,
    }
  },
}
