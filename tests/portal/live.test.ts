import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { livePath } from '../../core/contract/common/live.ts'
import { consoleForTests, welcomed } from './console.ts'

const at = consoleForTests()

const opened = async (...given: Parameters<(typeof at)['staff']>) => {
  const person = await at.staff(...given)
  const page = await at.open(person)
  const listening = page.waitForResponse(answer => answer.url().endsWith(livePath))
  await page.goto(`${at.url}/AdminContent/Home`)
  await listening
  await welcomed(page)
  return { person, page }
}

test('the figures of Home move when an order comes in, long before the page looks by itself', async () => {
  const { page } = await opened(['OrderAllocation'])
  const tile = page.getByRole('link', { name: /^Orders to allocate/ })
  const count = async () => Number(/\d+/.exec(await tile.innerText())?.[0])
  const before = await count()
  await at.fixture.queueUp()
  await expect.poll(count, { timeout: 60_000 }).toBe(before + 1)
})

test('user 10: a right that is taken away takes its page away, without signing out', async () => {
  const { person, page } = await opened(['OrderAllocation', 'MyAudit'])
  await page.getByRole('link', { name: 'Order allocation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order allocation' }).waitFor()
  await at.fixture.exec(
    sql`delete from role_menu where role_no = ${`R${person.userNo}`} and menu_no = 'mkopo-audit-order-allocation'`,
  )
  await welcomed(page)
  await page.getByText('You have no access to this page').waitFor()
  expect(await page.getByRole('link', { name: 'Order allocation' }).count()).toBe(0)
  await page.getByRole('link', { name: 'My audit', exact: true }).waitFor()
})

test('a session that is ended elsewhere ends here, and its stream with it', async () => {
  const { person, page } = await opened(['MyAudit'])
  await at.fixture.exec(
    sql`update session set ended_time = created_time, ended_reason = 'revoked' where user_no = ${person.userNo}`,
  )
  await page.getByLabel('User name').waitFor()
  await page.getByText('Your session has ended').waitFor()
  expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull()
})
