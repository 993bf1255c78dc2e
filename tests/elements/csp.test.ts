import { overlayChecks } from './overlay-checks.ts'
import { afterEach, clear, expect, get, it, mount, until } from './page.ts'

const meta = (given: Record<string, string>) => {
  const element = document.createElement('meta')
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, value)
  document.head.append(element)
}
meta({ property: 'csp-nonce', nonce: 'bm9uY2U' })
meta({
  'http-equiv': 'Content-Security-Policy',
  content: `default-src 'self'; style-src 'self' 'nonce-bm9uY2U'; script-src 'self'; connect-src 'self' ws:; img-src 'self' blob: data:`,
})

const refused: string[] = []
document.addEventListener('securitypolicyviolation', event => {
  refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`)
})

afterEach(clear)

overlayChecks('under a strict policy')

it('has its colours under a strict policy', async () => {
  const widget = await mount()
  const { backgroundColor } = getComputedStyle(await get(widget, 'button', 'Pay out 3 orders'))
  const probe = document.createElement('style')
  probe.textContent = 'body { color: red }'
  document.head.append(probe)
  expect(getComputedStyle(document.body).color).not.to.equal('rgb(255, 0, 0)')
  probe.remove()
  const [red, green, blue] = backgroundColor.match(/\d+/g)?.map(Number) ?? []
  expect(green).to.be.greaterThan(Number(red)).and.at.least(Number(blue))
})

it('holds the page still behind a dialog with the nonce of the page', async () => {
  const widget = await mount()
  ;(await get(widget, 'button', 'Pay out 3 orders')).click()
  await until('a page that does not scroll', () => getComputedStyle(document.body).overflowY === 'hidden')
})

it('asks for nothing that the policy refuses but the look of the scroll bars in a select', () => {
  expect([...new Set(refused)].filter(what => !what.startsWith('style-src'))).to.deep.equal([])
})
