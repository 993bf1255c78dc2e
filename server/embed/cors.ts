import type { Context, MiddlewareHandler } from 'hono'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { isOpen } from './partner.ts'

const freshMs = 1_000
const asked =
  'token, authorization, language, accept-language, content-type, x-request-id, x-mkopo-version, idempotency-key, x-step-up'

/** Where a browser says that a call comes from, when that is not this server itself. */
const foreignOf = (origin: string | undefined, url: string): string | undefined => {
  if (origin === undefined) return undefined
  const own = URL.canParse(origin) && new URL(origin).host === new URL(url).host
  return own ? undefined : origin
}

type Marked = { Variables: { atPartner: boolean } }

/** Whether a call comes from the page of a partner. */
export const isAtPartner = (c: Context): boolean => (c as Context<Marked>).get('atPartner')

/**
 * Answers pages of other origins: those of live partner grants, letter by letter, and none besides. No cookie is ever looked at.
 * What the page may do there is decided by its token.
 */
export const partnerOrigins = (db: Database): MiddlewareHandler<Marked> => {
  let known = { at: Number.NEGATIVE_INFINITY, origins: Promise.resolve(new Set<string>()) }

  const read = async () => {
    const rows = await db.read(tx =>
      tx.rows(
        sql<{ origin: string }>`select distinct unnest(p.origins) as origin from partner_grant p where ${isOpen(tx)}`,
      ),
    )
    return new Set(rows.map(row => row.origin))
  }
  const origins = () => {
    if (performance.now() - known.at > freshMs) known = { at: performance.now(), origins: read() }
    return known.origins
  }

  return async (c, next) => {
    const origin = foreignOf(c.req.header('origin'), c.req.url)
    const allowed = origin !== undefined && (await origins()).has(origin)
    c.set('atPartner', allowed)
    if (c.req.method === 'OPTIONS') {
      if (!allowed) return c.body(null, 403, { vary: 'Origin' })
      return c.body(null, 204, {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': asked,
        'access-control-max-age': '600',
        vary: 'Origin',
      })
    }
    await next()
    c.res.headers.append('vary', 'Origin')
    if (!allowed) return
    c.res.headers.set('access-control-allow-origin', origin)
    c.res.headers.set('access-control-expose-headers', 'x-request-id, idempotent-replayed, content-disposition')
  }
}
