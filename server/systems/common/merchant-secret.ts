import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { sealerOf } from '../../session/seal.ts'

const mark = 'sealed:'

/** The keys that merchants sign with: sealed in the database, open only where a signature is checked. */
export const merchantSecrets = (secretKey: Buffer) => {
  const sealer = sealerOf(secretKey, 'merchant intake')
  return {
    seal: (secret: string, merchantNo: string): string => mark + sealer.seal(Buffer.from(secret), merchantNo),
    /** @throws when it was sealed with another key, or for another merchant */
    open: (kept: string, merchantNo: string): string =>
      kept.startsWith(mark) ? sealer.open(kept.slice(mark.length), merchantNo).toString() : kept,
  }
}
export type MerchantSecrets = ReturnType<typeof merchantSecrets>

/** Seals what an operator, or an older version, has written plainly. @returns how many */
export const sealMerchantSecrets = (db: Database, secretKey: Buffer): Promise<number> =>
  db.withTx(async tx => {
    const { seal } = merchantSecrets(secretKey)
    const plain = await tx.rows(sql<{ merchantNo: string; intakeSecret: string }>`
      select merchant_no, intake_secret from merchant where intake_secret not like ${`${mark}%`} order by merchant_no for update`)
    for (const { merchantNo, intakeSecret } of plain)
      await tx.exec(
        sql`update merchant set intake_secret = ${seal(intakeSecret, merchantNo)} where merchant_no = ${merchantNo}`,
      )
    return plain.length
  })
