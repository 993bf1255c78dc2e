import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launch } from '../../build/browser.ts'
import { type Page as Example, openBackEnd } from '../../examples/back-end.ts'
import { refused } from '../../server/systems/after-loan/payout/payout-fixture.ts'
import { openPartnerSite, type PartnerSite } from './partner.ts'

let browser: Browser
let at: PartnerSite
let orderNo: string
let loanCode: string
const pages: Page[] = []

beforeAll(async () => {
  ;[browser, at] = await Promise.all([launch(), openPartnerSite()])
  await at.staff('cs1', ['OrderManagement'])
  await at.staff('finance1', ['RepaymentManagement', 'LoanManagement'])
  const auditor = await at.staff('auditor1', ['MyAudit'])
  await at.fixture.disbursed()
  loanCode = (await at.fixture.sent('M1', refused('payee_invalid'))).loanCode
  orderNo = await at.fixture.allotted('M1', auditor)
})
afterAll(async () => {
  await browser?.close()
  await at?.close()
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})

const open = async (...given: [string, string?]) => {
  const page = await at.open(browser, ...given)
  pages.push(page)
  return page
}

/** The token that a page works with, as it is sent: the element does not say it. */
const tokenOf = async (page: Page): Promise<string> => {
  const asked = page.waitForRequest(request => request.headers().token !== undefined)
  await page.getByRole('button', { name: 'Search', exact: true }).first().click()
  return (await asked).headers().token ?? ''
}

test('a plain page shows an auditor’s queue; its token stands nowhere in the page', async () => {
  const page = await open('/plain/')
  await page.getByRole('cell', { name: orderNo }).waitFor()
  const token = await tokenOf(page)
  expect(token).toMatch(/^mkopo_embed_tok_/)
  const seen = await page.evaluate(() => {
    const all = (root: Document | ShadowRoot): string =>
      [...root.querySelectorAll('*')]
        .map(
          element =>
            [...element.attributes].map(one => one.value).join(' ') +
            (element.shadowRoot ? all(element.shadowRoot) : ''),
        )
        .join(' ')
    return (
      all(document) +
      document.documentElement.outerHTML +
      JSON.stringify({ ...localStorage }) +
      JSON.stringify({ ...sessionStorage }) +
      document.cookie
    )
  })
  expect(seen).not.toContain('mkopo_embed_tok_')
})

test('a link of the plain page opens the order in a drawer of the element, and the page stays where it is', async () => {
  const page = await open('/plain/')
  const address = page.url()
  await page.getByRole('link', { name: orderNo }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.locator('mkopo-order-order-detail').getByText(orderNo).first().waitFor()
  expect(page.url()).toBe(address)
  await drawer.getByRole('button', { name: 'Close' }).first().click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('the filters of the plain page live in its address, under its prefix', async () => {
  const page = await open('/plain/?tab=mine')
  await page.getByRole('cell', { name: orderNo }).waitFor()
  const box = page.getByRole('search').getByRole('textbox').first()
  await box.fill('LO000')
  await box.press('Enter')
  await expect.poll(() => page.url()).toMatch(/tab=mine&.*audits\.orderNo=LO000/)
  await page.reload()
  await expect.poll(() => page.getByRole('search').getByRole('textbox').first().inputValue()).toBe('LO000')
})

test('a React page hands its properties to an element, and changes its language', async () => {
  const page = await open('/react/')
  await page.getByRole('heading', { name: 'Repayments', level: 1 }).waitFor()
  await page.getByRole('row').nth(1).waitFor()
  await page.getByRole('button', { name: 'Search' }).first().waitFor()
  await page.getByRole('button', { name: 'Kiswahili' }).click()
  await page.getByRole('button', { name: 'Tafuta' }).first().waitFor()
})

test('a Vue page hands a function to an element that is not there yet, and hears what was done in it', async () => {
  const page = await open('/vue/')
  await page.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor()
  const row = page.getByRole('row').filter({ hasText: loanCode })
  await row.getByRole('button', { name: 'Verify account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify account' })
  await dialog.getByText('Ask the channel for the holder name of 1 payout account? No money will be sent.').waitFor()
  await dialog.getByRole('button', { name: 'Verify account' }).click()
  await expect
    .poll(() => page.getByRole('list', { name: 'Done' }).getByRole('listitem').allInnerTexts())
    .toEqual([`payout.verifyAccount ${loanCode}: done`])
})

test('a CRM opens rows in a dialog of its own', async () => {
  const page = await open('/crm/')
  const row = page.getByRole('row').filter({ hasText: orderNo }).first()
  await row.waitFor()
  await row.press('Enter')
  await page.getByText(`Order ${orderNo}`).first().waitFor()
  const dialog = page.getByRole('dialog', { name: 'Order' })
  await dialog.getByText(orderNo).first().waitFor()
})

test('an element tells the tracking server of its page when an order is opened and left, and without one nobody', async () => {
  const page = await open('/plain/')
  await page.getByRole('cell', { name: orderNo }).waitFor()
  const tracked: { type: string; eventId: string; orderNo: string }[] = []
  await page.context().route('**/burying-point-platform/report', route => {
    tracked.push(JSON.parse(route.request().postData() ?? '{}'))
    return route.fulfill({ status: 200, body: '' })
  })
  const held = await tokenOf(page)
  const stay = (trackingBase?: string) =>
    page.evaluate(
      ([no, token, base]) => {
        const list = document.querySelector('mkopo-audit-my-audit') as HTMLElement & Record<string, unknown>
        const detail = Object.assign(document.createElement('mkopo-order-order-detail'), {
          token,
          baseUrl: list.baseUrl,
          orderNo: no,
          from: 'MyAudit',
          ...(base ? { config: { trackingBase: base } } : {}),
        })
        document.body.append(detail)
      },
      [orderNo, held, trackingBase] as const,
    )
  const detail = page.locator('body > mkopo-order-order-detail')
  await stay()
  await detail.getByText(orderNo).first().waitFor()
  await detail.evaluate(element => element.remove())
  expect(tracked).toEqual([])

  await stay(`${at.site}/`)
  await expect.poll(() => tracked.map(one => one.type)).toEqual(['enter'])
  await detail.evaluate(element => element.remove())
  await expect.poll(() => tracked.map(one => one.type)).toEqual(['enter', 'exit'])
  for (const one of tracked)
    expect(one).toMatchObject({ eventId: 'my_audit_order_no', orderNo, pageName: 'OrderDetail' })
})

test('a call centre reveals a number on a click, and the console writes down who saw it, and where', async () => {
  const page = await open('/call-centre/')
  const row = page.getByRole('row').filter({ hasText: orderNo })
  await row.waitFor()
  const phone = row.locator('mkopo-phone')
  const { phone: full } = await at.fixture.one(
    sql<{ phone: string }>`select phone from customer join loan_order using (customer_no) where order_no = ${orderNo}`,
  )
  expect(await phone.locator('span').innerText()).toMatch(/^25\*+\d\d$/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: at.site })
  await phone.getByRole('button', { name: /Show and copy/ }).click()
  await expect.poll(() => phone.locator('span').innerText()).toBe(full)
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(full)
  const logged = () =>
    at.fixture.rows(sql<object>`
      select access_kind, field, partner_no, u.login_id from access_log a join app_user u using (user_no) where object_no = ${orderNo} order by access_no`)
  const line = { accessKind: 'reveal', field: 'phone', partnerNo: 'PG1', loginId: 'cs1' }
  expect(await logged()).toEqual([line])

  const copy = row.locator('mkopo-copy').getByRole('button', { name: `Copy ${orderNo}` })
  await copy.click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(orderNo)
})

test('an empty number shows a dash, and is written down too', async () => {
  const page = await open('/call-centre/')
  const row = page.getByRole('row').filter({ hasText: orderNo })
  await row.waitFor()
  const before = await at.fixture.one(sql<{ n: number }>`select count(*)::int as n from access_log`)
  const customer = sql`customer_no = (select customer_no from loan_order where order_no = ${orderNo})`
  const { phone } = await at.fixture.one(sql<{ phone: string }>`select phone from customer where ${customer}`)
  await at.fixture.exec(sql`update merchant_customer set phone = '' where ${customer}`)
  await row.locator('mkopo-phone').getByRole('button').click()
  await expect.poll(() => row.locator('mkopo-phone span').innerText()).toBe('-')
  const after = await at.fixture.one(sql<{ n: number }>`select count(*)::int as n from access_log`)
  expect(after.n).toBe(before.n + 1)
  await at.fixture.exec(sql`update merchant_customer set phone = ${phone} where ${customer}`)
})

test.each(['plain', 'react', 'vue', 'crm', 'call-centre'] as const)(
  'the %s page raises no error while it loads',
  async name => {
    const page = await open('/')
    const heard: string[] = []
    page.on('pageerror', error => heard.push(error.message))
    page.on('console', line => {
      if (line.type() === 'error' || line.type() === 'warning') heard.push(line.text())
    })
    await page.goto(`${at.site}/${name}/`)
    await page.getByRole('row').nth(1).waitFor()
    expect(heard).toEqual([])
  },
)

test('the snippet of the README works as it is written', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const snippet = /```html\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const token = await at.tokenFor('plain')
  const page = await open('/')
  await page.setContent(
    `<!doctype html><html><script>window.fetchTokenFromYourBackend = async () => '${token}'</script>${snippet.replaceAll('https://console.example', at.url)}</html>`,
  )
  await page.getByRole('cell', { name: orderNo }).waitFor()
})

test('a page of an origin that is not granted says so, and names it', async () => {
  const other = await openBackEnd(at.partner, 0)
  try {
    const page = await open('/')
    await page.goto(`${other.url}/plain/`)
    await page.getByText(`gives no token to a page of ${other.url}`).waitFor()
    await page.getByText(`The origin ${other.url} is not in this partner’s grant`).waitFor()
  } finally {
    other.close()
  }
})

test('a console that does not answer is named, and a taken port is an error', async () => {
  const taken = createServer().listen(0, 'localhost')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  await expect(openBackEnd(at.partner, port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  taken.close()
  await once(taken, 'close')
  const alone = await openBackEnd({ ...at.partner, console: `http://localhost:${port}` }, 0)
  const answer = await fetch(`${alone.url}/token/${'plain' satisfies Example}`, { method: 'POST' })
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringContaining(`No console answers at http://localhost:${port}`),
  ])
  alone.close()
})
