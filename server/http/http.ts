import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { payPagePath } from '../../core/contract/after-loan/pay-link.ts'
import { livePath } from '../../core/contract/common/live.ts'
import { base } from '../../core/contract/endpoint.ts'
import { trackingPath } from '../../core/contract/portal/tracking.ts'
import { routes } from '../../core/contract/routes.ts'
import type { Database } from '../db/database.ts'
import { within } from '../lists/within.ts'
import type { Live } from '../live/live.ts'
import { type Inbox, serveInbox } from '../outgoing/inbox.ts'
import { jobState, type Metrics } from './metrics.ts'
import { openapi } from './openapi.ts'
import { mayAsk, type Operators } from './operators.ts'
import { servePayPage } from './pay-page.ts'
import { pageOf, serveFile } from './static.ts'

/** Takes an event of the console; returns without waiting. */
type Tracker = { take(text: string): void }
/** What the HTTP server serves besides the API: console, metrics, live events, static files. */
export type HttpOptions = {
  api: Hono
  db: Database
  metrics: Metrics
  tracker: Tracker
  live: Live
  version: string
  /** Where the build lies: `portal` and `lib`. */
  dist: string
  /** Where the simulators of a demo keep what was sent; absent: there is no such page. */
  inbox?: Inbox
  /** Who may read `/metrics` and `/openapi.json`; absent: this machine alone. */
  operators?: Operators
}

/** The console loads nothing from anywhere else. Radix and React place style elements, never scripts; texts become markup by its own policy and that of Lit, whose templates are code, alone. */
const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data: blob:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `media-src 'self' blob:`,
  `worker-src 'self' blob:`,
  `manifest-src 'self'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types default lit-html`,
].join('; ')

const safe = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
const pageHeaders = {
  ...safe,
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), payment=()',
}
/** Partner pages load elements from here. */
const libHeaders = { ...safe, 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const plain = { ...safe, 'cache-control': 'no-store' }

const pages = /^\/(index\.html)?$|^\/(index|admincontent)(\/|$)/i
/** A page of the console, or an address that a person typed: the console finds out that there is no such page. */
const asksPage = ({ req }: Context) =>
  pages.test(req.path) || (!req.path.includes('.') && (req.header('accept') ?? '').includes('text/html'))
const screens = new Map(routes.map(({ path, tag }) => [path.toLowerCase(), `/${pageOf(tag)}`]))
/** The page for an address: that of its screen, which names the files it needs, or the one of all others. */
const pageAt = (path: string) => screens.get(path.toLowerCase().replace(/\/$/, '')) ?? '/index.html'
const healthMs = 2_000
/** Compresses answers of calls. Files of a build are compressed once, exported ones and events not at all. */
const packed = compress({ encoding: 'gzip', threshold: 1_400, contentTypeFilter: /^application\/json/ })
const trackingBytes = 8_192
const formBytes = 1_024
const operatorPaths = { metrics: '/metrics', openapi: '/openapi.json' } as const
const localOnly: Operators = { metrics: 'loopback', openapi: 'loopback' }

/** HSTS for a year, where the request came by TLS, here or at the proxy. */
const overTls: MiddlewareHandler = async (c, next) => {
  await next()
  const [outside] = (c.req.header('x-forwarded-proto') ?? '').split(',')
  if (outside?.trim() === 'https' || c.req.url.startsWith('https:'))
    c.res.headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
}

/** The same call under another address, with its connection. */
const passOn = (api: Hono, c: Context, path: string) => {
  const url = new URL(c.req.url)
  url.pathname = path
  return api.fetch(new Request(url, c.req.raw), c.env)
}

/** What operators ask for: health, metrics and the description of the API. */
const serveOperators = (app: Hono, { db, metrics, version, operators = localOnly }: HttpOptions): void => {
  let description: string | undefined
  app.get('/health', async c => {
    try {
      await within(db.ping(), healthMs)
      return c.json(
        { status: 'up', database: db.kind, version, jobs: await within(jobState(db), healthMs) },
        200,
        plain,
      )
    } catch {
      return c.json({ status: 'down', database: db.kind, version, jobs: null }, 503, plain)
    }
  })
  for (const what of ['metrics', 'openapi'] as const)
    app.use(operatorPaths[what], (c, next) =>
      mayAsk(c, operators, what) ? next() : Promise.resolve(c.text('', 404, plain)),
    )
  app.get(operatorPaths.metrics, async c =>
    c.body(await metrics.text(), 200, { ...plain, 'content-type': metrics.contentType }),
  )
  app.get(operatorPaths.openapi, c =>
    c.body((description ??= JSON.stringify(openapi(version))), 200, {
      ...plain,
      'content-type': 'application/json; charset=utf-8',
    }),
  )
}

/** The files of the build: the elements for partner pages, and the portal. */
const serveBuild = (app: Hono, dist: string): void => {
  // The address that partner pages are given; what it loads lies beside the file that it names.
  app.get('/mkopo.js', c =>
    c.body("export * from './lib/mkopo.js'\n", 200, {
      ...libHeaders,
      'cache-control': 'no-cache',
      'content-type': 'text/javascript; charset=utf-8',
    }),
  )
  app.on(
    ['GET', 'HEAD'],
    '/lib/*',
    async c =>
      (await serveFile(`${dist}/lib`, c.req.path.slice('/lib'.length), c.req.raw, libHeaders)) ??
      c.text('', 404, plain),
  )
  app.on(['GET', 'HEAD'], '*', async c => {
    const send = (name: string, headers: Record<string, string>) =>
      serveFile(`${dist}/portal`, name, c.req.raw, headers)
    const found = asksPage(c)
      ? ((await send(pageAt(c.req.path), pageHeaders)) ?? (await send('/index.html', pageHeaders)))
      : await send(c.req.path, c.req.path === '/index.html' ? pageHeaders : safe)
    return found ?? c.text('', 404, plain)
  })
}

/** Everything on one port: the API, the portal, the elements, and what operators ask for. */
export const createHttp = (options: HttpOptions): Hono => {
  const { api, tracker, live } = options
  const app = new Hono()

  app.use('*', overTls)
  app.use('/api/*', packed)
  app.use(operatorPaths.openapi, packed)
  serveOperators(app, options)

  app.post(trackingPath, bodyLimit({ maxSize: trackingBytes, onError: c => c.body(null, 200, plain) }), async c => {
    tracker.take(await c.req.text().catch(() => ''))
    return c.json({ code: 0, msg: '', data: null }, 200, plain)
  })

  app.get(livePath, c => live.open(c.req.raw))
  app.post('/api/hc/open/order/apply', c => passOn(api, c, `${base}/open/order/apply`))
  app.all('/api/*', c => api.fetch(c.req.raw, c.env))

  app.use(`${payPagePath}/*`, bodyLimit({ maxSize: formBytes, onError: c => c.body(null, 413, plain) }))
  servePayPage(app, api, pageHeaders)
  if (options.inbox) serveInbox(app, options.inbox, pageHeaders)
  serveBuild(app, options.dist)
  return app
}
