import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { launch } from '../build/browser.ts'
import { root } from '../build/graph.ts'

/** Bytes that a page fetches before it shows anything, gzip level 9: what a partner page pays for one list, and the portal for its first screen. */
const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' }
const pages: Record<string, string> = {
  '/element':
    '<!doctype html><script type="module" src="/lib/mkopo.js"></script><mkopo-audit-my-audit language="en"></mkopo-audit-my-audit>',
  '/portal': readFileSync(path.join(root, 'dist/portal/index.html'), 'utf8'),
}
let fetched: string[] = []
const server = createServer((request, response) => {
  const url = (request.url ?? '/').split('?')[0] ?? '/'
  const page = pages[url] ?? (url.startsWith('/Index') ? pages['/portal'] : undefined)
  if (page) return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  if (!url.startsWith('/lib/')) return void response.writeHead(404).end()
  fetched.push(url)
  response
    .writeHead(200, { 'content-type': types[path.extname(url)] ?? 'text/plain' })
    .end(readFileSync(path.join(root, 'dist', url)))
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await launch()
for (const [address, ready] of [
  ['/element', 'mkopo-audit-my-audit >> .mk-state'],
  ['/portal', 'input#username'],
] as const) {
  fetched = []
  const page = await browser.newPage()
  await page.goto(origin + address)
  await page.locator(ready).first().waitFor()
  const files = [...new Set(fetched)]
  const sizes = files.map(file => gzipSync(readFileSync(path.join(root, 'dist', file)), { level: 9 }).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.log(`${address.slice(1).padEnd(8)} ${(total / 1024).toFixed(1)} kB gz in ${files.length} files`)
  await page.close()
}
await browser.close()
server.close()
