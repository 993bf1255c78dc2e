import { overlayChecks } from './overlay-checks.ts'
import { afterEach, clear, expect, get, it, mount, until } from './page.ts'

overlayChecks('on a plain page')

afterEach(clear)

it('holds the page still behind a dialog, and lets it go afterwards', async () => {
  const widget = await mount()
  const overflow = () => getComputedStyle(document.body).overflowY
  const before = overflow()
  ;(await get(widget, 'button', 'Pay out 3 orders')).click()
  await until('a page that does not scroll', () => overflow() === 'hidden')
  ;(await get(widget, 'button', 'Cancel')).click()
  await until('a page that scrolls', () => overflow() === before)
  expect(before).not.to.equal('hidden')
})
