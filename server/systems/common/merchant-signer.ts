import { BlockList, isIP } from 'node:net'
import { sql } from 'kysely'
import { addressesIn } from '../../../core/rules/merchant/addresses.ts'
import type { Tx } from '../../db/database.ts'
import { isFresh, isSignature, signatureOf } from '../../http/defence/signature.ts'
import { Fault } from '../../http/fault.ts'
import type { Request } from '../../http/serve.ts'
import type { MerchantSecrets } from './merchant-secret.ts'

type Merchant = {
  merchantNo: string
  merchantName: string
  appName: string
  enabled: string
  drain: boolean
  /** Null where nobody has set the merchant up. */
  configured: string | null
  environment: string | null
  ipAllowList: string | null
}
type Live = { apiKeyId: string; secret: string; environment: string }
/** Whose system signed a request, and with which key. */
export type Signer = Pick<Merchant, 'merchantNo' | 'merchantName' | 'appName' | 'enabled' | 'drain'> & {
  apiKeyId: string
}

/** Whether an address is one of a list of addresses and ranges; an empty list is every address. */
export const isAllowed = (list: readonly string[], ip: string | null | undefined): boolean => {
  if (list.length === 0) return true
  const address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip ?? '')?.[1] ?? ip ?? ''
  const family = isIP(address)
  if (family === 0) return false
  const allowed = new BlockList()
  for (const one of list) {
    const [net = '', bits] = one.split('/')
    const kind = isIP(net) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(net) === 0) continue
    if (bits === undefined) allowed.addAddress(net, kind)
    else allowed.addSubnet(net, Number(bits), kind)
  }
  return allowed.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Keys of a merchant that are not ended: one, or two during a rotation. A request may name the one that it is signed with. */
const liveKeys = (tx: Tx, merchantNo: string, apiKeyId: string) =>
  tx.rows(sql<Live>`
    select api_key_id, secret, environment from merchant_credential
    where merchant_no = ${merchantNo} and ended_time is null and (${apiKeyId} = '' or api_key_id = ${apiKeyId}) order by created_time desc, api_key_id`)

/** What is refused of a merchant whose signature is right. */
const checkOpen = (merchant: Merchant, key: Live, ip: string | null | undefined) => {
  if (!isAllowed(addressesIn(merchant.ipAllowList ?? ''), ip)) throw new Fault('forbidden', 'errors.addressNotAllowed')
  if (merchant.enabled !== 'enabled' || merchant.configured === 'disabled')
    throw new Fault('forbidden', 'errors.merchantClosed')
  if (key.environment === 'test' && merchant.environment !== 'test') throw new Fault('forbidden', 'errors.testKey')
}

/**
 * The merchant whose system signed a request (`X-Merchant`, `X-Timestamp`, `X-Signature`, and `X-Key` where it names its key). Business
 * time may have been moved, the clock of a partner has not: either will do.
 * @throws {Fault} 40301 when the signature is wrong or old, the address is not allowed, or the merchant is disabled
 */
export const merchantSigner = async (
  tx: Tx,
  { headers, body, ip }: Request,
  secrets: MerchantSecrets | undefined,
): Promise<Signer> => {
  const [merchantNo, timestamp, signature, named] = ['x-merchant', 'x-timestamp', 'x-signature', 'x-key'].map(
    name => headers.get(name) ?? '',
  ) as [string, string, string, string]
  const merchant = await tx.maybe(sql<Merchant>`
    select m.merchant_no, m.merchant_name, m.app_name, m.enabled, m.drain, case when c.deleted_time is null then c.enabled else 'disabled' end as configured, c.environment, c.ip_allow_list
    from merchant m left join merchant_config c on c.merchant_no = m.merchant_no where m.merchant_no = ${merchantNo}`)
  const keys = await liveKeys(tx, merchantNo, named)
  const nobody = { apiKeyId: '', secret: 'nobody', environment: 'live' }
  // An unknown merchant takes as long as one that is known.
  const key = (keys.length ? keys : [nobody]).find(one => {
    const secret = secrets?.open(one.secret, merchantNo) ?? one.secret
    return isSignature(signature, signatureOf(secret, timestamp, body))
  })
  if (!merchant || !key || key === nobody || !isFresh(timestamp, Date.now(), tx.now.getTime()))
    throw new Fault('forbidden', 'errors.signature')
  checkOpen(merchant, key, ip)
  // Which key is still used shows which one may be ended.
  tx.append('merchantCredentialUse', { apiKeyId: key.apiKeyId, usedTime: tx.now })
  const { merchantName, appName, enabled, drain } = merchant
  return { merchantNo, merchantName, appName, enabled, drain, apiKeyId: key.apiKeyId }
}
