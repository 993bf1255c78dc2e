import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSession } from '../../server/session/session.ts'
import { violations } from './axe.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()
const lead = () => at.staff(['OrderAllocation', 'MyAudit', 'LoanManagement', 'RepaymentManagement'])
const queues = (page: Page) => page.getByRole('region', { name: 'My pending work' })
const tile = (page: Page, name: RegExp) => queues(page).getByRole('link', { name })
const numberIn = async (text: Promise<string>) => Number(/\d+/.exec(await text)?.[0])
const menuPage = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name })

/** As if another tab were looked at, or this one again. */
const look = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(now => {
    Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('a page of the menu says how much waits behind it, and a closed catalog how much in all', async () => {
  const page = await at.home(await lead())
  await at.fixture.queueUp()
  const badge = async () =>
    Number(await menuPage(page, 'Order allocation').evaluate(link => link.querySelector('[aria-hidden]')?.textContent))
  const before = await numberIn(tile(page, /^Orders to allocate/).innerText())
  await expect.poll(badge).toBeGreaterThan(0)
  await at.fixture.queueUp()
  await expect.poll(badge, { timeout: 60_000 }).toBeGreaterThan(before)
  const described = () =>
    menuPage(page, 'Order allocation').evaluate(
      link =>
        (link.getRootNode() as ShadowRoot).getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent,
    )
  await expect.poll(async () => (await described()) === `${await badge()} waiting`).toBe(true)
  expect(await violations(page)).toEqual([])
  const catalog = page.getByRole('button', { name: 'Credit review' })
  expect(await catalog.innerText()).not.toMatch(/\d/)
  await catalog.click()
  await expect.poll(() => catalog.innerText()).toMatch(/\d/)
})

test('a tile that grew while the tab was hidden says by how much', async () => {
  const page = await at.home(await lead())
  const unallotted = tile(page, /^Orders to allocate/)
  const before = await numberIn(unallotted.innerText())
  await look(page, 'hidden')
  await at.fixture.queueUp()
  await at.fixture.queueUp()
  await look(page, 'visible')
  await unallotted.getByText('2 more while you were away').waitFor()
  expect(await numberIn(unallotted.innerText())).toBe(before + 2)
  await look(page, 'hidden')
  await look(page, 'visible')
  await expect.poll(() => page.getByText(/while you were away/).count()).toBe(0)
})

test('Enter opens the tile that has the focus', async () => {
  const page = await at.home(await lead())
  await tile(page, /^Orders to allocate/).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Order allocation' }).waitFor()
})

test('a queue that cannot be counted has a dash and a retry of its own; the others stay', async () => {
  const person = await lead()
  await at.fixture.exec(sql`alter table repay_flow rename to elsewhere`)
  const page = await at.home(person)
  const broken = queues(page).getByRole('group', { name: 'Receipts not written off' })
  await broken.getByText('—').waitFor()
  await tile(page, /^Orders to allocate/).waitFor()
  expect(await violations(page)).toEqual([])
  await at.fixture.exec(sql`alter table elsewhere rename to repay_flow`)
  const asked = page.waitForRequest(request => request.url().includes('/user/home'))
  await broken.getByRole('button', { name: 'Retry: Receipts not written off' }).click()
  expect((await asked).url()).toContain('queue=flows')
  await tile(page, /^Receipts not written off\s*\d/).waitFor()
})

test('tiles are put in another order with the arrows or the mouse; the order stays in this browser', async () => {
  const page = await at.home(await lead())
  const names = async () => (await queues(page).getByRole('link').allInnerTexts()).map(text => text.split('\n')[0])
  const before = await names()
  await queues(page).getByRole('button', { name: 'Reorder tiles' }).click()
  const sorted = queues(page).getByRole('list', { name: 'Reorder tiles' }).getByRole('button')
  await sorted.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('status').getByText(`${before[0]}: place 2 of ${before.length}`).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('status').getByText(`${before[0]}: place 3 of ${before.length}`).waitFor()
  expect(await violations(page)).toEqual([])
  await sorted.last().dragTo(sorted.first())
  await queues(page).getByRole('button', { name: 'Done' }).click()
  const [first, second, third, ...rest] = before as string[]
  const wanted = [rest.at(-1), second, third, first, ...rest.slice(0, -1)]
  expect(await names()).toEqual(wanted)
  await page.reload()
  await welcomed(page)
  await expect.poll(names).toEqual(wanted)
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('userSettingInfo') ?? '{}').homeTiles)).toHaveLength(
    before.length,
  )
})

test('the screens that were opened last are offered, the newest first, to the one who opened them', async () => {
  const page = await at.home(await lead())
  for (const name of ['My audit', 'Order allocation', 'My audit']) {
    await menuPage(page, name).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await page.getByRole('link', { name: /^Mkopo/ }).click()
  // Nothing of the system that they belong to was fetched by the new document.
  await page.reload()
  const recent = page.getByRole('navigation', { name: 'Recently opened' })
  await expect.poll(() => recent.getByRole('link').allInnerTexts()).toEqual(['My audit', 'Order allocation'])
  await recent.getByRole('link', { name: 'Order allocation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order allocation' }).waitFor()
})

test('a person who does not recognise the last sign-in sees where the account is open, and signs the others out', async () => {
  const person = await at.staff(['MyAudit'])
  const agent = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
  await at.fixture.exec(
    sql`update session set created_time = created_time - interval '1 minute' where user_no = ${person.userNo}`,
  )
  const stranger = await at.fixture.db.withTx(tx =>
    openSession(tx, person.userNo, { ip: '41.210.9.9', browser: agent }),
  )
  await at.fixture.exec(sql`update session set created_time = created_time - interval '1 hour' where ip = '41.210.9.9'`)
  const page = await at.home(person)
  await page.getByText(/Last sign-in .* from 41\.210\.9\.9/).waitFor()
  await page.getByRole('button', { name: 'Not me?' }).click()
  const dialog = page.getByRole('dialog', { name: 'My sessions' })
  await dialog.getByRole('row', { name: /This session/ }).waitFor()
  await dialog.getByRole('row', { name: /Chrome 140 · Windows 41\.210\.9\.9/ }).waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Sign out the others' }).click()
  await page.getByText('1 other session was signed out').waitFor()
  await expect.poll(() => dialog.getByRole('row', { name: /41\.210\.9\.9/ }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(() => page.url()).not.toContain('dialog=')
  const ended = await at.fixture.call(
    await import('../../core/contract/user/user.ts').then(({ user }) => user.self),
    {},
    {
      as: { ...person, token: stranger },
    },
  )
  expect(ended.code).toBe(-10)
})

test('the title of the tab says how many messages are unread', async () => {
  const person = await at.staff(['MyAudit'])
  const page = await at.home(person)
  await expect.poll(() => page.title()).toBe('Home · Cloud Management System')
  await at.fixture.allotted('M1', person)
  await expect.poll(() => page.title()).toBe('(1) Home · Cloud Management System')
})
