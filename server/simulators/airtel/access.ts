import { randomBytes } from 'node:crypto'
import { type Call, type Handler, header, jsonOf, type Reply, type Route } from '../network/http.ts'
import type { Keys } from './keys.ts'
import { refused } from './words.ts'

/** Minutes, not hours. */
const lifeSeconds = 180

/** One kind of token for all products, and the checks at the door. Tokens are not kept over a restart. */
export const openAccess = (keys: Keys, now: () => number) => {
  const tokens = new Map<string, number>()
  const denied: Reply = {
    status: 401,
    body: { error: 'invalid_token', error_description: 'The access token is invalid' },
  }

  const refuse = (call: Call): Reply | null => {
    const end = tokens.get(header(call, 'Authorization')?.replace(/^Bearer /, '') ?? '')
    if (end === undefined || end <= now()) return denied
    if (header(call, 'X-Country') !== 'UG') return refused('ROUTER006', 'Invalid country code provided.')
    if (header(call, 'X-Currency') !== 'UGX') return refused('ROUTER112', 'Invalid currency provided.')
    return null
  }

  const token: Handler = call => {
    const body = jsonOf(call) ?? {}
    const known =
      body.client_id === keys.clientId &&
      body.client_secret === keys.clientSecret &&
      body.grant_type === 'client_credentials'
    if (!known) return { status: 401, body: { error: 'invalid_client', error_description: 'Invalid client' } }
    const value = randomBytes(24).toString('base64url')
    tokens.set(value, now() + lifeSeconds * 1000)
    return { status: 200, body: { token_type: 'bearer', access_token: value, expires_in: String(lifeSeconds) } }
  }

  return {
    routes: [['POST', /^\/auth\/oauth2\/token$/, token]] satisfies Route[],
    /** Lets only callers with a living token through. */
    guarded:
      (handler: Handler): Handler =>
      (call, params) =>
        refuse(call) ?? handler(call, params),
    revokeAll(): Reply {
      tokens.clear()
      return denied
    },
  }
}

export type Access = ReturnType<typeof openAccess>
