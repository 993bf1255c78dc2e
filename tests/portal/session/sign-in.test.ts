import { expect, test } from 'vitest'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()

test.each([
  ['English', 'Username or password is incorrect', 'Sign in'],
  ['中文', '用户名或密码错误', '登录'],
  ['Kiswahili', 'Jina la mtumiaji au nenosiri si sahihi', 'Ingia'],
])('a failed sign-in is said in %s, by a toast', async (language, words, signIn) => {
  const page = await at.stranger()
  await page.goto(`${at.url}/Index/Login`)
  await page.getByRole('button', { name: language, exact: true }).click()
  await page.locator('input#username').fill(`nobody.${signIn.toLowerCase()}`)
  await page.locator('input#password').fill('not-this-one')
  await page.getByRole('button', { name: signIn, exact: true }).click()
  const toast = page.locator('mkopo-toast').getByRole('alert')
  await toast.getByText(words, { exact: true }).waitFor()
  expect(await page.locator('input#password').inputValue()).toBe('')
  await expect.poll(() => page.getByText(words).count(), { timeout: 60_000 }).toBe(0)
})
