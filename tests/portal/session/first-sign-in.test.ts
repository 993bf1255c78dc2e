import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '../../../server/session/password.ts'
import { fromBase32, hotp, stepAt } from '../../../server/session/totp.ts'
import { makeLink } from '../../../server/systems/user/sign-in/index.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests, welcomed } from '../console.ts'

const at = consoleForTests()
const secret = 'Nile-Boat-47'

const shown = (letters: string) => hotp(fromBase32(letters), stepAt(at.fixture.clock.now()))

/** Opens the sign-in in English. */
const atSignIn = async (address = '/Index/Login') => {
  const page = await at.stranger()
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto(at.url + address)
  return page
}
const lettersOf = async (page: Page) =>
  (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
const keep = async (page: Page) => {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  expect(await violations(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
const bind = async (page: Page) => {
  await page.getByText('Set up an authenticator before you sign in').waitFor()
  const letters = await lettersOf(page)
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Authenticator code').fill(shown(letters))
  await keep(page)
  await welcomed(page)
}
const unbound = async (initial = false): Promise<Person> => {
  const person = await at.staff(['MyAudit'])
  const hash = await hashPassword(secret)
  await at.fixture.exec(sql`
    update app_user set password_hash = ${hash}, password_update_status = ${initial ? 1 : 0} where user_no = ${person.userNo}`)
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

const credentials = async (page: Page, { userNo }: Person, password = secret) => {
  await page.getByLabel('User name').fill(`login.${userNo}`)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('portal 3: a new employee draws another secret, binds it, keeps the codes, changes the password, and is in', async () => {
  const page = await atSignIn()
  await credentials(page, await unbound(true))
  await page.getByText('Set up an authenticator before you sign in').waitFor()
  const first = await lettersOf(page)
  await page.getByRole('button', { name: /^New setup key/ }).click()
  await expect.poll(() => lettersOf(page)).not.toBe(first)
  await page.getByLabel('Authenticator code').fill(shown(first))
  await page.getByText('The code is wrong; 4 tries left').first().waitFor()
  await page.getByLabel('Authenticator code').fill(shown(await lettersOf(page)))
  await keep(page)
  await page.getByText('Choose a new password before you go on').waitFor()
  expect(await violations(page)).toEqual([])
  for (const label of ['New password', 'Confirm password'])
    await page.getByLabel(label, { exact: true }).fill('Papyrus-Reed-9')
  await page.getByRole('button', { name: 'Set password' }).click()
  await welcomed(page)
})

test('portal 4: after two failures the third sign-in shows a slide, which keys move as well', async () => {
  const person = await unbound()
  const code = await at.authenticator(person)
  const page = await atSignIn()
  for (let n = 0; n < 2; n++) {
    await credentials(page, person, 'wrong-password')
    await page.locator('mkopo-toast').getByText('Username or password is incorrect').first().waitFor()
  }
  await credentials(page, person)
  const slider = page.getByRole('slider', { name: 'Slider' })
  await slider.waitFor()
  const began = Date.now()
  expect(await violations(page)).toEqual([])
  const { x } = await at.fixture.one(
    sql<{
      x: number
    }>`select slide_x as x from login_challenge where slide_x is not null order by created_time desc limit 1`,
  )
  for (let n = 0; n < Math.floor(x / 10); n++) await slider.press('Shift+ArrowRight')
  for (let n = 0; n < x % 10; n++) await slider.press('ArrowRight')
  // A hand takes its time; a script that does not is refused.
  await expect.poll(() => Date.now() - began).toBeGreaterThan(300)
  await slider.press('ArrowLeft')
  await slider.press('Enter')
  await page.getByLabel('Authenticator code').fill(code())
  await welcomed(page)
})
