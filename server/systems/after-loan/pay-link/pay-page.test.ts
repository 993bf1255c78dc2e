import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { contract } from '../../../../core/contract/contract.ts'
import { servePayPage } from '../../../http/pay-page.ts'
import { officerPerms } from '../../../testing/repay-desk.ts'
import { deskForTests } from '../../../testing/suites.ts'

const { payLink } = contract
const { desk } = await deskForTests()
const officer = await desk.officer({ perms: officerPerms })
const site = new Hono()
servePayPage(site, desk.app, { 'x-frame-options': 'DENY' })

const linkOf = async () => {
  const orderNo = await desk.order()
  const { data } = await desk.call(payLink.create, { orderNo, amount: '45000.00' }, { as: officer })
  return `/pay/${data.payLink.split('/').at(-1)}`
}

it('speaks the language that is asked for, and shows nothing of the customer', async () => {
  const path = await linkOf()
  for (const [language, words] of [
    ['en', 'Pay UGX 45,000'],
    ['sw', 'Lipa UGX 45,000'],
    ['zh', '支付UGX 45,000'],
  ]) {
    const answer = await site.request(`${path}?language=${language}`)
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    const page = await answer.text()
    expect(page).toContain(`<html lang="${language}">`)
    expect(page).toContain(words)
    expect(page).not.toMatch(/Akello|25677|LO0/)
  }
})

it('asks the phone that is typed, as people type it, and says so', async () => {
  const path = await linkOf()
  const press = (phone: string) =>
    site.request(`${path}?language=en`, {
      method: 'POST',
      body: new URLSearchParams({ phone }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const wrong = await (await press('"><script>12')).text()
  expect(wrong).toContain('role="alert"')
  expect(wrong).not.toContain('<script>')
  expect(await (await press('0770 000 031')).text()).toContain('Confirm the payment on your phone')
})

it('says of a link that does not exist that it is over', async () => {
  for (const code of ['f'.repeat(32), 'x%22']) expect((await site.request(`/pay/${code}`)).status).toBe(404)
})
