import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { hashPassword } from '../../../server/session/password.ts'
import { openSession } from '../../../server/session/session.ts'
import { violations } from '../axe.ts'
import { consoleForTests, welcomed } from '../console.ts'

const at = consoleForTests()
const secret = 'Nile-Boat-47'
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36'

test('who signed in elsewhere reads when and from where, after a reload too, until the next sign-in', async () => {
  const person = await at.staff(['MyAudit'])
  const hash = await hashPassword(secret)
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${person.userNo}`)
  const code = await at.authenticator(person)
  const page = await at.home(person)
  await at.fixture.exec(
    sql`update session set created_time = created_time - interval '1 minute' where user_no = ${person.userNo}`,
  )
  for (let n = 0; n < 3; n++)
    await at.fixture.db.withTx(tx => openSession(tx, person.userNo, { ip: '203.0.113.9', browser: chrome }))
  // The page hears of it by itself.
  const why = page.getByText(/^You signed in somewhere else.*from 203\.0\.113\.9 · Chrome 141 · Windows\./)
  await why.waitFor()
  expect(await violations(page)).toEqual([])
  await page.reload()
  await why.waitFor()
  await page.getByRole('button', { name: '中文' }).click()
  await page.getByText(/^您已在其他地方登录.*来自203\.0\.113\.9/).waitFor()
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByLabel('User name').fill(`login.${person.userNo}`)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Authenticator code').fill(code())
  await welcomed(page)
  await page.getByRole('button', { name: /^Person/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('User name').waitFor()
  expect(await why.count()).toBe(0)
})
