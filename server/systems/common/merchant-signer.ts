import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isFresh, isSignature, signatureOf } from '../../http/defence/signature.ts'
import { Fault } from '../../http/fault.ts'
import type { Request } from '../../http/serve.ts'
import type { MerchantSecrets } from './merchant-secret.ts'

type Signer = {
  merchantNo: string
  merchantName: string
  appName: string
  intakeSecret: string
  enabled: string
  drain: boolean
}

/**
 * The merchant whose system signed a request (`X-Merchant`, `X-Timestamp`, `X-Signature`). Business time may have been moved, the clock of
 * a partner has not: either will do.
 * @throws {Fault} 40301 when the signature is wrong or old, or the merchant is disabled
 */
export const merchantSigner = async (
  tx: Tx,
  { headers, body }: Request,
  secrets: MerchantSecrets | undefined,
): Promise<Omit<Signer, 'intakeSecret'>> => {
  const [merchantNo, timestamp, signature] = ['x-merchant', 'x-timestamp', 'x-signature'].map(
    name => headers.get(name) ?? '',
  ) as [string, string, string]
  const found = await tx.maybe(sql<Signer>`
    select merchant_no, merchant_name, app_name, intake_secret, enabled, drain from merchant where merchant_no = ${merchantNo}`)
  const kept = found?.intakeSecret ?? 'nobody'
  const secret = secrets?.open(kept, merchantNo) ?? kept
  const isSigned = isSignature(signature, signatureOf(secret, timestamp, body))
  if (!found || !isSigned || !isFresh(timestamp, Date.now(), tx.now.getTime()))
    throw new Fault('forbidden', 'errors.signature')
  if (found.enabled !== 'enabled') throw new Fault('forbidden', 'errors.merchantClosed')
  const { intakeSecret: _, ...merchant } = found
  return merchant
}
