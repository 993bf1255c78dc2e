import { sql } from 'kysely'
import type { Tx } from './db/database.ts'
import { type Fault, invalid } from './fault.ts'
import { isPassword } from './password.ts'
import { type Session, signedOut } from './session.ts'
import { throttleOf } from './throttle.ts'

/**
 * Whether the caller knows the password of the account: five wrong ones in 15 minutes end the session.
 * @returns null, or the refusal to be answered, not thrown, so that the wrong try counts
 */
export const refuseWrongPassword = async (
  { tx, session }: { tx: Tx; session: Session },
  o: { field: string; given: string; hash: string },
): Promise<Fault | null> => {
  const throttle = await throttleOf(tx, `pwd:${session.userNo}`)
  if (!throttle.isLocked && (await isPassword(o.given, o.hash))) {
    await throttle.reset()
    return null
  }
  if (!throttle.isLocked && !(await throttle.fail())) return invalid(o.field, 'validation.oldPwdWrong')
  await tx.exec(
    sql`update session set ended_time = ${tx.now}, ended_reason = 'password.guessed' where session_no = ${session.sessionNo}`,
  )
  return signedOut()
}
