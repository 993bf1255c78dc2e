import { z } from 'zod'
import { base } from '../endpoint.ts'

/** The stream of changes for a signed-in console: `text/event-stream`, with the token in the headers as for a call. */
export const livePath = `${base}/user/events`

/** A comment goes out at least this often, in milliseconds; a stream that is silent for three of them is dead. */
export const beatMs = 15_000

/**
 * What a stream tells. `ready` begins it: what was read before may be old. The others say what to read again, never data;
 * `session.revoked` is the last one.
 */
export const LiveEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready') }),
  z.object({ event: z.literal('message.new') }),
  z.object({ event: z.literal('perms.changed') }),
  z.object({ event: z.literal('dict.changed') }),
  z.object({ event: z.literal('language.changed') }),
  z.object({ event: z.literal('session.revoked') }),
  z.object({ event: z.literal('queue.changed'), queues: z.array(z.string()) }),
])
export type LiveEvent = z.output<typeof LiveEvent>
