import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { consoleForTests } from './console.ts'
import { sameAs } from './same-aria.ts'

const at = consoleForTests()
let page: Page

beforeEach(async () => {
  page = await at.open(await at.staff(['OrderManagement', 'MyAudit']))
})

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
/** What has the focus, in whichever shadow tree. */
const focused = () =>
  page.evaluate(() => {
    let one = document.activeElement
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
    const role = one?.getAttribute('role') ?? (one?.matches('input:not([type]), textarea') ? 'textbox' : one?.localName)
    return {
      row: (one as HTMLElement | null)?.dataset.row,
      drawer: Boolean(one?.closest('.mk-drawer')),
      role,
      name: one?.textContent?.trim() ?? '',
      label: (one as HTMLInputElement | null)?.labels?.[0]?.innerText.trim(),
    }
  })
/** Presses Tab until what has the focus says so. */
const tabTo = async (wanted: (at: Awaited<ReturnType<typeof focused>>) => boolean) => {
  for (let n = 0; n < 120; n++) {
    if (wanted(await focused())) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`never came there; at ${JSON.stringify(await focused())}`)
}

test('an order is found, looked at and cancelled with the keyboard alone, up to the toast that says so', async () => {
  const orderNo = await at.fixture.queueUp()
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  await page.getByRole('row', { name: new RegExp(orderNo) }).waitFor()
  await tabTo(({ name }) => name === 'Search')
  await page.keyboard.press('f')
  await page.keyboard.type(orderNo)
  await page.keyboard.press('Enter')
  await page.getByText('1 result', { exact: true }).waitFor()
  await tabTo(({ name }) => name.startsWith('Loan amount'))
  await page.keyboard.press('j')
  await expect.poll(async () => (await focused()).row).toBe(orderNo)

  await page.keyboard.press('Enter')
  await dialog(orderNo).waitFor()
  await sameAs('walk-drawer', dialog(orderNo))
  await tabTo(({ name }) => name === 'Cancel order')
  await page.keyboard.press('Enter')

  const form = dialog('Cancel order')
  await form.waitFor()
  await expect.poll(async () => (await focused()).role).toBe('combobox')
  await page.keyboard.press('Enter')
  const choices = page.getByRole('group', { name: 'Reason' })
  await choices.waitFor()
  await sameAs('walk-choices', choices)
  await tabTo(({ label }) => label === 'Duplicate')
  await page.keyboard.press('Space')
  await choices.waitFor({ state: 'detached' })
  await expect.poll(async () => (await focused()).name).toContain('Duplicate')
  await tabTo(({ role }) => role === 'textbox')
  await page.keyboard.type('asked for twice')
  await sameAs('walk-dialog', form)
  await page.keyboard.press('Control+Enter')

  await form.waitFor({ state: 'detached' })
  const toast = page.locator('mkopo-toast').getByRole('status')
  await toast.waitFor()
  await sameAs('walk-toast', toast)
  await expect.poll(() => at.fixture.statusOf('order', orderNo)).toBe('cancelled')
  await expect.poll(async () => (await focused()).drawer).toBe(true)
})

test('a dialog above a drawer is worked with the mouse as well, and the focus returns to the drawer', async () => {
  const orderNo = await at.fixture.queueUp()
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement?open=${orderNo}`)
  await dialog(orderNo).getByRole('button', { name: 'Cancel order' }).click()
  const form = dialog('Cancel order')
  await form.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('group', { name: 'Reason' }).getByText('Duplicate').click()
  await form.getByRole('button', { name: 'Cancel', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await expect.poll(async () => (await focused()).name).toBe('Cancel order')
})

test('a form that puts the focus in its first field gives it back to the button that opened it', async () => {
  page = await at.open(await at.staff(['UserManagement']))
  await page.goto(`${at.url}/AdminContent/UserSystem/UserManagement`)
  const button = page.getByRole('button', { name: 'New user' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await focused()).role).toBe('textbox')
  await tabTo(({ name }) => name === 'Cancel')
  await page.keyboard.press('Enter')
  await dialog('New user').waitFor({ state: 'detached' })
  await expect.poll(async () => (await focused()).name).toBe('New user')
})

test('g h goes Home and g m opens the messages, on every page and not while somebody types', async () => {
  await page.goto(`${at.url}/AdminContent/AuditSystem/MyAudit`)
  const filter = page.getByRole('search').getByRole('textbox').first()
  await filter.focus()
  await page.keyboard.type('ghgm')
  expect(await filter.inputValue()).toBe('ghgm')
  expect(page.url()).toContain('MyAudit')
  await page.getByRole('button', { name: 'Reload' }).focus()
  await page.keyboard.press('h')
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.keyboard.press('h')
  expect(page.url()).toContain('MyAudit')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await dialog('Message centre').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  expect(await dialog('Message centre').count()).toBe(1)
})

test('? lists the keys of the console, and in a list those of the list with them', async () => {
  await page.goto(`${at.url}/AdminContent/Home`)
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  const keys = dialog('Keyboard shortcuts')
  await page.keyboard.press('?')
  await keys.getByText('Go to Home').waitFor()
  expect(await keys.getByText('Next row, previous row').count()).toBe(0)
  await page.keyboard.press('Control+Enter')
  await keys.waitFor({ state: 'detached' })
  await page.goto(`${at.url}/AdminContent/AuditSystem/OrderManagement`)
  const reload = page.getByRole('button', { name: 'Reload' })
  await reload.press('Enter')
  await expect.poll(() => reload.evaluate(at => (at.getRootNode() as ShadowRoot).activeElement === at)).toBe(true)
  await page.keyboard.press('?')
  for (const words of [
    'Go to Home',
    'Open messages',
    'Next row, previous row',
    'Previous record, next record in a drawer',
  ])
    await keys.getByText(words).waitFor()
  expect(await keys.count()).toBe(1)
})
