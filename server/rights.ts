import type { Endpoint } from '../core/contract/endpoint.ts'
import type { Tx } from './db/database.ts'
import type { Call, Request } from './serve.ts'
import type { Session } from './session.ts'
import { checkProof } from './step-up.ts'

/** Whether somebody holds the operation code of an endpoint, or one of those that will do; one that names none is for everybody. */
export const isAllowed = (session: Session, { perm, anyPerm }: Endpoint): boolean => {
  if (perm === undefined && anyPerm === undefined) return true
  const enough = [...(perm === undefined ? [] : [perm]), ...(anyPerm ?? [])]
  return enough.some(one => session.perms.has(one))
}

/** Asks the caller of an endpoint for proof of who they are. @throws {Fault} 40302 without a fresh proof */
export const provenIn =
  (tx: Tx, { session, request }: { session?: Session; request: Request }): Call['proven'] =>
  async perm => {
    if (!session) throw new Error('nobody without a session can prove who they are')
    await checkProof(tx, { session, request, perm })
  }

/** What an endpoint always asks to be proven; the answer to a call that was finished before asks for nothing. */
export const checked = async ({ stepUp, perm, path }: Endpoint, call: Call): Promise<void> => {
  if (stepUp !== true) return
  if (!perm) throw new Error(`${path} asks for a proof and has no operation code`)
  await call.proven(perm)
}
