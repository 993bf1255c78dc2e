import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { launch } from '../build/browser.ts'
import { root } from '../build/graph.ts'
import { auditManage } from '../core/contract/audit/order-list.ts'
import { base } from '../core/contract/endpoint.ts'
import { user } from '../core/contract/user/user.ts'
import { openKit } from '../server/testing/kit.ts'
import { everyPerm } from '../tests/contract/fixture.ts'
import { newPostgresDatabase } from '../tests/postgres.ts'
import { started } from './load/load.ts'
import { fill } from './million-fill.ts'

/** The first list of somebody who is signed in: requests, bytes and milliseconds until its first row is drawn; paging, and the heap. */
const { values: given } = parseArgs({
  options: { orders: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
})
const address = '/AdminContent/AuditSystem/OrderManagement'
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

if (!existsSync(path.join(root, 'dist/lib/mkopo.js'))) throw new Error('the console is not built: npm run build')
const url = await newPostgresDatabase()
if (!url) throw new Error('PostgreSQL is not installed')
const now = new Date().toISOString()
const kit = await openKit({ url, modules: [], now, handmade: true })
const client = new pg.Client(url)
await client.connect()
await fill(client, Number(given.orders), now)
const { token, userNo } = await kit.person({ perms: everyPerm })
await client.query(`insert into menu (menu_no, menu_name, menu_type, perms) values ('NWEB', 'Orders', 'page', $1)`, [
  address,
])
await client.query(`insert into role_menu values ($1, 'NWEB', 'all')`, [`R${userNo}`])
await client.query('update session set created_time = now(), last_seen_time = now()')

const server = await started('product', url)
const origin = `http://127.0.0.1:${server.port}`
const answer = await fetch(`${origin}${base}${user.self.path}`, { headers: { token, language: 'en' } })
const { data: self } = (await answer.json()) as { data: Record<string, unknown> }

/** Runs in the page: signs in as the console would have, and notes when the first row was drawn, and each other first row after it. */
const prepare = (held: Record<string, unknown>) => {
  localStorage.setItem('language', 'en')
  for (const [name, value] of Object.entries(held))
    sessionStorage.setItem(name, name === 'token' ? String(value) : JSON.stringify(value))
  const drawn: number[] = []
  Object.assign(window, { drawn })
  const cell = () =>
    document
      .querySelector('mkopo-portal')
      ?.shadowRoot?.querySelector('mkopo-audit-order-management')
      ?.shadowRoot?.querySelector('tbody tr td a.mk-link')?.textContent
  let last: string | null | undefined
  const look = () => {
    const shown = cell()
    if (shown && shown !== last) {
      last = shown
      const after = new MessageChannel()
      after.port1.onmessage = () => drawn.push(performance.now())
      after.port2.postMessage(0)
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
type Page = Awaited<ReturnType<Browser['newPage']>>
const drawnIn = async (page: Page, count: number): Promise<number> => {
  await page.waitForFunction(n => (window as unknown as { drawn: number[] }).drawn.length >= n, count, {
    timeout: 60_000,
  })
  return page.evaluate(n => (window as unknown as { drawn: number[] }).drawn[n - 1] as number, count)
}

/** One load with nothing kept, another with the files kept, and a turn of the page. */
const measured = async (browser: Browser, cpu: number) => {
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 } })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  // What compiles this file names the functions of `prepare` by a helper that a page does not have.
  await page.addInitScript('globalThis.__name = one => one')
  await page.addInitScript(prepare, { token, ...self })
  await page.goto(origin + address, { waitUntil: 'commit' })
  const first = await drawnIn(page, 1)
  const files = await page.evaluate(
    until =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(one => one.responseEnd <= until)
        .map(one => ({ start: one.startTime, bytes: one.encodedBodySize, name: one.name })),
    first,
  )
  await page.waitForTimeout(1_000)
  const pressed = await page.evaluate(() => performance.now())
  await page.getByRole('button', { name: 'Next page' }).click()
  const turned = (await drawnIn(page, 2)) - pressed
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  await page.goto('about:blank')
  await page.goto(origin + address, { waitUntil: 'commit' })
  const warm = await drawnIn(page, 1)
  await context.close()
  return {
    first,
    warm,
    turned,
    requests: files.length + 1,
    kB: files.reduce((sum, one) => sum + one.bytes, 0) / 1024,
    listAsked: files.find(one => one.name.endsWith(auditManage.manageList.path))?.start ?? 0,
    heapMB: usedSize / 2 ** 20,
  }
}

const browser = await launch()
console.log(`${given.orders} orders, ${given.rounds} rounds, medians`)
for (const cpu of [1, 4]) {
  const all: Awaited<ReturnType<typeof measured>>[] = []
  for (let round = 0; round < Number(given.rounds); round++) all.push(await measured(browser, cpu))
  const of = (name: keyof (typeof all)[number]) => median(all.map(one => one[name])).toFixed(0)
  console.log(
    `CPU ÷ ${cpu}: first row ${of('first')} ms, list asked at ${of('listAsked')}, ${of('requests')} requests, ${of('kB')} kB as sent; warm ${of('warm')}; next page ${of('turned')}; heap ${of('heapMB')} MB`,
  )
}
await browser.close()
server.stop()
await client.end()
await kit.close()
