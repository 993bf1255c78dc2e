import type { Tx } from '../db/database.ts'
import type { Message } from './post.ts'
import type { Vendors } from './vendors.ts'

/** Whether a message still may go: it waits until a time, or is not sent for a reason. */
export type Gate = (tx: Tx, message: Message) => Promise<{ until: Date } | { blocked: string } | null>

/** A route of a text: by which account, under which sender. */
export type Way = { routeNo: string | null; accountNo: string; senderId: string }

/** What others decide about messages that leave the company. */
export type OutgoingHooks = {
  /** What carries messages now, or ever did: the vendors of the settings where nobody says. */
  carriers?: (tx: Tx, o?: { all?: boolean }) => Promise<Vendors>
  /** Asked right before a message is handed over. */
  gate?: Gate
  /** The ways of a text in the order in which they are tried; none where the accounts are tried as they are configured. */
  routes?: (tx: Tx, message: Message) => Promise<readonly Way[]>
  /** A vendor took a message. */
  sent?: (tx: Tx, message: Message) => Promise<void>
  /** A message has failed for good. */
  lost?: (tx: Tx, message: Message) => Promise<void>
}
