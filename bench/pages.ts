import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { root } from '../build/graph.ts'
import { endpoints } from '../core/contract/contract.ts'
import { base } from '../core/contract/endpoint.ts'
import { sample } from '../core/contract/sample.ts'

export type Limit = {
  name: string
  address: string
  /** What stands on the page when it is there; nothing for a page that shows nothing. */
  ready?: string
  /** kB of 1024 bytes, gzip level 9. */
  kB: number
  /** Whether passing it is a failure already. */
  asserted: boolean
}

/** What a page may fetch before it shows anything. */
export const limits: readonly Limit[] = [
  { name: 'loader', address: '/loader', kB: 1.5, asserted: true },
  { name: 'element', address: '/element', ready: 'mkopo-audit-my-audit >> tbody >> text=LO', kB: 211, asserted: true },
  { name: 'portal', address: '/portal', ready: 'input#username', kB: 210, asserted: true },
]

const dist = (...names: string[]) => path.join(root, 'dist', ...names)
const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' }
const loader = '<!doctype html><script type="module" src="/lib/mkopo.js"></script>'
const pageOf = (url: string): string | undefined => {
  if (url === '/loader') return loader
  if (url === '/element') return `${loader}<mkopo-audit-my-audit language="en" token="t"></mkopo-audit-my-audit>`
  return url === '/portal' || url.startsWith('/Index') ? readFileSync(dist('portal/index.html'), 'utf8') : undefined
}

/** What the server would answer: values that fit the contract. */
const answerTo = (url: string) => {
  const found = endpoints.find(({ endpoint }) => `${base}${endpoint.path}` === url)
  return found && JSON.stringify({ code: 0, msg: '', data: sample(found.endpoint.output) })
}

/**
 * Serves the built library with an API that answers samples, and writes down which of its files were fetched.
 * @throws when it is not built
 */
export const serveLibrary = async () => {
  if (!existsSync(dist('lib/mkopo.js'))) throw new Error('dist/lib is not built: npm run build')
  const fetched = new Set<string>()
  const server = createServer((request, response) => {
    const url = (request.url ?? '/').split('?')[0] ?? '/'
    const page = pageOf(url)
    if (page) return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    const answer = answerTo(url)
    if (answer) return void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    if (!url.startsWith('/lib/') || !existsSync(dist(url))) return void response.writeHead(404).end()
    fetched.add(url)
    response.writeHead(200, { 'content-type': types[path.extname(url)] ?? 'text/plain' }).end(readFileSync(dist(url)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, fetched, close: () => void server.close() }
}

/** What one page fetches, compressed, until it stands: the list with its rows, the portal with its sign-in. */
export const measure = async (browser: Browser, origin: string, fetched: Set<string>, { address, ready }: Limit) => {
  fetched.clear()
  const page = await browser.newPage()
  await page.goto(origin + address)
  if (ready) await page.locator(ready).first().waitFor()
  else await page.waitForLoadState('networkidle')
  const sizes = [...fetched].map(file => gzipSync(readFileSync(dist(file)), { level: 9 }).length)
  await page.close()
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length }
}
