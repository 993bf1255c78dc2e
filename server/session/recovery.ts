import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { toBase32 } from './totp.ts'

const howMany = 10

/** Codes for people who have lost their authenticator. Only keyed hashes are kept: a copy of the database lets nobody in. */
export const recoveryOf = (secretKey: Buffer) => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'recovery', 32))
  const hashOf = (userNo: string, code: string) =>
    createHmac('sha256', key).update(`${userNo} ${code.toUpperCase()}`).digest('base64url')

  /** New codes in the place of all that were there. */
  const renew = async (tx: Tx, userNo: string, count = howMany): Promise<string[]> => {
    const codes = Array.from({ length: count }, () => toBase32(randomBytes(5)).replace(/^.{4}/, '$&-'))
    await drop(tx, userNo)
    for (const code of codes)
      await tx.exec(
        sql`insert into recovery_code (user_no, code_hash, created_time) values (${userNo}, ${hashOf(userNo, code)}, ${tx.now})`,
      )
    return codes
  }

  /** Uses a code. @returns whether it existed and was unused */
  const use = async (tx: Tx, userNo: string, code: string): Promise<boolean> =>
    (await tx.exec(
      sql`update recovery_code set used_time = ${tx.now} where user_no = ${userNo} and code_hash = ${hashOf(userNo, code)} and used_time is null`,
    )) === 1

  return { renew, use }
}

/** Deletes all recovery codes of a person. @returns how many there were */
export const drop = (tx: Tx, userNo: string): Promise<number> =>
  tx.exec(sql`delete from recovery_code where user_no = ${userNo}`)

/** How many codes somebody has left. */
export const recoveryLeft = async (tx: Tx, userNo: string): Promise<number> =>
  (
    await tx.one(sql<{ left: number }>`
      select count(*)::int as left from recovery_code where user_no = ${userNo} and used_time is null`)
  ).left
