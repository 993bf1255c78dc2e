import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const path = '/AdminContent/UserSystem/UserManagement'
let admin: Person
let clerk: Person
beforeAll(async () => {
  ;[admin, clerk] = [await at.staff(['UserManagement']), await at.staff([], { name: 'Akello Grace' })]
  await at.fixture.exec(sql`update app_user set phone = '256772123456' where user_no = ${clerk.userNo}`)
})
const known = () =>
  at.fixture.one(
    sql<{
      realName: string
      userName: string
      phone: string
    }>`select real_name, user_name, phone from app_user where user_no = ${clerk.userNo}`,
  )

test('a person is changed in a form that begins with what is known; a colleague’s change is kept and said', async () => {
  const page = await at.open(admin)
  await page.goto(`${at.url}${path}?search=${clerk.userNo}&open=${clerk.userNo}`)
  const drawer = page.getByRole('dialog', { name: clerk.userNo })
  const form = page.getByRole('dialog', { name: 'Edit', exact: true })
  const box = (name: RegExp) => form.getByRole('textbox', { name })
  const open = () => drawer.getByRole('button', { name: 'Edit', exact: true }).click()
  await open()
  await expect.poll(() => box(/^Name/).inputValue()).toBe('Akello Grace')
  expect(await violations(page)).toEqual([])

  await box(/^Name/).fill('Akello G')
  await box(/^Name/).fill('Akello Grace')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'detached' })

  await open()
  await box(/^Name/).fill('Akello Grace Auma')
  await at.fixture.exec(
    sql`update app_user set user_name = 'grace', version = version + 1 where user_no = ${clerk.userNo}`,
  )
  const save = form.getByRole('button', { name: 'Save' })
  await save.click()
  await form.getByText(/What you entered is still here/).waitFor()
  await expect.poll(() => box(/^User name/).inputValue()).toBe('grace')
  await save.click()
  await form.waitFor({ state: 'detached' })
  expect(await known()).toMatchObject({ realName: 'Akello Grace Auma', userName: 'grace', phone: '256772123456' })
})

test('several people are changed in what is ticked alone', async () => {
  const page = await at.open(admin)
  await page.goto(`${at.url}${path}?search=${clerk.userNo}`)
  await page.getByRole('checkbox', { name: `Choose ${clerk.userNo}` }).check()
  await page.locator('.mk-bar').getByRole('button', { name: 'Batch update' }).click()
  const form = page.getByRole('dialog', { name: 'Batch update' })
  const give = form.locator('.mk-modal-foot').getByRole('button', { name: /^Batch update/ })
  expect(await give.isDisabled()).toBe(true)
  await form.getByRole('checkbox', { name: 'Access until' }).check()
  expect(await violations(page)).toEqual([])
  await give.click()
  await form.getByRole('alert').first().waitFor()
  await form.getByRole('textbox', { name: 'Access until' }).fill('2027-03-31')
  const [sent] = await Promise.all([page.waitForRequest('**/user/batchUpdate'), give.click()])
  expect(sent.postDataJSON()).toEqual({ userNos: [clerk.userNo], validUntil: '2027-03-31' })
  await form.waitFor({ state: 'detached' })
})
