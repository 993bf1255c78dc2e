import { senderOf } from '../send/sender.ts'
import { lockRefund, payableOf } from './refund-store.ts'

/** Sends of refunds. */
export const refundSender = senderOf('refund', async (tx, no) => payableOf(tx, await lockRefund(tx, null, no)))
