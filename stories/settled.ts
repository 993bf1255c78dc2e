let running = 0

/** Counts what the page asks for, so that a story knows when everything has been answered. */
export const countRequests = () => {
  const own = window.fetch
  window.fetch = (...request) => {
    running += 1
    return own.apply(window, request).finally(() => void (running -= 1))
  }
}

/** How long a story may take to show what is waited for, in ms. */
export const patience = 60_000
export const turn = () => new Promise(resolve => setTimeout(resolve, 25))

const roots = (element: Element): (Element | ShadowRoot)[] => [
  element,
  ...[element, ...element.querySelectorAll('*')].flatMap(one => (one.shadowRoot ? [one.shadowRoot] : [])),
]

/** Spinners never end; what does end is waited for. */
const moving = (root: Element | ShadowRoot) =>
  (root instanceof ShadowRoot ? root.getAnimations() : root.getAnimations({ subtree: true })).some(
    one => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
  )

const isBusy = (root: Element | ShadowRoot) =>
  root.querySelector(':not(:defined)') !== null ||
  [...root.querySelectorAll('[aria-busy="true"]')].some(element => element.checkVisibility()) ||
  moving(root)

/**
 * Waits until a story shows what it is going to show: nothing is asked for, nothing is busy, nothing has changed for so many turns.
 * @throws when that does not happen.
 */
export const settled = async (story: HTMLElement, turns = 4) => {
  const end = performance.now() + patience
  for (let calm = 0, before = ''; calm < turns; await turn()) {
    const all = roots(story)
    const now = all.map(root => root.innerHTML).join('')
    const busy = running > 0 || all.some(isBusy)
    calm = busy || now !== before ? 0 : calm + 1
    before = now
    if (performance.now() > end) throw new Error(busy ? 'the story stays busy' : 'the story never stops changing')
  }
}
