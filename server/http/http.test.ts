import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Live, liveEvents } from '../live/live.ts'
import { silentLog } from '../log.ts'
import { intakeModule } from '../systems/order/intake/intake.ts'
import { queuesOf } from '../systems/portal/home/home.ts'
import { type Tracker, tracker } from '../systems/portal/tracking/tracking.ts'
import { type Kit, openKit, type Person } from '../testing/kit.ts'
import { application, send } from '../testing/partner.ts'
import { createHttp } from './http.ts'
import { createMetrics, type Metrics } from './metrics.ts'

let kit: Kit
let dist: string
let app: Hono
let metrics: Metrics
let events: Tracker
let live: Live
let _someone: Person

const put = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(dist, name)), { recursive: true })
  writeFileSync(path.join(dist, name), text)
}

beforeAll(async () => {
  dist = mkdtempSync(path.join(tmpdir(), 'mkopo-http-'))
  put('portal/index.html', '<!doctype html><title>Mkopo</title>')
  put('portal/version.json', '{"version":"1.2.3"}')
  put('lib/mkopo.js', 'plain')
  put('lib/mkopo.js.br', 'brotli')
  put('lib/mkopo.js.gz', 'gzip')
  put('lib/chunks/react-Dq7KuhYb.js', 'chunk')
  put('secret.js', 'secret')
  kit = await openKit({ modules: [intakeModule()] })
  _someone = await kit.person({ perms: [] })
  metrics = createMetrics(kit.db)
  events = tracker(kit.db, silentLog)
  live = liveEvents({ db: kit.db, log: silentLog, queuesOf })
  app = createHttp({
    api: kit.app,
    db: kit.db,
    metrics,
    tracker: events,
    live,
    version: '1.2.3',
    dist,
    operators: { metrics: 'open', openapi: 'open' },
  })
})
afterAll(async () => {
  await kit.close()
  rmSync(dist, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.request(url, { headers })

describe('the portal', () => {
  it.each(['/', '/Index/Login', '/AdminContent/AuditSystem/MyAudit?box=todo', '/admincontent/home', '/AdminContent'])(
    'opens at %s with a strict policy',
    async url => {
      const answer = await get(url)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('<title>Mkopo</title>')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toContain(`script-src 'self';`)
      expect(policy).toContain(`frame-ancestors 'none'`)
      expect(policy).toContain(`default-src 'none'`)
      expect(policy).toContain(`require-trusted-types-for 'script'; trusted-types default lit-html`)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it('answers its version, asked for again each time', async () => {
    const answer = await get('/version.json?t=1')
    expect(await answer.json()).toEqual({ version: '1.2.3' })
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  })

  it.each([
    '/nothing.js',
    '/Indexed',
    '/.env',
    '/portal/index.html',
    '/..%2fsecret.js',
    '/lib/..%2f..%2fsecret.js',
    '/lib/%2e%2e/secret.js',
    '/lib/chunks',
    '/secret.js',
    '/lib/%00.js',
  ])('has nothing at %s', async url => {
    const answer = await get(url)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toBe('')
  })
})

describe('the elements', () => {
  it('may be loaded from partner pages, as the browser likes them packed', async () => {
    const answer = await get('/lib/mkopo.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect([await answer.text(), answer.headers.get('content-encoding'), answer.headers.get('content-type')]).toEqual([
      'brotli',
      'br',
      'text/javascript; charset=utf-8',
    ])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await (await get('/lib/mkopo.js', { 'accept-encoding': 'gzip' })).text()).toBe('gzip')
    expect(await (await get('/lib/mkopo.js')).text()).toBe('plain')
  })

  it('have a short address, whose script leads to theirs', async () => {
    const answer = await get('/mkopo.js')
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual([
      "export * from './lib/mkopo.js'\n",
      'text/javascript; charset=utf-8',
    ])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('are kept for ever where their name says what is in them, and asked for again elsewhere', async () => {
    expect((await get('/lib/chunks/react-Dq7KuhYb.js')).headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    )
    const first = await get('/lib/mkopo.js')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/lib/mkopo.js', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})

describe('what was read', () => {
  it('is kept where the name says what is in it, packed or not, and read again elsewhere', async () => {
    const packed = { 'accept-encoding': 'br' }
    put('lib/chunks/list-Ab3dEf7h.js', 'before')
    put('lib/chunks/list-Ab3dEf7h.js.br', 'packed before')
    put('lib/loader.js', 'before')
    const texts = async () => [
      await (await get('/lib/chunks/list-Ab3dEf7h.js', packed)).text(),
      await (await get('/lib/chunks/list-Ab3dEf7h.js')).text(),
      await (await get('/lib/loader.js')).text(),
    ]
    expect(await texts()).toEqual(['packed before', 'before', 'before'])
    put('lib/chunks/list-Ab3dEf7h.js', 'after')
    put('lib/chunks/list-Ab3dEf7h.js.br', 'packed after')
    put('lib/loader.js', 'after')
    expect(await texts()).toEqual(['packed before', 'before', 'after'])
  })

  it('is found once it is there', async () => {
    expect((await get('/lib/chunks/late-Ab3dEf7h.js')).status).toBe(404)
    put('lib/chunks/late-Ab3dEf7h.js', 'there')
    expect(await (await get('/lib/chunks/late-Ab3dEf7h.js')).text()).toBe('there')
  })
})

describe('health', () => {
  it('tells that the database answers, the version and what waits', async () => {
    await send(kit, application(60_000))
    const answer = await get('/health')
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'up', database: 'pglite', version: '1.2.3', jobs: { ready: 2, dead: 0, oldestSeconds: 0 } },
    ])
  })

  it('is 503 within seconds when the database does not answer', async () => {
    const stuck = createHttp({
      api: kit.app,
      db: { ...kit.db, ping: () => new Promise(() => undefined) },
      metrics,
      tracker: events,
      live,
      version: '1.2.3',
      dist,
    })
    const started = Date.now()
    const answer = await stuck.request('/health')
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'down', database: 'pglite', version: '1.2.3', jobs: null },
    ])
    expect(Date.now() - started).toBeLessThan(4_000)
  })
})

describe('what operators and partners ask for', () => {
  it('counts calls by path and code, and the depth of the queues', async () => {
    metrics.observe('/user/self', 0, 0.01)
    metrics.observe('/user/self', -10, 0.01)
    const text = await (await get('/metrics')).text()
    expect(text).toContain('mkopo_calls_total{path="/user/self",code="0"} 1')
    expect(text).toContain('mkopo_calls_total{path="/user/self",code="-10"} 1')
    expect(text).toMatch(/mkopo_jobs_ready\{queue="machine\.review"\} \d/)
    expect(text).toContain('mkopo_outbox_age_seconds 0')
  })

  it('describes the API', async () => {
    expect(await (await get('/openapi.json')).json()).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Mkopo', version: '1.2.3' },
    })
  })

  it('takes applications at the address partners were given as well', async () => {
    expect((await send({ app }, application(60_001), { path: '/api/hc/open/order/apply' })).code).toBe(0)
    expect((await send({ app }, application(60_001))).code).toBe(0)
    expect(
      (await send({ app }, application(60_002), { path: '/api/hc/open/order/apply', secret: 'secret-two' })).code,
    ).toBe(40301)
  })

  it('answers unknown calls in the envelope', async () => {
    const answer = await app.request('/api/hc/web/no/such/call', { method: 'POST' })
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 40401 }])
  })
})

describe('answers of calls', () => {
  const rows = JSON.stringify({
    code: 0,
    msg: 'OK',
    data: { list: Array.from({ length: 1_000 }, (_, no) => ({ no })) },
  })
  const stub = () => {
    const api = new Hono()
    const sized = (type: string, body: string) => ({
      'content-type': type,
      'content-length': String(Buffer.byteLength(body)),
    })
    api.post('/api/hc/web/rows', c => c.body(rows, 200, sized('application/json; charset=utf-8', rows)))
    api.post('/api/hc/web/file', c => c.body(rows, 200, sized('text/csv; charset=utf-8', rows)))
    api.post('/api/hc/web/few', c => c.body('{"code":0}', 200, sized('application/json; charset=utf-8', '{"code":0}')))
    return createHttp({ api, db: kit.db, metrics, tracker: events, live, version: '1', dist })
  }
  const ask = (name: string, accepted?: string) =>
    stub().request(`/api/hc/web/${name}`, {
      method: 'POST',
      headers: accepted ? { 'accept-encoding': accepted } : {},
    })
  const unpacked = async (answer: Response) => gunzipSync(await answer.arrayBuffer()).toString()

  it('go out compressed to clients that accept it', async () => {
    const answer = await ask('rows', 'gzip, deflate, br, zstd')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('content-length')).toBeNull()
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(await unpacked(answer)).toBe(rows)
    const described = await get('/openapi.json', { 'accept-encoding': 'gzip' })
    expect(JSON.parse(await unpacked(described))).toMatchObject({ openapi: '3.1.0' })
  })

  it.each([
    ['to a client that accepts nothing else', 'rows', undefined],
    ['to a client that refuses', 'rows', 'gzip;q=0'],
    ['where they are a file', 'file', 'gzip'],
  ])('go out as they are %s', async (_, name, accepted) => {
    const answer = await ask(name, accepted)
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, rows])
    expect(answer.headers.get('content-length')).toBe(String(rows.length))
  })

  it('that fit a packet anyway are not packed', async () => {
    const answer = await ask('few', 'gzip')
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, '{"code":0}'])
  })

  it('say their length in bytes', async () => {
    const answer = await app.request('/api/hc/web/open/order/apply', {
      method: 'POST',
      headers: { 'accept-language': 'zh' },
      body: '{',
    })
    const length = Number(answer.headers.get('content-length'))
    const body = await answer.text()
    expect(body.length).toBeLessThan(length)
    expect(length).toBe(Buffer.byteLength(body))
  })
})

describe('behind TLS', () => {
  it('a browser gets HSTS over TLS only', async () => {
    for (const url of ['/', '/api/hc/web/user/self', '/lib/mkopo.js']) {
      const secure = await get(url, { 'x-forwarded-proto': 'https' })
      expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
      expect((await get(url)).headers.has('strict-transport-security')).toBe(false)
    }
  })
})

describe('what operators ask for', () => {
  const token = 'a token of operators, long enough for it'
  const asks = (operators: Parameters<typeof createHttp>[0]['operators'], from = '192.0.2.7') => {
    const other = createHttp({
      ...{ api: kit.app, db: kit.db, metrics, tracker: events, live, version: '1', dist },
      ...(operators ? { operators } : {}),
    })
    return async (headers: Record<string, string> = {}) =>
      Promise.all(
        ['/metrics', '/openapi.json'].map(
          async url =>
            (await other.request(url, { headers }, { incoming: { socket: { remoteAddress: from } } })).status,
        ),
      )
  }

  it('is answered to this machine alone when nothing else is said, and not to what a proxy here passes on', async () => {
    expect(await asks(undefined)()).toEqual([404, 404])
    expect(await asks(undefined, '127.0.0.1')()).toEqual([200, 200])
    expect(await asks(undefined, '127.0.0.1')({ 'x-forwarded-for': '192.0.2.7' })).toEqual([404, 404])
  })

  it('is answered to who holds the token, but for what is off', async () => {
    const ask = asks({ metrics: 'loopback', openapi: 'off', token })
    expect(await ask({ authorization: `Bearer ${token}` })).toEqual([200, 404])
    expect(await ask({ authorization: `Bearer ${token}x` })).toEqual([404, 404])
  })

  it('is open where that is said', async () => {
    expect(await asks({ metrics: 'open', openapi: 'open' })()).toEqual([200, 200])
  })
})
