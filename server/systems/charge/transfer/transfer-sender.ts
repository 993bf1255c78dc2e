import { senderOf } from '../send/sender.ts'
import { lockTransfer, payableOf } from './transfer-store.ts'

/** Sends of transfers. */
export const transferSender = senderOf('transfer', async (tx, no) => payableOf(tx, await lockTransfer(tx, null, no)))
