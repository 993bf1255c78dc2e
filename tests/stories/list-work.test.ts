import { beforeEach, describe, expect, it } from 'vitest'
import { loan } from '../../core/contract/after-loan/loan.ts'
import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { auditManage } from '../../core/contract/audit/order-list.ts'
import { base } from '../../core/contract/endpoint.ts'
import { asked, bodies, button, open, page, story } from './list-page.ts'

/** How often the server was asked for a path. */
const timesAsked = (path: string) => asked.filter(one => one === path).length
/** From now on the connection fails for a path, until `mend` is called. */
const cut = async (path: string) => {
  await page.evaluate(address => {
    const own = window.fetch
    Object.assign(window, { cutOff: true })
    window.fetch = (given, options) =>
      String(given).endsWith(address) && (window as { cutOff?: boolean }).cutOff
        ? Promise.reject(new TypeError('cut off'))
        : own(given, options)
  }, base + path)
  return () => page.evaluate(() => void Object.assign(window, { cutOff: false }))
}

describe('a list that cannot be read again', () => {
  it('says so above the rows, which stay with their actions off, until a retry brings new ones', async () => {
    await open('loan-servicing-loan-management--default')
    const read = page.locator('tr[data-row]')
    await read.first().waitFor()
    const before = await read.count()
    const mend = await cut(loan.page.path)
    await button('Reload').click()
    const bar = page.getByRole('alert').filter({ hasText: 'The connection failed' })
    await bar.waitFor()
    expect(await read.count()).toBe(before)
    const [bottom, top] = await Promise.all(
      [bar, read.first()].map(one => one.evaluate(element => element.getBoundingClientRect().top)),
    )
    expect(bottom as number).toBeLessThan(top as number)
    expect(await page.locator('.mk-table').getAttribute('data-stale')).toBe('true')
    await page
      .getByRole('checkbox', { name: /^Choose L/ })
      .first()
      .check()
    for (const name of ['Retry payout', 'Cancel payout', 'Verify account'])
      expect(await page.locator('.mk-bar').getByRole('button', { name }).isDisabled()).toBe(true)
    await button('More actions').first().click()
    const items = page.getByRole('menuitem')
    await items.first().waitFor()
    expect(await items.evaluateAll(all => all.map(one => one.getAttribute('aria-disabled')))).not.toContain(null)
    await page.getByText('The list could not be refreshed; retry first').first().waitFor()
    await page.keyboard.press('Escape')

    await mend()
    await button('Retry', bar).click()
    await bar.waitFor({ state: 'detached' })
    expect(await page.locator('.mk-table').getAttribute('data-stale')).toBeNull()
  })

  it('figures that cannot be read again say so too', async () => {
    await open('credit-review-order-management--default')
    const mend = await cut(auditManage.manageSum.path)
    await button(/^Funds disbursed/).click()
    const failed = button('Figures were not updated: retry')
    await failed.waitFor()
    await mend()
    await failed.click()
    await failed.waitFor({ state: 'detached' })
  })
})

describe('asking', () => {
  beforeEach(() => open(story('default')))
  const { path } = auditManage.manageList

  it('Search and Enter ask the server again, also when nothing has changed', async () => {
    const before = timesAsked(path)
    await button('Search').click()
    await expect.poll(() => timesAsked(path)).toBe(before + 1)
    await page.getByRole('search').getByRole('textbox').first().press('Enter')
    await expect.poll(() => timesAsked(path)).toBe(before + 2)
  })

  it('a filter in force shows in its own field, and in a chip only while that is out of sight', async () => {
    const order = page.getByRole('textbox', { name: 'Order no.' })
    await order.fill('LO1')
    await order.press('Enter')
    expect(await button(/^Remove filter/).count()).toBe(0)
    await button(/^More \(/).click()
    const customer = page.getByRole('textbox', { name: 'Customer name' })
    await customer.fill('Sarah')
    await customer.press('Enter')
    expect(await button(/^Remove filter/).count()).toBe(0)
    await button('Fewer').click()
    await button('Remove filter: Customer name').waitFor()
    expect(await button(/^Remove filter/).count()).toBe(1)
  })

  it('a filter that the chosen quick filter says is in no chip besides', async () => {
    await open('loan-servicing-loan-management--default')
    await button('Unknown over 30 min').click()
    await expect.poll(() => bodies.at(-1)?.body).toMatchObject({ unknownMinutes: [30, null] })
    expect(await button(/^Remove filter/).count()).toBe(0)
  })
})

describe('after a command', () => {
  it('rows and figures are read again together', async () => {
    await open('credit-review-order-allocation--default')
    const counted = () => [auditAllot.allotList, auditAllot.allotStat].map(({ path }) => timesAsked(path))
    const before = counted()
    await button('Auto allocate now').click()
    await page.getByRole('dialog').getByRole('button').last().click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(counted).toEqual(before.map(times => times + 1))
  })
})

describe('actions of a row', () => {
  beforeEach(() => open('loan-servicing-loan-management--default'))

  it('show at most one in the row, which can be pressed; the others stand in a menu with their reasons', async () => {
    for (const cell of await page.locator('td.mk-actions').all()) {
      const own = cell.getByRole('button').and(page.locator(':not([aria-haspopup])'))
      expect(await own.count()).toBeLessThanOrEqual(1)
      expect(await own.and(page.locator(':disabled')).count()).toBe(0)
    }
    await button('More actions').first().click()
    const off = page.locator('[role=menuitem][aria-disabled]')
    await off.first().waitFor()
    for (const item of await off.all()) {
      const reason = await item.getAttribute('aria-description')
      expect(reason).toMatch(/\w/)
      expect(await item.innerText()).toContain(reason)
    }
  })

  it('a shadow says that columns go on under their column, and is gone at the end', async () => {
    const table = page.locator('.mk-table')
    await page.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => table.getAttribute('data-more-right')).toBe('')
    expect(await table.getAttribute('data-more-left')).toBeNull()
    await table.evaluate(one => one.scrollTo({ left: one.scrollWidth }))
    await expect.poll(() => table.getAttribute('data-more-right')).toBeNull()
    expect(await table.getAttribute('data-more-left')).toBe('')
    const [last, actions] = await page
      .locator('tr[data-row] >> nth=0 >> td')
      .evaluateAll(all => all.slice(-2).map(one => one.getBoundingClientRect().toJSON()))
    expect(last.right).toBeLessThanOrEqual(actions.left + 0.5)
  })
})

describe('a row', () => {
  it('opens by a click anywhere in it but on what has a purpose of its own; its key is a link', async () => {
    await open('loan-servicing-loan-management--default')
    const first = page.locator('tr[data-row]').first()
    const key = (await first.getAttribute('data-row')) as string
    const drawer = page.getByRole('dialog', { name: key })
    await first.getByRole('checkbox').check()
    await first.getByRole('button', { name: 'Copy' }).first().click()
    expect(await drawer.count()).toBe(0)
    await first.getByRole('cell').nth(3).click()
    await drawer.waitFor()
    expect(await drawer.evaluate(at => (at.getRootNode() as ShadowRoot).activeElement === at)).toBe(true)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await first.getByRole('link', { name: key }).click()
    await drawer.waitFor()
  })
})
