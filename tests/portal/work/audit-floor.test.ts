import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { auditReview } from '../../../core/contract/audit/review.ts'
import { base } from '../../../core/contract/endpoint.ts'
import { orderCollected } from '../../../core/contract/order/collected.ts'
import { hashPassword } from '../../../server/session/password.ts'
import type { Person } from '../../../server/testing/kit.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const pages = ['MyAudit', 'OrderDetail', 'OrderAudit']
const addressOf = (orderNo: string, page: 'OrderAudit' | 'OrderDetail' = 'OrderAudit', more = '') =>
  `${at.url}/AdminContent/OrderDetailAudit/${page}?orderNo=${orderNo}${more}`

const wide = { viewport: { width: 1600, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce' as const }
const panelOf = (page: Page) => page.locator('.mk-work')
const sendBack = (page: Page) =>
  panelOf(page)
    .getByRole('button', { name: /Send back/ })
    .first()
/** Also behind a dialog, which hides it from assistive technology. */
const remarkOf = (page: Page) => panelOf(page).getByRole('textbox', { name: /^Remark/, includeHidden: true })
const records = (orderNo: string) =>
  at.fixture.rows(sql<{ auditResult: string; remark: string | null; auditorNo: string }>`
    select audit_result, remark, auditor_no from audit_record where order_no = ${orderNo}`)
const draftOf = async (orderNo: string) =>
  JSON.stringify(await at.fixture.rows(sql`select draft from audit_task where order_no = ${orderNo}`))

/** The decision that needs least, by keys where a person has keys for it. */
const decides = async (page: Page, remark: string) => {
  await sendBack(page).waitFor()
  await page.locator('body').press('3')
  await panelOf(page).getByRole('combobox').last().press('Enter')
  await page.getByRole('option', { name: 'Materials unclear' }).press('Enter')
  if (remark) await remarkOf(page).fill(remark)
}
const confirm = (page: Page) =>
  page.getByRole('dialog', { name: 'Send back' }).getByRole('button', { name: 'Send back' })
const submits = async (page: Page) => {
  await page.locator('body').press('Control+Enter')
  await confirm(page).press('Enter')
}
const opened = async (person: Person, orderNo: string): Promise<Page> => {
  const page = await at.open(person, wide)
  await page.goto(addressOf(orderNo))
  await sendBack(page).waitFor()
  return page
}

test('order-audit 3: a second tab takes the work with its draft, the first one only shows it, and one submit counts', async () => {
  const auditor = await at.staff(pages)
  const orderNo = await at.fixture.allotted('M1', auditor)
  const first = await opened(auditor, orderNo)
  await decides(first, 'called twice')
  await expect.poll(() => draftOf(orderNo)).toContain('called twice')
  const second = await opened(auditor, orderNo)
  expect(await remarkOf(second).inputValue()).toBe('called twice')
  await remarkOf(first).press('End')
  await remarkOf(first).pressSequentially('!')
  await panelOf(first).getByRole('alert').getByText('Opened in another window').waitFor()
  expect(await remarkOf(first).isDisabled()).toBe(true)
  expect(await remarkOf(first).inputValue()).toBe('called twice!')
  await submits(second)
  await expect
    .poll(() => records(orderNo))
    .toEqual([{ auditResult: 'sent_back', remark: 'called twice', auditorNo: auditor.userNo }])
  await panelOf(first).getByRole('button', { name: 'Take over again' }).click()
  await panelOf(first)
    .getByText(/To be allocated/)
    .first()
    .waitFor()
  expect(await records(orderNo)).toHaveLength(1)
})

test('a colleague who may handle any order takes it over; the first auditor reads who, keeps what was typed, and one result stands', async () => {
  const [auditor, chief] = [await at.staff(pages), await at.staff(pages, { name: 'Chief Okello' })]
  await at.fixture.exec(
    sql`delete from role_menu where role_no = ${`R${auditor.userNo}`} and menu_no in (select menu_no from menu where perms = 'audit:order:handleAny')`,
  )
  const orderNo = await at.fixture.allotted('M1', auditor)
  const first = await opened(auditor, orderNo)
  await decides(first, 'asked the employer')
  const second = await at.open(chief, wide)
  await second.goto(addressOf(orderNo))
  await panelOf(second).getByRole('button', { name: 'Take over', exact: true }).click()
  await decides(second, 'seen by the chief')
  await submits(second)
  await expect.poll(() => records(orderNo)).toHaveLength(1)
  // The first window may have heard of it by now, or hears of it by being refused.
  const heard = panelOf(first).getByRole('alert')
  await first.locator('body').press('Control+Enter')
  await confirm(first).or(heard).first().waitFor()
  if (await confirm(first).count())
    await confirm(first)
      .press('Enter', { timeout: 5_000 })
      .catch(() => undefined)
  await heard.waitFor()
  expect(await remarkOf(first).inputValue()).toBe('asked the employer')
  await panelOf(first).getByRole('button', { name: 'Copy' }).first().waitFor()
  expect(await records(orderNo)).toEqual([
    { auditResult: 'sent_back', remark: 'seen by the chief', auditorNo: chief.userNo },
  ])
})

test('an answer that was lost is asked for again under its key: one result, and what was typed is still there', async () => {
  const auditor = await at.staff(pages)
  const orderNo = await at.fixture.allotted('M1', auditor)
  const page = await opened(auditor, orderNo)
  await decides(page, 'no answer came')
  const keys: (string | undefined)[] = []
  let isCut = true
  await page.route(`**${base}${auditReview.submit.path}`, async route => {
    keys.push(route.request().headers()['idempotency-key'])
    if (!isCut) return route.continue()
    isCut = false
    // The server does it and dies before it answers.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await submits(page)
  await page.getByRole('dialog').getByRole('alert').waitFor()
  expect(await remarkOf(page).inputValue()).toBe('no answer came')
  await confirm(page).press('Enter')
  await panelOf(page).getByText('Sent back to the queue').waitFor()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  expect(await records(orderNo)).toHaveLength(1)
})

test('order-audit 9: an order of another merchant is not found, like a number that nobody has', async () => {
  const auditor = await at.staff(pages, { limit: 'own_merchants', merchants: ['M1'] })
  await at.fixture.exec(sql`update role_menu set limit_type = 'own_merchants' where role_no = ${`R${auditor.userNo}`}`)
  const foreign = await at.fixture.queueUp('M2')
  const page = await at.open(auditor, wide)
  for (const orderNo of [foreign, 'LO-nobody'])
    for (const kind of ['OrderDetail', 'OrderAudit'] as const) {
      await page.goto(addressOf(orderNo, kind))
      await page.getByText('Order not found').first().waitFor()
      expect(await page.getByText('Market Loan').count()).toBe(0)
    }
})

test('order-audit 10: who may not see contacts has neither of their tabs, and to open one is noted with its order', async () => {
  const orderNo = await at.fixture.allotted()
  const tabs = async (sensitive: readonly string[]) => {
    const person = await at.staff(pages, { sensitive })
    const page = await at.open(person, wide)
    await page.goto(addressOf(orderNo, 'OrderDetail'))
    await page.getByRole('tab', { name: 'Basic info' }).waitFor()
    return { person, page, names: await page.getByRole('tab').allInnerTexts() }
  }
  const blind = await tabs([])
  for (const name of ['Social relations', 'Close contacts']) expect(blind.names).not.toContain(name)
  const sees = await tabs(['pii:reveal:contacts'])
  for (const name of ['Social relations', 'Close contacts']) expect(sees.names).toContain(name)
  await sees.page.getByRole('tab', { name: 'Social relations' }).click()
  await expect
    .poll(() =>
      at.fixture.rows(sql`
        select object_no, access_kind, field from access_log where user_no = ${sees.person.userNo}`),
    )
    .toEqual([{ objectNo: orderNo, accessKind: 'view', field: 'contacts' }])
  const refused = await at.fixture.call(orderCollected.relations, { orderNo }, { as: blind.person })
  expect(refused.code).toBe(40301)
})

test('order-audit 11: a session that ends in the middle of a review leads back to the same order, with all that was typed', async () => {
  const auditor = await at.staff(pages)
  const orderNo = await at.fixture.allotted('M1', auditor)
  const hash = await hashPassword('Nile-Boat-47')
  await at.fixture.exec(sql`update app_user set password_hash = ${hash} where user_no = ${auditor.userNo}`)
  const code = await at.authenticator(auditor)
  const page = await opened(auditor, orderNo)
  await panelOf(page).getByRole('radio', { name: 'Consistent', exact: true }).click()
  await panelOf(page).locator('[data-decision]').getByRole('button', { name: /Pass/ }).click()
  await panelOf(page)
    .getByRole('textbox', { name: /^Approved amount/ })
    .fill('120,000')
  await remarkOf(page).fill('in the middle')
  await expect.poll(() => draftOf(orderNo)).toContain('in the middle')
  // Typed in the moment before the end, and not saved yet.
  await remarkOf(page).press('End')
  await remarkOf(page).pressSequentially('!')
  await at.fixture.exec(
    sql`update session set ended_time = ${at.fixture.clock.now()} where user_no = ${auditor.userNo}`,
  )
  await page.getByLabel('User name').fill(`login.${auditor.userNo}`)
  await page.locator('input#password').fill('Nile-Boat-47')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Authenticator code').fill(code())
  await sendBack(page).waitFor()
  expect(new URL(page.url()).searchParams.get('orderNo')).toBe(orderNo)
  expect(await panelOf(page).getByRole('radio', { name: 'Consistent', exact: true }).isChecked()).toBe(true)
  expect(
    await panelOf(page)
      .getByRole('textbox', { name: /^Approved amount/ })
      .inputValue(),
  ).toBe('120,000')
  expect(await remarkOf(page).inputValue()).toBe('in the middle!')
})

test('order-audit 12: five orders follow one another, oldest first, and each is entered and left once', async () => {
  const auditor = await at.staff(pages)
  const orders: string[] = []
  for (let n = 0; n < 5; n++) {
    orders.push(await at.fixture.allotted('M1', auditor))
    await at.fixture.pass(1)
  }
  const page = await at.open(auditor, wide)
  await page.goto(`${at.url}/AdminContent/AuditSystem/MyAudit`)
  await page.locator(`tr[data-row="${orders[0]}"]`).getByRole('button', { name: 'Review' }).click()
  const seen: (string | null)[] = []
  for (const [n, orderNo] of orders.entries()) {
    await expect.poll(() => new URL(page.url()).searchParams.get('orderNo')).toBe(orderNo)
    await page.getByRole('main').getByText(orderNo).first().waitFor()
    seen.push(new URL(page.url()).searchParams.get('from'))
    await decides(page, '')
    await submits(page)
    if (n > 0) continue
    await panelOf(page).getByRole('checkbox', { name: 'Open next automatically' }).press('Space')
    await panelOf(page).getByRole('button', { name: 'Next order' }).press('Enter')
  }
  await page.getByText('No orders are waiting for you').first().waitFor()
  expect(seen).toEqual(Array(5).fill('MyAudit'))
  await page.goto(`${at.url}/AdminContent/Home`)
  const tracked = () =>
    at.fixture.rows(sql`
      select payload ->> 'type' as type, count(*)::int as n, count(distinct payload ->> 'orderNo')::int as orders from tracking_event
      where payload ->> 'eventId' = 'my_audit_handle' and payload ->> 'orderNo' = any(${orders}) group by 1 order by 1`)
  await expect.poll(tracked).toEqual([
    { type: 'enter', n: 5, orders: 5 },
    { type: 'exit', n: 5, orders: 5 },
  ])
})

test('order-audit 13: each answer to a verification number has its words, and the button counts a minute down', async () => {
  const reader = await at.staff(pages, { sensitive: ['pii:reveal:bvn', 'pii:unmask'] })
  const page = await at.open(reader, wide)
  const show = async (orderNo: string) => {
    await page.goto(addressOf(orderNo, 'OrderDetail', '&tab=bvn'))
    await page.getByRole('tab', { name: 'BVN info', selected: true }).waitFor()
  }
  const orderNo = await at.fixture.queueUp()
  await show(orderNo)
  await page.getByText('There is no BVN information', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Query BVN' }).count()).toBe(0)

  const { customerName: name, birthDate } = await at.fixture.one(sql<{ customerName: string; birthDate: string }>`
    select c.customer_name, c.birth_date::text as birth_date from order_customer c join loan_order o using (customer_no, merchant_no) where o.order_no = ${orderNo}`)
  await at.fixture.exec(sql`insert into order_bvn (order_no, bvn) values (${orderNo}, '22123456789')`)
  const found = { is: 'found' as const, name, birthDate, phone: '256700000000' }
  for (const [answer, words] of [
    [{ is: 'none' as const }, 'BVN not found, try again later'],
    [{ is: 'unknown' as const, reason: 'timeout' }, 'BVN not found, try again later'],
    [{ ...found, birthDate: '1970-01-01' }, 'BVN verification failed'],
    [found, 'BVN verification passed'],
  ] as const) {
    at.fixture.bvnAnswers.push(answer)
    await show(orderNo)
    await page.getByRole('button', { name: 'Query BVN' }).click()
    await page.locator('mkopo-toast').getByText(words, { exact: true }).waitFor()
    const waits = page.getByRole('button', { name: /^Ask again in (60|59|58) s$/ })
    await waits.waitFor()
    expect(await waits.isDisabled()).toBe(true)
    await page.getByRole('button', { name: /^Ask again in 5[0-7] s$/ }).waitFor()
    await at.fixture.pass(1)
  }
})
