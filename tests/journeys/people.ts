import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { signIn as signInCalls } from '../../core/contract/user/sign-in.ts'
import { demoSecret } from '../../server/demo/authenticators.ts'
import { fromBase32, hotp, stepAt } from '../../server/session/totp.ts'

const password = 'Nile-Boat-47'
/** What the authenticator of a demo shows now, or a step later: each code is good once for each person. */
const shown = (later: number) => hotp(fromBase32(demoSecret), stepAt(new Date()) + later)

/** Somebody at a browser of their own, found by roles and names as a person finds things. */
export type Person = {
  page: Page
  /** Opens a page by its menu entry. */
  go: (name: string) => Promise<void>
  /** The row of a list that holds a text, after the list was searched for it. */
  /** The row of an order in a list that is asked for it; `timeout` in milliseconds. */
  row: (orderNo: string, timeout?: number) => Promise<Locator>
  press: (name: string | RegExp, within?: Locator) => Promise<void>
  toast: (text: string | RegExp) => Promise<void>
  leave: () => Promise<void>
}

/** Gives the authenticator's code; who has used this one and the next waits for another. */
const proveSelf = async (page: Page) => {
  for (const later of [0, 1, 1]) {
    const step = stepAt(new Date())
    const answered = page.waitForResponse(answer => answer.url().endsWith(signInCalls.verifyMfa.path))
    await page.getByLabel('Authenticator code').fill(shown(later))
    const { code } = (await (await answered).json()) as { code: number }
    if (code === 0) return
    if (later === 1) await expect.poll(() => stepAt(new Date()), { timeout: 60_000 }).toBeGreaterThan(step)
  }
}

export const signIn = async (browser: Browser, url: string, loginId: string): Promise<Person> => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(() => localStorage.setItem('language', 'en'))
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  await page.getByLabel('User name').fill(loginId)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await proveSelf(page)
  const read = page.getByRole('button', { name: 'I have read this' })
  await page.addLocatorHandler(read, () => read.click())
  await page.getByRole('heading', { name: /^Welcome/, includeHidden: true }).waitFor()

  const press = async (name: string | RegExp, within?: Locator) =>
    (within ?? page).getByRole('button', { name }).first().click()
  return {
    page,
    press,
    go: async name => {
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    },
    row: async (orderNo, timeout) => {
      const box = page.getByRole('search').getByRole('textbox').first()
      await box.fill(orderNo)
      await box.press('Enter')
      const found = page.getByRole('row').filter({ hasText: orderNo }).first()
      await found.waitFor(timeout ? { timeout } : {})
      return found
    },
    toast: async text => {
      await page.locator('mkopo-toast').getByText(text).first().waitFor()
    },
    leave: async () => {
      expect(errors).toEqual([])
      await context.close()
    },
  }
}
