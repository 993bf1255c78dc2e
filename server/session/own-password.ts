import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { Fault, invalid } from '../http/fault.ts'
import { isPassword } from './password.ts'
import { type Session, signedOut } from './session.ts'
import { countTry, type Try, takeBack } from './throttle.ts'

type Caller = { tx: Tx; session: Pick<Session, 'userNo' | 'sessionNo'> }
/** The password that the caller gave for the own account, with what is known of the account. */
export type OwnTry = { given: string; hash: string; counted: Try }

/** Counts a try of the caller to name the own password. It is checked by {@link isOwn}, outside of the transaction. */
export const tryOwn = async ({ tx, session }: Caller, given: string): Promise<OwnTry> => {
  const counted = await countTry(tx, `pwd:${session.userNo}`)
  const { passwordHash } = await tx.one(
    sql<{ passwordHash: string }>`select password_hash from app_user where user_no = ${session.userNo}`,
  )
  return { given, hash: passwordHash, counted }
}

/** Whether the password was right; always false while tries are locked, so that guessing learns nothing. */
export const isOwn = async ({ given, hash, counted }: OwnTry): Promise<boolean> =>
  !counted.isLocked && (await isPassword(given, hash))

/**
 * What follows from the check: five wrong ones in 15 minutes end the session. Locks the account of a caller who was right.
 * @returns null, or the refusal to be answered, not thrown, so that the wrong try counts
 */
export const refuseWrong = async (
  { tx, session }: Caller,
  { hash, counted }: OwnTry,
  o: { field: string; isRight: boolean },
): Promise<Fault | null> => {
  if (o.isRight) {
    const { passwordHash } = await tx.one(
      sql<{ passwordHash: string }>`select password_hash from app_user where user_no = ${session.userNo} for update`,
    )
    if (passwordHash !== hash) throw new Fault('stateConflict', 'errors.busy')
    await takeBack(tx, counted)
    return null
  }
  if (!counted.isLocked && !counted.closed) return invalid(o.field, 'validation.oldPwdWrong')
  await tx.exec(
    sql`update session set ended_time = ${tx.now}, ended_reason = 'password.guessed' where session_no = ${session.sessionNo}`,
  )
  return signedOut()
}
