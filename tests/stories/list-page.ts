import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, inject } from 'vitest'
import { base } from '../../core/contract/endpoint.ts'
import { pageInTurn } from '../browser.ts'

export const story = (state: string) => `credit-review-order-management--${state}`
const site = inject('site')
const inTurn = pageInTurn({ viewport: { width: 1260, height: 800 }, reducedMotion: 'reduce' })
/** The page of the test that runs. */
export let page: Page
export const asked: string[] = []
export const bodies: { path: string; body: Record<string, unknown> }[] = []
const broken: string[] = []

afterEach(async () => {
  await inTurn.leave()
  expect(broken).toEqual([])
})

/** Opens a story, and waits for its words or its table. */
export const open = async (id: string, shown: () => Locator = () => rows().first(), before?: () => Promise<void>) => {
  asked.length = 0
  bodies.length = 0
  broken.length = 0
  page = await inTurn.take()
  page.setDefaultTimeout(60_000)
  page.on('pageerror', error => void broken.push(error.message))
  page.on('request', request => {
    const path = new URL(request.url()).pathname.replace(base, '')
    asked.push(path)
    if (request.method() === 'POST') bodies.push({ path, body: request.postDataJSON() as Record<string, unknown> })
  })
  await before?.()
  await page.goto(`${site}/iframe.html?viewMode=story&id=${id}&globals=language:en;a11y.manual:!true`)
  await shown().waitFor()
}
export const rows = () => page.getByRole('row').filter({ has: page.getByRole('cell') })
/** Changes what the mock server answers at a path, given what was asked. */
export const answering = async (path: string, change: string) => {
  await page.addInitScript(
    ([path, change]) => {
      const own = window.fetch
      const changed = new Function('data', 'input', change)
      window.fetch = async (address, options) => {
        const answer = await own(address, options)
        if (!String(address).endsWith(path)) return answer
        const { data, ...rest } = await answer.json()
        return Response.json({ ...rest, data: changed(data, JSON.parse(String(options?.body))) })
      }
    },
    [path, change] as const,
  )
}
/** As if very many rows matched: so many, like the ones there are. */
export const many = (path: string, key: string, total: number) =>
  answering(
    path,
    `const first = (input.pageNum - 1) * input.pageSize
     const length = Math.max(0, Math.min(input.pageSize, ${total} - first))
     const row = (_, index) => ({ ...data.list[index % data.list.length], ${key}: 'MANY' + (first + index) })
     const list = Array.from({ length }, row)
     const next = list.length && first + length < ${total} ? 'behind-' + (first + length) : null
     return { ...data, list, next, previous: first ? 'before-' + first : null, total: ${Math.min(total, 10_001)} }`,
  )
export const button = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name })
export const headers = () => page.getByRole('columnheader').allInnerTexts()
export const heights = () => rows().evaluateAll(all => all.map(row => row.getBoundingClientRect().height))
export const isFocused = (one: Locator) =>
  one.evaluate(element => (element.getRootNode() as ShadowRoot).activeElement === element)
export const menu = async (item: string | RegExp) => {
  await button(/^View/).click()
  await page.getByRole('menu').getByText(item).click()
}
