import { expect, test } from 'vitest'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()

test('the number of members leads to the people who have the role', async () => {
  const person = await at.staff(['RoleManagement', 'UserManagement'])
  const page = await at.home(person)
  await page.goto(`${at.url}/AdminContent/UserSystem/RoleManagement`)
  const role = `R${person.userNo}`
  const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${role}"]`) })
  await row.locator('a[href*="UserManagement"]').click()
  await page.waitForURL(/UserManagement\?.*roleNo=/)
  expect(decodeURIComponent(page.url())).toContain(role)
  await page.getByRole('main').getByText(person.userNo).first().waitFor()
})
