import type { Tx } from '../db/database.ts'
import type { Message } from './post.ts'

/** Whether a message still may go: it waits until a time, or is not sent for a reason. */
export type Gate = (tx: Tx, message: Message) => Promise<{ until: Date } | { blocked: string } | null>

/** What others decide about messages that leave the company. */
export type OutgoingHooks = {
  /** Asked right before a message is handed over. */
  gate?: Gate
  /** A message has failed for good. */
  lost?: (tx: Tx, message: Message) => Promise<void>
}
