import { expect } from '@open-wc/testing'
import { sendKeys, sendMouse } from '@web/test-runner-commands'

type Run = (name: string, body: () => Promise<void> | void) => void
type Hook = (body: () => Promise<void> | void) => void
const runner = globalThis as unknown as { it: Run; describe: Run; before: Hook; afterEach: Hook }

export const { it, describe, before, afterEach } = runner
export { expect, sendKeys, sendMouse }

/** An element as a partner's script sees it. */
export type Widget = HTMLElement & { shadowRoot: ShadowRoot } & Record<string, unknown>

/** Polls until the probe answers something true, and gives that back. */
export const until = async <T>(what: string, probe: () => T | null | undefined | false): Promise<T> => {
  const end = performance.now() + 6000
  for (;;) {
    const found = probe()
    if (found) return found
    if (performance.now() > end) throw new Error(`never came: ${what}\n${document.body.innerHTML.slice(0, 400)}`)
    await new Promise(resolve => requestAnimationFrame(resolve))
  }
}

/** Waits for what a widget shows, in its shadow tree. */
export const shows = (widget: Widget, words: string) =>
  until(`"${words}" in <${widget.localName}>, which shows "${widget.shadowRoot.textContent}"`, () =>
    widget.shadowRoot.textContent?.includes(words),
  )

const nameOf = (element: Element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()

/** All elements of a role or selector with that name, visible or not. */
export const named = (widget: Widget, selector: string, name: string) =>
  [...widget.shadowRoot.querySelectorAll<HTMLElement>(selector)].find(element => nameOf(element) === name)

/** The element of that selector and name, as soon as it is there and laid out. */
export const get = (widget: Widget, selector: string, name: string) =>
  until(`${selector} "${name}"`, () => {
    const found = named(widget, selector, name)
    return found?.getClientRects().length ? found : undefined
  })

/** What has the focus, through shadow roots: its name. */
export const focused = () => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at ? nameOf(at) : ''
}

export const focusOn = (name: string) => until(`focus on "${name}", it is on "${focused()}"`, () => focused() === name)

export const press = async (...keys: string[]) => {
  for (const key of keys) await sendKeys({ press: key })
}

export const clickAt = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return sendMouse({ type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)] })
}

/** Loads the library as a partner's page does. */
export const loadLibrary = () => import(new URL('/lib/mkopo.js', location.href).href)

/** Puts a widget on the page and waits until its screen stands. */
export const mount = async (attributes: Record<string, string> = {}, parent: ParentNode & Node = document.body) => {
  const widget = document.createElement('mkopo-fixture-sample') as Widget
  for (const [name, value] of Object.entries({ language: 'en', ...attributes })) widget.setAttribute(name, value)
  parent.append(widget)
  await loadLibrary()
  await until('the screen', () => widget.shadowRoot && named(widget, 'button', 'Details'))
  return widget
}

const collectors: (() => void)[] = []

/** Takes every widget off the page. */
export const clear = () => {
  for (const stop of collectors.splice(0)) stop()
  for (const element of document.querySelectorAll(
    '[data-test], mkopo-fixture-sample, mkopo-fixture-flaky, mkopo-fixture-list',
  ))
    element.remove()
}

/** Next event of that name on the page. */
export const heard = <K extends keyof HTMLElementEventMap>(name: K) =>
  new Promise<HTMLElementEventMap[K]>(resolve =>
    document.addEventListener(name, event => resolve(event as HTMLElementEventMap[K]), { once: true }),
  )

type Reported = Event & { detail: Record<string, unknown> & { retry: () => void } }

/** Writes down events of those names until the next test; gives what came so far. */
export const collect = (...names: (keyof HTMLElementEventMap)[]) => {
  const events: Reported[] = []
  const note = (event: Event) => void events.push(event as Reported)
  for (const name of names) document.addEventListener(name, note)
  collectors.push(() => {
    for (const name of names) document.removeEventListener(name, note)
  })
  return () => events
}
