import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orderBrief } from '../../core/contract/order/order-brief.ts'
import type { Person } from '../../server/testing/kit.ts'
import { consoleForTests } from './console.ts'

const at = consoleForTests()
const lists = [
  'AuditSystem/OrderAllocation',
  'AuditSystem/MyAudit',
  'AuditSystem/OrderManagement',
  'AfterLoanSystem/LoanManagement',
  'AfterLoanSystem/RepaymentManagement',
  'AfterLoanSystem/RepaymentManagement?tab=flows',
]
let lead: Person
let mine: string
let page: Page

beforeAll(async () => {
  const names = lists.map(path => path.split(/[/?]/)[1] as string)
  lead = await at.staff([...names, 'OrderDetail', 'OrderAudit'], { name: 'Lead' })
  mine = await at.fixture.allotted('M1', lead)
  await at.fixture.disbursed()
})
beforeEach(async () => {
  page = await at.open(lead, { viewport: { width: 1260, height: 800 } })
})

const show = async (path: string) => {
  await page.goto(`${at.url}/AdminContent/${path}`)
  await page.locator('tr[data-row], .mk-state').first().waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
}
/** What has the focus, in whichever shadow tree. */
const focused = () =>
  page.evaluate(() => {
    let one = document.activeElement
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
    return one?.textContent?.trim()
  })

describe('at 1260 × 800', () => {
  test.each(lists)('%s has room for 14 rows that begin above 220 px, in every language', async path => {
    for (const language of ['en', 'zh', 'sw']) {
      await page.addInitScript(spoken => localStorage.setItem('language', spoken), language)
      await show(path)
      const { first, end } = await page.locator('.mk-list').evaluate(list => {
        const table = list.querySelector('.mk-table') as HTMLElement
        const pages = list.querySelector('.mk-pages') as HTMLElement
        const head = table.querySelector('thead') as HTMLElement
        const foot = table.querySelector('tfoot')?.getBoundingClientRect().height ?? 0
        const most = list.getBoundingClientRect().bottom - pages.offsetHeight - 8 - foot
        return { first: head.getBoundingClientRect().bottom, end: Math.min(most, innerHeight) }
      })
      expect(first, language).toBeLessThan(220)
      expect(Math.floor((end - first) / 36), language).toBeGreaterThanOrEqual(14)
    }
  })

  test('the review panel stands beside the evidence', async () => {
    await page.goto(`${at.url}/AdminContent/OrderDetailAudit/OrderAudit?orderNo=${mine}`)
    const panel = page.getByRole('complementary', { name: 'Review panel' })
    await panel.waitFor()
    const [evidence, beside] = await Promise.all([page.getByRole('article').boundingBox(), panel.boundingBox()])
    expect((evidence?.x ?? 0) + (evidence?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
  })
})

test('below 1440 px the menu at the left is folded to drawings, whose pages open beside them; it unfolds on demand', async () => {
  await page.setViewportSize({ width: 1439, height: 900 })
  await show('AuditSystem/MyAudit')
  const nav = page.getByRole('navigation', { name: 'Menu' })
  expect((await nav.boundingBox())?.width).toBeLessThan(60)
  await nav.getByRole('button', { name: 'Credit review', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Order management' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order management' }).waitFor()
  await page.getByRole('button', { name: 'Show or hide the menu' }).click()
  await nav.getByRole('link', { name: 'My audit', exact: true }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await nav.getByRole('link', { name: 'My audit', exact: true }).waitFor()
})

test('who arrives on a page goes on from its title, where the keys of its list work', async () => {
  await show('AuditSystem/OrderManagement')
  await expect.poll(focused).toBe('Order management')
  await page.keyboard.press('j')
  await expect.poll(() => page.locator('tr[data-row]:focus').count()).toBe(1)
  await page.getByRole('button', { name: /^Loan servicing/ }).click()
  await page.getByRole('menuitem', { name: 'Loan management' }).click()
  await expect.poll(focused).toBe('Loan management')
})

test('the page of a record says whose it is, and leads back to the list that it was opened from', async () => {
  const address = `OrderDetailAudit/OrderDetail?orderNo=${mine}`
  await page.goto(`${at.url}/AdminContent/${address}&from=OrderManagement`)
  const trail = page.getByRole('navigation', { name: 'You are here' })
  await trail.getByRole('heading', { level: 1, name: 'Order detail' }).waitFor()
  const { data } = await at.fixture.call(orderBrief.summary, { orderNo: mine }, { as: lead })
  await page.getByRole('heading', { level: 2, name: new RegExp(`${data.customerName}.*${mine}`) }).waitFor()
  await trail.getByRole('link', { name: 'Order management' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order management' }).waitFor()
  await page.goto(`${at.url}/AdminContent/${address}&from=NoSuchList`)
  await trail.getByRole('link', { name: 'Home' }).waitFor()
})
