import { codes } from '../contract/codes.ts'
import { StepUp, user } from '../contract/user/user.ts'
import type { Access } from './access.ts'
import { CallError } from './errors.ts'
import type { Scope } from './scope.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

/** Proofs by operation code, as long as the page is open. */
const held = new WeakMap<Scope, Map<string, string>>()

const proofsOf = (scope: Scope) => {
  const proofs = held.get(scope) ?? new Map<string, string>()
  held.set(scope, proofs)
  return proofs
}

const isWanted = (error: unknown) => error instanceof CallError && error.code === codes.stepUp

/** Asks for the code of the authenticator until it is right. @throws `refusal` when the person would rather not, or the session has ended */
const asked = (access: Access, bound: boolean, refusal: CallError): Promise<string> =>
  new Promise((resolve, reject) => {
    const cancel = () => {
      access.question(undefined)
      reject(refusal)
    }
    const prove = async (code: string) => {
      const { stepUp } = await access.call(user.stepUp, { code })
      access.question(undefined)
      resolve(stepUp)
    }
    access.question(<StepUpDialog bound={bound} prove={prove} cancel={cancel} />)
  })

/** Sends a call that answered 40302 again with a proof: the one that is there for its operation code, else a new one. */
export const proven = async <T,>(
  access: Access,
  scope: Scope,
  refusal: CallError,
  send: (proof: string) => Promise<T>,
): Promise<T> => {
  const wanted = StepUp.safeParse(refusal.data)
  if (!wanted.success) throw refusal
  const { perm, bound } = wanted.data
  const proofs = proofsOf(scope)
  const known = proofs.get(perm)
  if (known)
    try {
      return await send(known)
    } catch (error) {
      if (!isWanted(error)) throw error
      proofs.delete(perm)
    }
  const proof = await asked(access, bound, refusal)
  proofs.set(perm, proof)
  return send(proof)
}
