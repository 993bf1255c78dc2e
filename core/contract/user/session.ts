import { z } from 'zod'
import { command, endpoint, noun } from '../endpoint.ts'
import { field } from '../fields.ts'

const SessionRow = z.object({
  createdTime: field.time(),
  lastSeenTime: field.time(),
  ip: z.string().nullable(),
  browser: z.string().nullable(),
  /** The one that asks. */
  current: z.boolean(),
})
export type SessionRow = z.output<typeof SessionRow>

/** Where the caller is signed in. */
export const session = noun('user/session', {
  mine: endpoint({
    method: 'POST',
    path: '/user/session/mine',
    input: z.strictObject({}),
    output: z.object({ list: z.array(SessionRow) }),
  }),
  revokeOthers: command({
    path: '/user/session/revokeOthers',
    audit: 'user.revokeOthers',
    input: z.strictObject({}),
    output: z.object({ ended: z.int() }),
  }),
})

/** What -10 says beside its words where the caller's next sign-ins took the place of this one: when the last was, and from which address and browser. */
export const Displaced = z.object({ reason: z.literal('replaced'), time: z.string(), from: z.string() })
export type Displaced = z.output<typeof Displaced>
