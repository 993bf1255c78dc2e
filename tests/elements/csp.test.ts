import { overlayChecks } from './overlay-checks.ts'
import { afterEach, clear, expect, get, it, mount } from './page.ts'

const policy = document.createElement('meta')
policy.httpEquiv = 'Content-Security-Policy'
policy.content =
  "default-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self' ws:; img-src 'self' blob: data:"
document.head.append(policy)

const refused: string[] = []
document.addEventListener(
  'securitypolicyviolation',
  event => void refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`),
)

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

it('asks for nothing that the policy refuses but the scroll bars of Radix', () => {
  expect([...new Set(refused)].filter(directive => !directive.startsWith('style-src'))).to.deep.equal([])
})
