import { allowedLink } from '../../../../core/rules/market/hosts.ts'
import { signatureOf } from '../../../http/defence/signature.ts'
import type { PostOnce } from '../../../outgoing/open-link.ts'
import { postbackKeys } from '../platform/keys.ts'

/** What fills in the form of a partner, for the one click. */
export type Prefill = {
  platformNo: string
  keyTurn: number
  clickId: string
  consentVersion: number
  prefillUrl: string
  hosts: readonly string[]
  customer: Readonly<Record<string, string | null>>
}

/** How long a customer waits for the partner, and the most of its answer that is read. */
const patience = { timeoutMs: 5_000, most: 2_000 }

const sessionLinkIn = (text: string): string | null => {
  try {
    const { sessionLink } = JSON.parse(text) as { sessionLink?: unknown }
    return typeof sessionLink === 'string' ? sessionLink : null
  } catch {
    return null
  }
}

/**
 * Sends what the customer agreed to, signed as the partner signs to us (`X-Timestamp`, `X-Signature` with its key), and answers the link
 * of the form that is filled in; null when the partner does not answer, or answers a link off its own hosts.
 */
export const filledIn = async (
  secretKey: Buffer,
  post: PostOnce,
  { platformNo, keyTurn, clickId, consentVersion, prefillUrl, hosts, customer }: Prefill,
): Promise<string | null> => {
  const url = allowedLink(prefillUrl, hosts)
  if (!url) return null
  const body = JSON.stringify({ clickId, consentVersion, customer })
  const timestamp = String(Date.now())
  const signature = signatureOf(postbackKeys(secretKey)(platformNo, keyTurn), timestamp, body)
  const headers = { 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-signature': signature }
  try {
    const { status, text } = await post(url, { body, headers, ...patience })
    const link = status === 200 ? sessionLinkIn(text) : null
    return link !== null && allowedLink(link, hosts) ? link : null
  } catch {
    return null
  }
}
