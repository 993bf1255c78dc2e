import type { Endpoint } from '../../core/contract/endpoint.ts'
import type { Tx } from '../db/database.ts'
import type { Call, Request } from '../http/serve.ts'
import type { Session } from '../session/session.ts'
import { checkProof } from '../session/step-up.ts'

/**
 * Whether a person holds the operation code of an endpoint, or one of its alternatives, and may see the kind of sensitive value that its
 * answer is of; an endpoint without a code is open to every signed-in user.
 */
export const isAllowed = (session: Session, { perm, anyPerm, sees }: Endpoint): boolean => {
  if (sees && !session.sensitive.has(`pii:reveal:${sees}`)) return false
  if (perm === undefined && anyPerm === undefined) return true
  const enough = [...(perm === undefined ? [] : [perm]), ...(anyPerm ?? [])]
  return enough.some(one => session.perms.has(one))
}

type Held = {
  session?: Session
  request: Request
  /** An earlier transaction of the same call has used a proof. */
  isProven?: boolean
}

/** Asks the caller of an endpoint for proof of who they are, once a call where a proof is used up. @throws {Fault} 40302 without a fresh proof */
export const provenIn = (tx: Tx, { session, request, isProven = false }: Held): Call['proven'] => {
  let isUsed = isProven && session?.embed !== undefined
  return async perm => {
    if (!session) throw new Error('nobody without a session can prove who they are')
    if (isUsed) return
    await checkProof(tx, { session, request, perm })
    isUsed = session.embed !== undefined
  }
}

/** Whether {@link checked} asks the page of a partner, whose proofs are used up, for one. */
const asksPartner = ({ stepUp, money, audit }: Endpoint): boolean =>
  stepUp === true || (money !== undefined && audit !== undefined)

/** What the later transactions of a call know: the first one has checked it. */
export const checkedBefore = <H extends Held>(endpoint: Endpoint, held: H) => ({
  ...held,
  isChecked: true as const,
  isProven: asksPartner(endpoint),
})

/** What an endpoint always asks to be proven, and whatever concerns money on a partner's page; the answer to a call that was finished before asks for nothing. */
export const checked = async ({ stepUp, perm, path, money, audit }: Endpoint, call: Call): Promise<void> => {
  if (call.session?.embed && money && audit) await call.proven(perm ?? audit)
  if (stepUp !== true) return
  if (!perm) throw new Error(`${path} asks for a proof and has no operation code`)
  await call.proven(perm)
}
