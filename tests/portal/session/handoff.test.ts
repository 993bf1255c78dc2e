import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base } from '../../../core/contract/endpoint.ts'
import { addPartner } from '../../../server/embed/grant.ts'
import { consoleForTests } from '../console.ts'

const at = consoleForTests()
const secret = 'a-key-of-the-test-that-is-long-enough'
const partner = createServer((_request, response) => void response.end('<!doctype html><title>CRM</title>'))
let crm: string

beforeAll(async () => {
  await new Promise<void>(resolve => partner.listen(0, '127.0.0.1', resolve))
  crm = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`
  await at.fixture.exec(sql`
    insert into menu (menu_no, menu_name, menu_type, external_url, sort) values ('CRM', 'Customer file', 'external', ${`${crm}/today?list=calls`}, 900)`)
  const grant = { origins: [crm], widgets: ['mkopo-audit-my-audit'], perms: [], merchantNos: [] }
  await at.fixture.db.withTx(tx =>
    addPartner(tx, { partnerNo: 'PG1', partnerName: 'CRM', clientId: 'crm', ...grant }, secret),
  )
})
afterAll(async () => {
  partner.close()
})

const exchange = async (code: string) => {
  const answer = await fetch(`${at.url}${base}/embed/handoff`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`crm:${secret}`).toString('base64')}`,
    },
    body: JSON.stringify({ code }),
  })
  return (await answer.json()) as { code: number; data: { userNo: string } | null }
}

test('portal 14: an external link of the menu opens with a code that says once who came, and is no session', async () => {
  const person = await at.staff(['MyAudit'])
  await at.fixture.exec(sql`insert into role_menu (role_no, menu_no) values (${`R${person.userNo}`}, 'CRM')`)
  const page = await at.open(person)
  await page.goto(`${at.url}/AdminContent/Home`)
  const opening = page.context().waitForEvent('page')
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Customer file' }).click()
  const tab = await opening
  await tab.waitForURL(`${crm}/**`)
  const url = new URL(tab.url())
  const { token, ...rest } = Object.fromEntries(url.searchParams)
  expect(rest).toEqual({ list: 'calls', language: 'en', country: 'UGA', redirect: at.url })
  expect(token).toMatch(/^mkopo_handoff_/)
  expect(url.href).not.toContain(person.token)
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  expect(await exchange(String(token))).toMatchObject({ code: 0, data: { userNo: person.userNo } })
  expect(await exchange(String(token))).toMatchObject({ code: 40401, data: null })
  const used = await fetch(`${at.url}${base}/user/self`, { headers: { token: String(token) } })
  expect(await used.json()).toMatchObject({ code: -10 })
  await page.context().close()
})
