import type { Page, Request } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { Person } from '../../../server/testing/kit.ts'
import { violations } from '../axe.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
let page: Page
let checker: Person
let code: (later?: number) => string
let approvals: Request[]

beforeEach(async () => {
  await at.fixture.pass(20)
  checker = await at.staff(['LoanManagement', 'OrderDetail'])
})

const open = async () => {
  page = await at.open(checker)
  approvals = []
  page.on('request', request => void (request.url().includes('/approval/approve') && approvals.push(request)))
  await page.goto(`${at.url}/AdminContent/Home?messages=approvals`)
}
const requests = (loanCode: string) =>
  page.getByRole('dialog', { name: 'Message centre' }).getByRole('region', { name: loanCode })
const approve = (loanCode: string) => requests(loanCode).getByRole('button', { name: 'Approve' }).click()
const asked = () => page.getByRole('dialog', { name: 'Confirm it is you' })
const field = () => asked().getByRole('textbox', { name: 'Authenticator code' })
const keys = () => approvals.map(request => request.headers()['idempotency-key'])

test('money waits for the code of the authenticator; the sixth digit sends it and the call goes again under its key', async () => {
  code = await at.authenticator(checker)
  const { loanCode } = await at.fixture.requested()
  await open()
  await approve(loanCode)
  await asked().waitFor()
  expect(await violations(page)).toEqual([])
  expect(await field().getAttribute('autocomplete')).toBe('one-time-code')
  expect(await field().getAttribute('inputmode')).toBe('numeric')
  await expect
    .poll(() => field().evaluate(input => (input.getRootNode() as ShadowRoot).activeElement === input))
    .toBe(true)
  await page.keyboard.type(code())
  await requests(loanCode).waitFor({ state: 'detached' })
  await asked().waitFor({ state: 'detached' })
  expect(approvals).toHaveLength(2)
  expect(new Set(keys()).size).toBe(1)
  expect(approvals[0]?.headers()['x-step-up']).toBeUndefined()
  expect(approvals[1]?.headers()['x-step-up']).toMatch(/^[\w-]{43}$/)
})

test('the proof serves for the next ten minutes of the same kind, and is asked for again afterwards', async () => {
  code = await at.authenticator(checker)
  const first = await at.fixture.requested()
  const [second, third] = [await at.fixture.requested(), await at.fixture.requested()]
  await open()
  await approve(first.loanCode)
  await field().fill(code())
  await requests(first.loanCode).waitFor({ state: 'detached' })
  await approve(second.loanCode)
  await requests(second.loanCode).waitFor({ state: 'detached' })
  expect(await asked().count()).toBe(0)
  await at.fixture.pass(11)
  await approve(third.loanCode)
  await field().fill(code())
  await requests(third.loanCode).waitFor({ state: 'detached' })
})

test('a wrong code says how many tries are left; a pasted one may have a space; one code is good once', async () => {
  code = await at.authenticator(checker)
  const { loanCode } = await at.fixture.requested()
  await open()
  await approve(loanCode)
  await field().fill(code(7))
  await asked().getByRole('alert').getByText('The code is wrong; 4 tries left').waitFor()
  expect(await field().inputValue()).toBe('')
  expect(await field().getAttribute('aria-invalid')).toBe('true')
  await field().fill('12345')
  await asked().getByRole('button', { name: 'Confirm and continue' }).click()
  await asked().getByRole('alert').getByText('Enter the 6 digits').waitFor()
  await field().fill(`${code().slice(0, 3)} ${code().slice(3)}`)
  await requests(loanCode).waitFor({ state: 'detached' })
})

test('cancelling leaves everything as it was, without a toast', async () => {
  code = await at.authenticator(checker)
  const { loanCode } = await at.fixture.requested()
  await open()
  await approve(loanCode)
  await asked().getByRole('button', { name: 'Cancel' }).click()
  await asked().waitFor({ state: 'detached' })
  expect(approvals).toHaveLength(1)
  expect(await page.locator('mkopo-toast').getByRole('alert').count()).toBe(0)
  await approve(loanCode)
  await field().fill(code())
  await requests(loanCode).waitFor({ state: 'detached' })
})

test('five wrong codes end the session', async () => {
  code = await at.authenticator(checker)
  const { loanCode } = await at.fixture.requested()
  await open()
  await approve(loanCode)
  for (const left of [4, 3, 2, 1]) {
    await field().fill(code(7))
    await asked()
      .getByText(left === 1 ? '1 try left' : `${left} tries left`)
      .waitFor()
  }
  await field().fill(code(7))
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

test('a person without an authenticator learns where to bind one', async () => {
  const { loanCode } = await at.fixture.requested()
  await open()
  await approve(loanCode)
  await asked()
    .getByRole('alert')
    .getByRole('link', { name: /^Set one up/ })
    .waitFor()
  expect(await violations(page)).toEqual([])
  expect(await field().count()).toBe(0)
  await asked().getByRole('button', { name: 'Cancel' }).click()
  await requests(loanCode).getByRole('button', { name: 'Approve' }).waitFor()
})

test('a demo shows the code of the moment where it is asked for, and where people sign in', async () => {
  code = await at.authenticator(checker)
  const { loanCode } = await at.fixture.requested()
  await open()
  await approve(loanCode)
  await asked().getByText(`Demo: the code is now ${code()}`).waitFor()
  await asked().getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`${at.url}/Index/Login`)
  const card = page.getByRole('complementary', { name: /Demo/ })
  await card.getByText(code(), { exact: true }).waitFor()
})
