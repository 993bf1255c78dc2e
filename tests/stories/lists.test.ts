import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { launch } from '../../build/browser.ts'
import { audit } from '../../core/contract/audit.ts'
import { base } from '../../core/contract/endpoint.ts'
import { view } from '../../core/contract/view.ts'

const story = (state: string) => `audit-order-management--${state}`
const site = inject('site')
let browser: Browser
let page: Page
const asked: string[] = []

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser?.close())
afterEach(() => page?.close())

/** Opens a story in a page of its own, and waits for its words or its table. */
const open = async (id: string, shown: () => Locator = () => rows().first()) => {
  asked.length = 0
  page = await browser.newPage({ viewport: { width: 1260, height: 800 }, reducedMotion: 'reduce' })
  page.setDefaultTimeout(10_000)
  page.on('request', request => void asked.push(new URL(request.url()).pathname.replace(base, '')))
  await page.goto(`${site}/iframe.html?viewMode=story&id=${id}&globals=language:en;a11y.manual:!true`)
  await shown().waitFor()
}
const rows = () => page.getByRole('row').filter({ has: page.getByRole('cell') })
const button = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name })
const headers = () => page.getByRole('columnheader').allInnerTexts()
const heights = () => rows().evaluateAll(all => all.map(row => row.getBoundingClientRect().height))
const isFocused = (one: Locator) =>
  one.evaluate(element => (element.getRootNode() as ShadowRoot).activeElement === element)
const menu = async (item: string | RegExp) => {
  await button(/^View/).click()
  await page.getByRole('menu').getByText(item).click()
}

describe('columns and row height', () => {
  beforeEach(() => open(story('default')))

  it('columns change places by keyboard, and the button that was pressed keeps the focus', async () => {
    const before = await headers()
    const name = before[1] ?? ''
    await button('Columns').press('Enter')
    const down = button(`Move ${name} down`)
    await down.focus()
    await page.keyboard.press('Enter')
    await expect.poll(headers).toEqual([before[0], before[2], name, ...before.slice(3)])
    expect(await isFocused(down)).toBe(true)
    await page.getByText(`${name}: column 3 of`).waitFor({ state: 'attached' })
    await button('Reset').last().click()
    await expect.poll(headers).toEqual(before)
  })

  it('rows are 36 px high, compact ones 28', async () => {
    expect([...new Set(await heights())]).toEqual([36])
    await button('Compact rows').click()
    await expect.poll(async () => [...new Set(await heights())]).toEqual([28])
    expect(await button('Compact rows').getAttribute('aria-pressed')).toBe('true')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/compact.png` })
  })
})

describe('saved views', () => {
  it('are asked for once the list is shown', async () => {
    await open(story('default'))
    await button(/^View/).waitFor()
    expect(asked.indexOf(audit.manageList.path)).toBeGreaterThanOrEqual(0)
    expect(asked.indexOf(view.page.path)).toBeGreaterThan(asked.indexOf(audit.manageList.path))
  })

  it.each([
    ['forbidden', 'You have no access to this screen'],
    ['signed-out', 'Your access has ended'],
    ['failing', 'Something went wrong'],
    ['offline', 'The connection failed'],
  ])('are neither asked for nor offered when the list is %s', async (state, words) => {
    await open(story(state), () => page.getByText(words).first())
    expect(asked).toContain(audit.manageList.path)
    expect(asked).not.toContain(view.page.path)
    expect(await button(/^View/).count()).toBe(0)
  })

  it('change columns and height, and are marked once something differs', async () => {
    await open(story('default'))
    await menu('Close together')
    await expect.poll(async () => [...new Set(await heights())]).toEqual([28])
    expect(await button(/^View/).innerText()).toMatch(/Close together$/)
    await button('Compact rows').click()
    await button(/^View.*changed/).waitFor()
    if (process.env.SHOTS) {
      await button(/^View/).click()
      await page.screenshot({ path: `${process.env.SHOTS}/views.png` })
      await page.keyboard.press('Escape')
    }
    await menu('Discard changes')
    await expect.poll(async () => [...new Set(await heights())]).toEqual([28])
    await menu('Keys and customers')
    await expect.poll(async () => (await headers()).filter(Boolean)).toHaveLength(3)
    await menu('Standard view')
    await expect.poll(async () => (await headers()).length).toBeGreaterThan(4)
  })

  it('of colleagues can be used and copied, not changed', async () => {
    await open(story('default'))
    await menu('Morning')
    await button(/^View/).click()
    const items = await page.getByRole('menu').innerText()
    expect(items).toMatch(/Start with this view/)
    expect(items).not.toMatch(/Rename|Delete|colleagues/)
    await page.keyboard.press('Escape')
  })

  it('are saved under a name, by keyboard', async () => {
    await open(story('default'))
    await menu('Save as a view…')
    await page.getByLabel('View name').fill('Late ones')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(asked).toContain(view.saveAs.path)
  })
})
