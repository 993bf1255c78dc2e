import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const options: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/** Whatever fades in has arrived: half of the way there, everything lacks contrast. */
const isStill = () => {
  const trees: DocumentOrShadowRoot[] = []
  const walk = (tree: Document | ShadowRoot) => {
    trees.push(tree)
    for (const { shadowRoot } of tree.querySelectorAll('*')) if (shadowRoot) walk(shadowRoot)
  }
  walk(document)
  const ends = (animation: Animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY
  return trees.every(tree => !tree.getAnimations().some(one => one.playState === 'running' && ends(one)))
}

/** What accessibility rules the page breaks now, in all its shadow trees. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.waitForFunction(isStill)
  await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async given => {
    const { axe: own } = window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }
    const { violations: found } = await own.run(given)
    return found.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)}`))
  }, options)
}
