import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

const Reason = z.object({
  /** The key of the words, as the server refuses with them. */
  reason: z.string(),
  /** What the words name; a text key among the values is a word too. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** What the server would refuse on a row for what its record is now, by the names of the commands in the audit log. */
export const blockedBy = () => z.record(z.string(), Reason)
export type BlockedBy = z.output<ReturnType<typeof blockedBy>>

/** Why a row does not take a command, as the row says it; undefined where it does not object. */
export const blockOf = (
  row: Readonly<Record<string, unknown>>,
  command: Pick<Endpoint, 'audit'> | undefined,
): BlockedBy[string] | undefined =>
  command?.audit ? (row.blockedBy as BlockedBy | undefined)?.[command.audit] : undefined
