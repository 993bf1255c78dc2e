import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { mfa } from '../../../core/contract/user/mfa.ts'
import { hashPassword } from '../../../server/session/password.ts'
import { fromBase32, hotp, stepAt } from '../../../server/session/totp.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const password = 'Nile-Boat-47'

const withPassword = async (person: Person) => {
  const hash = await hashPassword(password)
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${person.userNo}`)
  return person
}
const checker = async () => withPassword(await at.staff(['LoanManagement', 'OrderDetail']))
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Authenticator' })
const shown = (secret: string, later = 0) => hotp(fromBase32(secret), stepAt(at.fixture.clock.now()) + later)

/** What stands in the dialog for people to type into their phone. */
const secretIn = async (page: Page) => {
  const grouped = await dialogOf(page)
    .getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    .innerText()
  return grouped.replaceAll(' ', '')
}
const addressIn = async (page: Page) =>
  String(await dialogOf(page).getByRole('link', { name: 'Open in the authenticator app' }).getAttribute('href'))
/** The dark modules of the code that is shown, as `x y`, and of one that holds a text. */
const drawn = async (page: Page) => {
  const code = dialogOf(page).getByRole('img', { name: 'QR code for the authenticator app' })
  return [...String(await code.locator('path').getAttribute('d')).matchAll(/M(\d+ \d+)h/g)].map(([, at]) => at)
}
const codeOf = (text: string) =>
  encode(text, { ecc: 'M', border: 4 }).data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])),
  )
const begin = async (page: Page) => {
  await dialogOf(page).getByLabel('Password').fill(password)
  await dialogOf(page).getByRole('button', { name: 'Start setup' }).click()
  return secretIn(page)
}
const kept = async (page: Page) => {
  await dialogOf(page).getByLabel('I have saved them').waitFor()
  const close = dialogOf(page).getByRole('button', { name: 'Close', exact: true })
  expect(await close.isDisabled()).toBe(true)
  await dialogOf(page).getByLabel('I have saved them').click()
  await close.click()
}

test('somebody without an authenticator is led to binding one, and then moves money with it', async () => {
  const person = await checker()
  const { loanCode } = await at.fixture.requested()
  const page = await at.open(person)
  await page.goto(`${at.url}/AdminContent/Home?messages=approvals`)
  const request = page.getByRole('dialog', { name: 'Message centre' }).getByRole('region', { name: loanCode })
  await request.getByRole('button', { name: 'Approve' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm it is you' })
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    asked.getByRole('link', { name: /^Set one up/ }).click(),
  ])
  await dialogOf(tab).waitFor()
  expect(await violations(tab)).toEqual([])
  const secret = await begin(tab)
  expect(await addressIn(tab)).toContain(`issuer=Mkopo&secret=${secret}&`)
  expect(await violations(tab)).toEqual([])
  expect(await drawn(tab)).toEqual(codeOf(await addressIn(tab)))
  await dialogOf(tab).getByLabel('Authenticator code').fill(shown(secret))
  const codes = dialogOf(tab).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  expect(await violations(tab)).toEqual([])
  const recovery = await codes.first().innerText()
  await kept(tab)
  await dialogOf(tab).getByText('Recovery codes left: 10').waitFor()
  await tab.close()

  await asked.getByRole('button', { name: 'Cancel' }).click()
  await request.getByRole('button', { name: 'Approve' }).click()
  await asked.getByLabel('Authenticator code').fill(shown(secret, 1))
  await request.waitFor({ state: 'detached' })

  await at.fixture.pass(11)
  const next = await at.fixture.requested()
  await page.reload()
  const other = page.getByRole('dialog', { name: 'Message centre' }).getByRole('region', { name: next.loanCode })
  await other.getByRole('button', { name: 'Approve' }).click()
  await asked.getByRole('button', { name: 'Use a recovery code' }).click()
  expect(await violations(page)).toEqual([])
  await asked.getByLabel('Recovery code').fill(recovery.replace('-', '').toLowerCase())
  await expect.poll(async () => (await at.fixture.call(mfa.mine, {}, { as: person })).data.recoveryLeft).toBe(9)
  await other.waitFor({ state: 'detached' })
})

test('a wrong password and a wrong code say so at their field; a new secret makes the old one void', async () => {
  const page = await at.home(await checker())
  await page.getByRole('button', { name: /^Person/ }).click()
  await page.getByRole('menuitem', { name: 'Authenticator' }).click()
  await dialogOf(page).getByLabel('Password').fill('wrong-boat-1')
  await dialogOf(page).getByRole('button', { name: 'Start setup' }).click()
  await dialogOf(page).getByRole('alert').getByText('The original password is incorrect').waitFor()
  const first = await begin(page)
  await dialogOf(page).getByRole('button', { name: 'New setup key (5 left)' }).click()
  await dialogOf(page).getByRole('button', { name: 'New setup key (4 left)' }).waitFor()
  const second = await secretIn(page)
  expect(second).not.toBe(first)
  await dialogOf(page).getByLabel('Authenticator code').fill(shown(first))
  await dialogOf(page).getByRole('alert').getByText('The code is wrong; 4 tries left').waitFor()
  await dialogOf(page).getByLabel('Authenticator code').fill(shown(second))
  await kept(page)
  await dialogOf(page).getByText('Set up', { exact: false }).first().waitFor()
})

test('a person with the right resets the authenticator of a colleague, who is signed out', async () => {
  const [admin, colleague] = [await withPassword(await at.staff(['Home'])), await checker()]
  await at.authenticator(colleague)
  const code = await at.authenticator(admin)
  await at.fixture.exec(sql`
    insert into role_menu (role_no, menu_no) select ${`R${admin.userNo}`}, menu_no from menu where perms = 'user:resetMfa' on conflict do nothing`)
  const theirs = await at.home(colleague)
  const page = await at.home(admin)
  await page.goto(`${at.url}/AdminContent/Home?dialog=authenticator`)
  await dialogOf(page).getByLabel('Login ID').fill(`login.${colleague.userNo}`)
  await dialogOf(page).getByLabel('Reason').fill('phone lost')
  expect(await violations(page)).toEqual([])
  await dialogOf(page).getByRole('button', { name: 'Reset another person’s authenticator' }).click()
  await page.getByRole('dialog', { name: 'Confirm it is you' }).getByLabel('Authenticator code').fill(code())
  await page
    .getByText(/Sent for approval|sessions were signed out/)
    .first()
    .waitFor()
  await theirs.close()
})
