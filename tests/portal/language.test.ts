import { expect, test } from 'vitest'
import { consoleForTests } from './console.ts'

const at = consoleForTests()

test('portal 15: another language changes every text, label, name and the title at once, and keeps what was typed', async () => {
  const page = await at.home(await at.staff(['OrderManagement', 'MyAudit', 'OrderAllocation']))
  await at.fixture.queueUp()
  await page.getByRole('link', { name: 'Order management', exact: true }).click()
  await page.getByRole('row').nth(1).waitFor()
  const typed = page.getByRole('main').getByRole('textbox').first()
  await typed.fill('LO26')
  await page.getByRole('button', { name: /^Language/ }).click()
  await page.getByRole('menuitem', { name: 'Kiswahili' }).click()
  await page.getByRole('heading', { level: 1, name: 'Usimamizi wa maombi' }).waitFor()
  await page
    .getByRole('navigation', { name: 'Menyu' })
    .getByRole('link', { name: 'Tathmini zangu', exact: true })
    .waitFor()
  await expect.poll(() => page.title()).toMatch(/Usimamizi wa maombi · Mfumo wa Usimamizi Mtandaoni$/)
  await page.getByRole('cell', { name: 'Kupangiwa', exact: false }).first().waitFor()
  expect(await typed.inputValue()).toBe('LO26')
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('sw')
  const english = /\b(Order|Orders|Status|Search|Reset|Export|Customer|Amount|Merchant|Waiting)\b/
  const main = await page.getByRole('main').innerText()
  expect(main.split('\n').filter(line => english.test(line))).toEqual([])
})

test('the languages that the server offers are kept in the browser, and only these are offered', async () => {
  const page = await at.open(await at.staff(['MyAudit']))
  const swahili = { code: 'sw', name: 'Kiswahili', sort: 2, isDefault: false }
  const english = { code: 'en', name: 'English', sort: 1, isDefault: true }
  await page.route('**/common/language/list', route =>
    route.fulfill({ json: { code: 0, msg: '', data: { list: [english, swahili] } } }),
  )
  await page.goto(`${at.url}/AdminContent/Home`)
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('langList') ?? 'null') as unknown))
    .toEqual([english, swahili])
  await page.getByRole('button', { name: /^Language/ }).click()
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['English', 'Kiswahili'])
})
