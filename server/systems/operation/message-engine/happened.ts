import type { MessageEvent, MessageValue } from '../../../../core/contract/operation/message-event.ts'
import { formatMoney, type Money } from '../../../../core/rules/amount.ts'
import type { Tx } from '../../../db/database.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { hearOf } from '../activity/index.ts'

/** An amount as texts say it. */
export const amountInText = (amount: Money): string => `UGX ${formatMoney(amount)}`

/** The queue of what happened and customers may hear of. */
export const eventQueue = 'message.event'

/** Something that happened to a customer, at one merchant. */
export type Happened = {
  event: MessageEvent
  /** What it happened to: the same event of the same record is said once for each `occurrence`. */
  objectType: string
  objectNo: string
  occurrence?: string
  customerNo: string
  merchantNo: string
  orderNo?: string | null
  /** The bill that it is about, where it is about one. */
  billNo?: string | null
  /** Values of its texts that only the cause knows. */
  values?: { readonly [V in MessageValue]?: string }
}

/**
 * Says that something happened, in the transaction of its cause: if that commits, customers hear of it as the nodes of the event say, and
 * activities may reward it.
 */
export const happened = async (tx: Tx, one: Happened): Promise<boolean> => {
  const { event, objectType, objectNo, occurrence = '', customerNo, merchantNo, orderNo, billNo, values } = one
  const kept = { event, objectType, objectNo, occurrence, customerNo, merchantNo, orderNo, billNo, values }
  await hearOf(tx, { ...one, orderNo: orderNo ?? null })
  return enqueue(tx, eventQueue, `${event} ${objectNo} ${occurrence}`, kept)
}
