import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../../build/browser.ts'
import { contract, endpoints } from '../../core/contract/contract.ts'
import { base, type Endpoint } from '../../core/contract/endpoint.ts'
import { routeOf } from '../../core/contract/routes.ts'
import { widgetCalls } from '../../core/contract/widget-calls.gen.ts'
import { openPartnerSite, type PartnerSite } from './partner.ts'

const tags = ['mkopo-audit-my-audit', 'mkopo-order-order-detail']
const html = `
  <mkopo-audit-my-audit language="en"></mkopo-audit-my-audit>
  <mkopo-order-order-detail language="en" order-no="ORDER"></mkopo-order-order-detail>
  <script>
    const fetchToken = async () => (await fetch('/token/plain', { method: 'POST' })).text()
    for (const element of document.querySelectorAll('mkopo-audit-my-audit, mkopo-order-order-detail')) element.fetchToken = fetchToken
  </script>`

let browser: Browser
let at: PartnerSite
let page: Page
let orderNo: string
beforeAll(async () => {
  ;[browser, at] = await Promise.all([launch(), openPartnerSite()])
  const auditor = await at.staff('auditor1', ['MyAudit', 'OrderDetail', 'OrderManagement', 'LoanManagement', 'RuleSet'])
  orderNo = await at.fixture.allotted('M1', auditor)
})
afterAll(async () => {
  await page?.context().close()
  await browser?.close()
  await at?.close()
})

test('a page of a partner shows the queue and an order side by side', async () => {
  page = await at.open(browser, '/reach', html.replace('ORDER', orderNo))
  await page
    .locator(tags[0] as string)
    .getByRole('cell', { name: orderNo })
    .waitFor()
  await page
    .locator(tags[1] as string)
    .getByRole('tab', { name: 'Basic info' })
    .waitFor()
})

/** Whether one of the two elements makes a call: its screen says so, or it stands under a code of its page. */
const isTheirs = ({ name, endpoint }: { name: string; endpoint: Endpoint }) =>
  tags.some(tag => {
    const { perm, actions = [] } = routeOf(tag) ?? {}
    const codes = [endpoint.perm, ...(endpoint.anyPerm ?? [])]
    return widgetCalls[tag]?.includes(name) || codes.some(code => code && (code === perm || actions.includes(code)))
  })
const { audit, common, embed, loan, repay, ruleSet, user } = contract
/** What every element may ask, whichever it is. */
const always: readonly Endpoint[] = [
  ...[user.self, user.stepUp, embed.refresh, common.reveal],
  ...[common.merchants, common.products, common.people, common.fundAccounts, common.refuseReasons],
]

test('with the token of that page nothing else is reached, though the person may do it all in the console', async () => {
  const token = await at.tokenFor('plain')
  const codeOf = async ({ method, path }: Endpoint): Promise<number> => {
    const address = `${at.url}${base}${path.replace(/\{\w+\}/g, 'x')}`
    const headers = { token, origin: at.site, language: 'en', 'content-type': 'application/json' }
    const body = method === 'GET' ? {} : { body: '{}' }
    const answer = await fetch(address, { method, headers, ...body })
    return answer.headers.get('content-type')?.includes('json') ? ((await answer.json()) as { code: number }).code : 0
  }
  const reached: string[] = []
  const signedIn = endpoints.filter(({ endpoint }) => endpoint.auth === 'staff')
  expect(signedIn.length).toBeGreaterThan(500)
  for (const one of signedIn)
    if ((await codeOf(one.endpoint)) !== 40301 && !isTheirs(one) && !always.includes(one.endpoint))
      reached.push(`${one.name} ${one.endpoint.path}`)
  expect(reached).toEqual([])
  for (const call of [audit.allotList, audit.manageList, loan.page, repay.page, ruleSet.page])
    expect(await codeOf(call)).toBe(40301)
  for (const { endpoint } of signedIn.filter(({ endpoint }) => endpoint.money))
    expect(await codeOf(endpoint)).toBe(40301)
})
