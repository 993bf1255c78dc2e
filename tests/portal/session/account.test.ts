import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hashPassword } from '../../../server/session/password.ts'
import { openSession } from '../../../server/session/session.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', { name: /^Person/ }).click()
  await page.getByRole('menuitem', { name }).click()
  return page.getByRole('dialog', { name })
}

/** The server has a clock of its own; what is asked for lies ahead of both. */
const pickDay = async (page: Page, dialog: ReturnType<Page['getByRole']>, group: string) => {
  await dialog.getByRole('group', { name: group }).getByRole('button').click()
  const days = page.getByRole('gridcell').getByRole('button', { disabled: false })
  await days.last().click()
}

test('leave is asked for, decided by somebody in line, and taken back', async () => {
  const [asks, decides] = [await at.staff(['MyAudit']), await at.staff(['MyAudit'])]
  const page = await at.home(asks)
  const dialog = await choose(page, 'Leave application')
  await dialog.getByText('No leave yet').waitFor()
  await dialog.getByRole('button', { name: 'Apply for leave' }).click()
  await dialog.getByRole('alert').getByText('Please provide complete information').waitFor()
  await pickDay(page, dialog, 'Start')
  await dialog.getByText('9 hours').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('Remark').fill('wedding')
  await dialog.getByRole('button', { name: 'Apply for leave' }).click()
  await page.getByText('Leave sent for approval').waitFor()
  const mine = dialog.getByRole('list', { name: 'My applications' }).getByRole('listitem')
  await mine.getByText('Pending').waitFor()

  const other = await at.home(decides)
  await other.getByRole('link', { name: /^Leave to approve/ }).click()
  const center = other.getByRole('dialog', { name: 'Message centre' })
  const request = center.getByRole('region', { name: /^Leave application: Person/ }).filter({ hasText: 'wedding' })
  expect(await request.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true)
  expect(await violations(other)).toEqual([])
  await request.getByRole('button', { name: 'Approve' }).click()
  await expect.poll(() => request.count()).toBe(0)

  await mine.getByText('Approved').waitFor({ timeout: 60_000 })
  await mine.getByRole('button', { name: 'Cancel leave' }).click()
  await mine.getByRole('button', { name: 'Yes, cancel it' }).click()
  await mine.getByText('Cancelled').waitFor()
})

test('what the server refuses of a leave stands at its field, and what was typed stays', async () => {
  const page = await at.home(await at.staff(['MyAudit']))
  const dialog = await choose(page, 'Leave application')
  for (let n = 0; n < 2; n++) {
    await pickDay(page, dialog, 'Start')
    await dialog.getByLabel('Remark').fill(`try ${n}`)
    await dialog.getByRole('button', { name: 'Apply for leave' }).click()
    if (n === 0) await page.getByText('Leave sent for approval').waitFor()
  }
  await dialog
    .getByRole('alert')
    .getByText(/^Overlaps your leave of/)
    .waitFor()
  expect(await dialog.getByLabel('Remark').inputValue()).toBe('try 1')
})

const secret = 'Nile-Boat-47'
const withPassword = async (): Promise<Person> => {
  const person = await at.staff(['MyAudit'])
  const hash = await hashPassword(secret)
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${person.userNo}`)
  return person
}

test('a new password is checked while it is typed; the other sessions are signed out, this one stays', async () => {
  const person = await withPassword()
  await at.fixture.db.withTx(tx => openSession(tx, person.userNo, { ip: null, browser: null }))
  const page = await at.home(person)
  const dialog = await choose(page, 'Change password')
  const rules = dialog.getByRole('list', { name: 'Password requirements' }).getByRole('listitem')
  const kept = () => rules.getByRole('img', { name: 'Met', exact: true }).count()
  expect(await kept()).toBe(0)
  await dialog.getByLabel('Old password').fill(secret)
  await dialog.getByLabel('New password', { exact: true }).fill('short')
  await expect.poll(kept).toBe(3)
  await dialog.getByLabel('New password', { exact: true }).fill(secret)
  await expect.poll(kept).toBe(3)
  await dialog.getByLabel('New password', { exact: true }).fill('Papyrus-Reed-9')
  await expect.poll(kept).toBe(4)
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('Confirm password').fill('Papyrus-Reed-8')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('The passwords are inconsistent').waitFor()
  await dialog.getByLabel('Confirm password').fill('Papyrus-Reed-9')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed; 1 other session was signed out').waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
  await choose(page, 'My sessions')
  await expect.poll(() => page.getByRole('row', { name: /This session/ }).count()).toBe(1)
})

test('the fifth wrong original password ends the session', async () => {
  const page = await at.home(await withPassword())
  const dialog = await choose(page, 'Change password')
  await dialog.getByLabel('New password', { exact: true }).fill('Papyrus-Reed-9')
  await dialog.getByLabel('Confirm password').fill('Papyrus-Reed-9')
  for (let n = 1; n <= 5; n++) {
    await dialog.getByLabel('Old password').fill(`wrong-${n}`)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    if (n < 5) await dialog.getByText('The original password is incorrect').waitFor()
  }
  await page.getByLabel('User name').waitFor()
  await page.getByText('Your session has ended').waitFor()
})

test('settings take effect when they are saved; defaults come back, and a narrow window says why its menu lies across', async () => {
  const page = await at.home(await at.staff(['MyAudit']))
  const stored = () => page.evaluate(() => JSON.parse(localStorage.getItem('userSettingInfo') ?? '{}'))
  let dialog = await choose(page, 'Settings')
  await dialog.getByRole('radio', { name: 'Horizontal' }).click()
  await dialog.getByRole('radio', { name: 'Compact' }).click()
  await dialog.getByRole('switch', { name: 'Graphic verification' }).click()
  await dialog.getByRole('switch', { name: 'Auxiliary functions' }).click()
  expect(await stored()).toEqual({})
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(await stored()).toMatchObject({
    menuStyle: 'crosswise',
    density: 'compact',
    graphicVerificationIsOpenStatus: true,
    miscellaneousFunctionIsOpenStatus: false,
  })
  await page.getByRole('button', { name: /^Credit review/ }).waitFor()
  dialog = await choose(page, 'Settings')
  await dialog.getByRole('button', { name: 'Restore defaults' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect(await stored()).toEqual({
    menuStyle: 'vertical',
    graphicVerificationIsOpenStatus: false,
    miscellaneousFunctionIsOpenStatus: true,
  })
  await page.getByRole('link', { name: 'My audit', exact: true }).waitFor()
  await page.setViewportSize({ width: 1200, height: 800 })
  dialog = await choose(page, 'Settings')
  expect(await dialog.getByRole('radio', { name: 'Horizontal' }).isDisabled()).toBe(true)
  await dialog.getByText('Always horizontal in windows of 1260 px or less').waitFor()
})
