import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits, measure, serveLibrary } from '../../bench/pages.ts'
import { launch } from '../../build/browser.ts'

let browser: Browser
let library: Awaited<ReturnType<typeof serveLibrary>>

beforeAll(async () => {
  library = await serveLibrary()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  library?.close()
})

it.each(limits.filter(limit => limit.asserted))('the $name is within $kB kB', async limit => {
  const { bytes, files } = await measure(browser, library.origin, library.fetched, limit)
  expect(files).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(limit.kB * 1024)
})
