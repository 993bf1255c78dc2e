import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../../server/session/password.ts'
import { fromBase32, hotp, stepAt } from '../../../server/session/totp.ts'
import { makeLink } from '../../../server/systems/user/account/sign-in-link.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests, welcomed } from '../console.ts'

const at = consoleForTests()
const secret = 'Nile-Boat-47'
beforeAll(() => at.fixture.exec(sql`update org set sign_in_unbound = false`))

const shown = (letters: string) => hotp(fromBase32(letters), stepAt(at.fixture.clock.now()))

/** Opens the sign-in in English. */
const atSignIn = async (address = '/Index/Login') => {
  const page = await at.stranger()
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto(at.url + address)
  return page
}
const bind = async (page: Page) => {
  await page.getByText('Set up an authenticator before you sign in').waitFor()
  const letters = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Authenticator code').fill(shown(letters))
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  expect(await violations(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await welcomed(page)
}
const unbound = async (): Promise<Person> => {
  const person = await at.staff(['MyAudit'])
  const hash = await hashPassword(secret)
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${person.userNo}`)
  return person
}

test('somebody without an authenticator binds one at the sign-in, and is in', async () => {
  const person = await unbound()
  const page = await atSignIn()
  await page.getByLabel('User name').fill(`login.${person.userNo}`)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Set up an authenticator before you sign in').waitFor()
  await page.getByRole('button', { name: 'Back to sign-in' }).click()
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await bind(page)
})

test('a one-time link leads from the choice of a password to Home, once', async () => {
  const person = await unbound()
  const link = await at.fixture.db.withTx(tx => makeLink(tx, person.userNo))
  const page = await atSignIn(`/Index/Login#link=${link}`)
  await page.getByLabel('New password', { exact: true }).fill('Papyrus-Reed-9')
  await page.getByLabel('Confirm password').fill('Papyrus-Reed-8')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('The passwords are inconsistent').waitFor()
  await page.getByLabel('Confirm password').fill('Papyrus-Reed-9')
  await page.getByRole('button', { name: 'Set password' }).click()
  await bind(page)

  const again = await atSignIn(`/Index/Login#link=${link}`)
  await again.getByLabel('New password', { exact: true }).fill('Papyrus-Reed-7')
  await again.getByLabel('Confirm password').fill('Papyrus-Reed-7')
  await again.getByRole('button', { name: 'Set password' }).click()
  await again.getByText('This link has been used or is no longer valid').waitFor()
})
