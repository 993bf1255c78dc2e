import { beforeAll, expect, test } from 'vitest'
import { writeBaseRules } from '../../../server/systems/risk/rule-set/seed.ts'
import { pressInMenu } from '../../browser.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
beforeAll(() => at.fixture.db.withTx(writeBaseRules), 240_000)

test('risk 4: an expression is typed in colours, with facts to choose from and what is wrong at its place; Tab leaves, Alt+B shows conditions', async () => {
  const page = await at.home(await at.staff(['RuleSet']))
  await page.goto(`${at.url}/AdminContent/RiskControlSystem/RuleSet`)
  const row = page.getByRole('row').filter({ hasText: 'RV-FRAUD-1' }).first()
  await pressInMenu(row, 'New version')
  const form = page.getByRole('dialog', { name: 'New version' })
  const editor = form.getByRole('region', { name: 'Expression editor' })
  const text = editor.getByRole('textbox', { name: 'Expression' })
  await text.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('customer.tribe == "x"')
  await editor.locator('.cm-lintRange-error', { hasText: 'tribe' }).waitFor()
  await editor.locator('.mk-ex-string', { hasText: '"x"' }).waitFor()

  await page.keyboard.press('Control+A')
  await page.keyboard.type('history.maxO')
  await page.getByRole('option', { name: /history\.maxOverdueDays/ }).waitFor()
  // Suggestions take no key in the first moment, so that nobody chooses by a slip.
  const shown = Date.now()
  await expect.poll(() => Date.now() - shown).toBeGreaterThan(100)
  await page.keyboard.press('Enter')
  await page.keyboard.type(' > 15')
  expect(await text.innerText()).toBe('history.maxOverdueDays > 15')
  expect(await editor.locator('.mk-ex-fact').innerText()).toBe('history.maxOverdueDays')

  await page.keyboard.press('Escape')
  await form.waitFor()
  await page.keyboard.press('Tab')
  expect(await text.evaluate(element => element.matches(':focus-within'))).toBe(false)

  await text.focus()
  await page.keyboard.press('Alt+B')
  const first = editor.getByRole('group', { name: 'Condition 1' })
  await first.getByRole('textbox', { name: 'Value' }).fill('20')
  const cell = form.getByRole('textbox', { name: 'Expression', exact: true }).first()
  await expect.poll(() => cell.inputValue()).toBe('history.maxOverdueDays > 20')
  await editor.getByRole('button', { name: 'Add condition' }).press('Enter')
  await editor.getByRole('group', { name: 'Condition 2' }).getByRole('textbox', { name: 'Value' }).fill('21')
  await expect.poll(() => cell.inputValue()).toBe('history.maxOverdueDays > 20 && customer.age < 21')
  expect(await violations(page)).toEqual([])
  await first.getByRole('textbox', { name: 'Value' }).press('Alt+B')
  expect(await text.innerText()).toBe('history.maxOverdueDays > 20 && customer.age < 21')

  await text.fill('order.amount > customer.remainingLimit * 2')
  await text.press('Alt+B')
  await editor.getByText('Conditions cannot show this expression; it stays text').waitFor()
  expect(await text.innerText()).toBe('order.amount > customer.remainingLimit * 2')
})
