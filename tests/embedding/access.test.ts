import { sql } from 'kysely'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launch } from '../../build/browser.ts'
import { contract } from '../../core/contract/contract.ts'
import { base } from '../../core/contract/endpoint.ts'
import { system } from '../../server/rights/actor.ts'
import { freezePerson, lockState } from '../../server/session/person.ts'
import type { Person } from '../../server/testing/kit.ts'
import { pressInMenu } from '../browser.ts'
import { openPartnerSite, type PartnerSite } from './partner.ts'

const { audit } = contract

let browser: Browser
let at: PartnerSite
let person: Person
let orderNo: string
const pages: Page[] = []

beforeAll(async () => {
  ;[browser, at] = await Promise.all([launch(), openPartnerSite()])
})
beforeEach(async () => {
  person = await at.staff('cs1', ['OrderManagement', 'OrderAllocation'])
  orderNo = await at.fixture.queueUp()
})
afterAll(async () => {
  await browser?.close()
  await at?.close()
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})

const two = `
  <mkopo-audit-order-management language="en"></mkopo-audit-order-management>
  <mkopo-audit-order-management language="en"></mkopo-audit-order-management>
  <script>
    window.asked = 0
    window.reasons = []
    const fetchToken = async () => {
      window.asked++
      return (await fetch('/token/crm', { method: 'POST' })).text()
    }
    document.addEventListener('mkopo-token-expired', event => void window.reasons.push(event.detail.reason))
    const give = async () => {
      const widgets = document.querySelectorAll('mkopo-audit-order-management')
      if (location.search === '?once') {
        const token = await fetchToken()
        for (const widget of widgets) widget.token = token
      } else for (const widget of widgets) widget.fetchToken = fetchToken
    }
    void give()
  </script>`

const open = async (address: string, html = two) => {
  const page = await at.open(browser, address, html)
  pages.push(page)
  return page
}
const widgets = (page: Page) => [0, 1].map(n => page.locator('mkopo-audit-order-management').nth(n))
const shown = async (page: Page) => {
  for (const widget of widgets(page)) await widget.getByRole('row').filter({ hasText: orderNo }).first().waitFor()
}
const asked = (page: Page) => page.evaluate(() => (window as unknown as { asked: number }).asked)
const reasons = (page: Page) => page.evaluate(() => (window as unknown as { reasons: string[] }).reasons)
const reload = async (page: Page) => {
  const [widget] = widgets(page) as [Locator]
  const box = widget.getByRole('search').getByRole('textbox').first()
  const typed = box.fill(orderNo).then(() => box.press('Enter'))
  // A call of its own may tell the widget first that its access has ended, and then there is nothing left to ask in.
  await Promise.any([typed, widget.getByRole('alert').getByText('Your session has ended').waitFor()])
}

test('portal 11: two widgets whose token dies ask for one new token; both lists stay and the interrupted command is booked once', async () => {
  const page = await open('/two')
  await shown(page)
  expect(await asked(page)).toBe(1)
  const [first] = widgets(page)
  const row = first!.getByRole('row').filter({ hasText: orderNo }).first()
  await pressInMenu(row, 'Cancel order')
  const dialog = page.getByRole('dialog', { name: 'Cancel order' })
  await dialog.getByRole('combobox', { name: 'Reason' }).click()
  const duplicate = page.getByRole('checkbox', { name: 'Duplicate' })
  await duplicate.click()
  await duplicate.waitFor({ state: 'hidden' })
  await at.fixture.pass(16)
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect.poll(() => at.fixture.statusOf('order', orderNo)).toBe('cancelled')
  await shown(page)
  expect(await asked(page)).toBe(2)
  expect(await reasons(page)).toEqual([])
  const lines = await at.fixture.rows(
    sql<object>`select partner_no from audit_log where action = 'order.cancel' and object_no = ${orderNo}`,
  )
  expect(lines).toEqual([{ partnerNo: 'PG1' }])
})

test('portal 11: without a way to ask both show that the access has ended, and the page keeps its address', async () => {
  const page = await open('/two?once')
  await shown(page)
  const address = page.url()
  await at.fixture.pass(16)
  await reload(page)
  for (const widget of widgets(page)) await widget.getByRole('alert').getByText('Your session has ended').waitFor()
  expect(await reasons(page)).toEqual(['expired', 'expired'])
  expect(page.url()).toBe(address)
  expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0)
})

test('portal 12: a frozen person is out with the next call, and the page gets an event', async () => {
  const page = await open('/two?once')
  await shown(page)
  await at.fixture.db.withTx(async tx => {
    await freezePerson(tx, await lockState(tx, person.userNo), { reason: 'security' }, system('test'))
  })
  await reload(page)
  await widgets(page)[0]!.getByRole('alert').getByText('Your session has ended').waitFor()
  expect((await reasons(page))[0]).toBe('expired')
})

test('a renewal two minutes before the end keeps both widgets going without asking the page', async () => {
  const page = await open('/two', '')
  await page.clock.install()
  await page.setContent(`<html lang="en"><script type="module" src="${at.url}/lib/mkopo.js"></script>${two}</html>`)
  await shown(page)
  const renewed = page.waitForResponse(answer => answer.url().endsWith('/embed/refresh'))
  at.fixture.clock.advance(13.5 * 60_000)
  await page.clock.fastForward(13.5 * 60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  expect((await (await renewed).json()).code).toBe(0)
  at.fixture.clock.advance(5 * 60_000)
  await reload(page)
  await shown(page)
  expect(await asked(page)).toBe(1)
  expect(await reasons(page)).toEqual([])
})

test('portal 12: a token is good at its own origin and for its own elements only', async () => {
  const token = await at.tokenFor('crm')
  const ask = async (origin: string | undefined, path: string) => {
    const answer = await fetch(`${at.url}${base}${path}`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json', ...(origin ? { origin } : {}) },
      body: '{}',
    })
    const { code } = (await answer.json()) as { code: number }
    return { code, allowed: answer.headers.get('access-control-allow-origin') }
  }
  expect(await ask(at.site, audit.manageList.path)).toEqual({ code: 0, allowed: at.site })
  expect(await ask('https://elsewhere.example', audit.manageList.path)).toEqual({ code: 40301, allowed: null })
  expect(await ask(undefined, audit.manageList.path)).toEqual({ code: 40301, allowed: null })
  expect(await ask(at.site, audit.allotList.path)).toEqual({ code: 40301, allowed: at.site })
  const kinds = await at.fixture.rows(sql<{ kind: string }>`
    select security_kind as kind from security_log where partner_no = 'PG1' order by security_no`)
  expect(kinds.map(one => one.kind)).toEqual(['embed.origin', 'embed.origin', 'embed.endpoint'])
})

test('a page of another origin is not even answered by the browser', async () => {
  const token = await at.tokenFor('crm')
  const page = await open('/two', '')
  await page.goto(at.site.replace('localhost', '127.0.0.1'))
  const heard = await page.evaluate(
    async ([url, held]) =>
      fetch(url, { method: 'POST', headers: { token: held, 'content-type': 'application/json' }, body: '{}' }).then(
        () => 'answered',
        () => 'blocked',
      ),
    [`${at.url}${base}${audit.manageList.path}`, token] as const,
  )
  expect(heard).toBe('blocked')
})
