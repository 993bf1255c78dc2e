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
    const plain = await tx.rows(sql<{ apiKeyId: string; merchantNo: string; secret: string }>`
      select api_key_id, merchant_no, secret from merchant_credential
      where ended_time is null and secret not like ${`${mark}%`} order by api_key_id for update`)
    for (const { apiKeyId, merchantNo, secret } of plain)
      await tx.exec(
        sql`update merchant_credential set secret = ${seal(secret, merchantNo)} where api_key_id = ${apiKeyId}`,
      )
    return plain.length
  })
