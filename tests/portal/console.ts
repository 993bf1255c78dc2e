import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { sql } from 'kysely'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { root } from '../../build/graph.ts'
import { routes } from '../../core/contract/routes.ts'
import { user } from '../../core/contract/user/user.ts'
import { demoSecret } from '../../server/demo/authenticators.ts'
import { createHttp } from '../../server/http/http.ts'
import { createMetrics } from '../../server/http/metrics.ts'
import { liveEvents } from '../../server/live/live.ts'
import { silentLog } from '../../server/log.ts'
import { menuRows } from '../../server/rights/menus.ts'
import { fromBase32, hotp, stepAt } from '../../server/session/totp.ts'
import { queuesOf } from '../../server/systems/portal/home/home.ts'
import { tracker } from '../../server/systems/portal/tracking/tracking.ts'
import { mfaSealer } from '../../server/systems/user/account/mfa-store.ts'
import type { Person } from '../../server/testing/kit.ts'
import { browserOfProcess, pageInTurn } from '../browser.ts'
import { openFixture } from '../contract/fixture.ts'

type Reviewer = Parameters<Awaited<ReturnType<typeof openFixture>>['reviewer']>[0]

/** The console on a port: the built portal, and the whole server behind it in memory. */
export const openConsole = async () => {
  const fixture = await openFixture({ handmade: true })
  const { db, app: api } = fixture
  const live = liveEvents({ db, log: silentLog, queuesOf, tickMs: 100 })
  const http = createHttp({
    api,
    db,
    metrics: createMetrics(db),
    tracker: tracker(db, silentLog),
    live,
    version: 'test',
    dist: path.join(root, 'dist'),
  })
  const server = createAdaptorServer({ fetch: (request, env) => http.fetch(request, env as object) }) as Server
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  await fixture.exec(
    sql`insert into menu (menu_no, parent_menu_no, menu_name, menu_type, perms, sort) values ${sql.join(
      menuRows().map(
        one => sql`(${sql.join([one.menuNo, one.parentMenuNo, one.menuName, one.menuType, one.perms, one.sort])})`,
      ),
    )}`,
  )

  /** Somebody with the pages of these names in the menu. */
  const staff = async (pages: readonly string[], p: Reviewer = {}): Promise<Person> => {
    const person = await fixture.reviewer(p)
    for (const { tag } of routes.filter(route => pages.includes(route.name)))
      await fixture.exec(
        sql`insert into role_menu (role_no, menu_no, limit_type) values (${`R${person.userNo}`}, ${tag}, 'all')`,
      )
    return person
  }

  /** Somebody signs in before the first document of a page. */
  const signIn = async (page: Page, person: Person) => {
    const { data } = await fixture.call(user.self, {}, { as: person })
    await page.addInitScript(
      ([token, self]) => {
        if (sessionStorage.getItem('token') !== null || localStorage.getItem('language') !== null) return
        localStorage.setItem('language', 'en')
        sessionStorage.setItem('token', token)
        for (const [name, value] of Object.entries(self)) sessionStorage.setItem(name, JSON.stringify(value))
      },
      [person.token, data] as const,
    )
    page.setDefaultTimeout(60_000)
    return page
  }

  /** Binds the authenticator of a demo to somebody; answers what it shows, now or so many steps later. */
  const authenticator = async ({ userNo }: Person): Promise<(later?: number) => string> => {
    const secret = fromBase32(demoSecret)
    await fixture.exec(sql`
      insert into user_mfa (user_no, mfa_status, sealed_secret) values (${userNo}, 'bound', ${mfaSealer(fixture.secretKey).seal(secret, userNo)})`)
    return (later = 0) => hotp(secret, stepAt(fixture.clock.now()) + later)
  }

  return {
    fixture,
    url,
    staff,
    authenticator,
    signIn,
    close: async () => {
      live.close()
      server.close()
      server.closeAllConnections()
      await fixture.close()
    },
  }
}
export type Console = Awaited<ReturnType<typeof openConsole>>

/** English, with a wide window. */
const usual = { viewport: { width: 1440, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce' as const }
const inTurn = pageInTurn(usual)

/** One console for the tests of a file; what a test has opened is closed behind it. */
export const consoleForTests = () => {
  let browser: Browser
  let at: Console
  const pages: Page[] = []
  const missing: string[] = []
  /** A text without words is a failure of whatever test meets it. */
  const heard = (page: Page): Page =>
    page.on('console', message => {
      if (message.text().includes(' has no words in ')) missing.push(message.text())
    })
  beforeAll(async () => {
    ;[browser, at] = await Promise.all([browserOfProcess(), openConsole()])
  })
  afterAll(() => at?.close())
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    await inTurn.leave()
    expect(missing.splice(0)).toEqual([])
  })

  const kept = (page: Page): Page => {
    pages.push(page)
    return page
  }
  const own = async (options?: BrowserContextOptions) => (await browser.newContext(options)).newPage()
  /** A page of somebody who has signed in, where nothing is open yet; a second one, or another kind, is another browser's. */
  const open = async (person: Person, options?: BrowserContextOptions) =>
    at.signIn(
      heard(options || inTurn.isTaken ? kept(await own({ ...usual, ...options })) : await inTurn.take()),
      person,
    )
  return {
    get fixture() {
      return at.fixture
    },
    get url() {
      return at.url
    },
    staff: (...given: Parameters<Console['staff']>) => at.staff(...given),
    authenticator: (person: Person) => at.authenticator(person),
    open,
    /** Home of somebody who has signed in. */
    home: async (person: Person, options?: BrowserContextOptions): Promise<Page> => {
      const page = await open(person, options)
      await page.goto(`${at.url}/AdminContent/Home`)
      await welcomed(page)
      return page
    },
    /** A page of nobody. */
    stranger: async (options?: BrowserContextOptions): Promise<Page> => kept(await own(options)),
  }
}

/** When Home stands. */
export const welcomed = (page: Page) => page.getByRole('heading', { name: /^(Welcome|Karibu|您好)/ }).waitFor()

/** Holds calls of a page back until the answer is called. */
export const heldBack = async (page: Page, url: string): Promise<() => void> => {
  let letGo: () => void = () => undefined
  const gate = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(url, async route => {
    await gate
    await route.continue()
  })
  return letGo
}
/** The pieces of files that a page sends. */
export const pieces = '**/common/upload/*/chunk/*'
