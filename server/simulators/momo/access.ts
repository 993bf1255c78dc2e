import { randomBytes } from 'node:crypto'
import { type Call, error, type Handler, header, type Reply, type Route } from '../network/http.ts'

export type Keys = { subscriptionKey: string; apiUser: string; apiKey: string }

const lifeSeconds = 3600
const denied = (message: string): Reply => ({ status: 401, body: { statusCode: 401, message } })

/** Tokens of both products, and the checks at the door. They are not kept over a restart. */
export const openAccess = (keys: Keys, now: () => number) => {
  const tokens = new Map<string, number>()
  const basic = `Basic ${Buffer.from(`${keys.apiUser}:${keys.apiKey}`).toString('base64')}`

  const refuse = (call: Call, product: string): Reply | null => {
    if (header(call, 'Ocp-Apim-Subscription-Key') !== keys.subscriptionKey)
      return denied(
        'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
      )
    const token = header(call, 'Authorization')?.replace(/^Bearer /, '')
    const end = tokens.get(`${product} ${token}`)
    if (end === undefined || end <= now()) return denied('Unauthorized')
    const environment = header(call, 'X-Target-Environment')
    if (environment !== 'mtnuganda' && environment !== 'sandbox')
      return error(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT', 'Access to target environment is forbidden.')
    return null
  }

  return {
    routes: (product: string): Route[] => [
      [
        'POST',
        new RegExp(`^/${product}/token/$`),
        call => {
          if (
            header(call, 'Ocp-Apim-Subscription-Key') !== keys.subscriptionKey ||
            header(call, 'Authorization') !== basic
          )
            return { status: 401, body: { error: 'login_failed', message: 'Login failed.' } }
          const token = randomBytes(32).toString('base64url')
          tokens.set(`${product} ${token}`, now() + lifeSeconds * 1000)
          return { status: 200, body: { access_token: token, token_type: 'access_token', expires_in: lifeSeconds } }
        },
      ],
    ],
    /** Lets only callers with a living token of the product through. */
    guarded:
      (product: string, handler: Handler): Handler =>
      (call, params) =>
        refuse(call, product) ?? handler(call, params),
    revokeAll: () => tokens.clear(),
    denied: () => denied('Unauthorized'),
  }
}

export type Access = ReturnType<typeof openAccess>
