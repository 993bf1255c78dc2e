import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { all } from '../../core/i18n/en/all.gen.ts'
import { accessibility } from '../../stories/rules.ts'

const key = new RegExp(`\\b(${[...new Set(Object.keys(all).map(one => one.split('.')[0]))].join('|')})\\.[A-Za-z]\\w*`)
/** What a person must never read: keys, names of fields, values of dictionaries, places that were not filled. */
const raw = [
  key,
  /^[a-z]+([A-Z][a-z]+)+$/,
  /^[a-z]+(_[a-z]+)+$/,
  /\{\w+\}/,
  /\b(undefined|NaN|null)\b/,
  /\[object \w+\]/,
]

/** All that a person sees or hears of the story, in its shadow trees too. */
const said = () => {
  const texts: string[] = []
  const read = (root: Element | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) read(element.shadowRoot)
      if (element.localName === 'style' || element.localName === 'code') continue
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '')
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue ?? '')
    }
  }
  read(document.getElementById('storybook-root') as HTMLElement)
  return texts.map(text => text.trim()).filter(Boolean)
}

const drawn = () => {
  const any = (root: Element | ShadowRoot): boolean =>
    [...root.querySelectorAll('*')].some(
      element =>
        (element.shadowRoot && any(element.shadowRoot)) ||
        (!element.childElementCount &&
          element.getClientRects().length > 0 &&
          element.getBoundingClientRect().height > 0),
    )
  return any(document.getElementById('storybook-root') as HTMLElement)
}

const audit = async (options: RunOptions) => {
  const { axe } = window as unknown as { axe: { run: (root: string, options: RunOptions) => Promise<AxeResults> } }
  const { violations } = await axe.run('#storybook-root', options)
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(node => ({ id, node, said: node.any[0]?.message ?? '' })),
  )
  return (
    found
      // A column that lies half beneath the fixed one is scrolled to before anything in it is pressed.
      .filter(
        ({ id, node, said }) => !(id === 'target-size' && /partially obscured/.test(said) && /mk-copy/.test(node.html)),
      )
      .map(({ id, node, said }) => `${id}: ${node.target.flat().join(' ')} · ${node.html.slice(0, 160)} · ${said}`)
  )
}

/** What is wrong with the story that the page shows; nothing if all is well. */
export const look = async (page: Page): Promise<string[]> => {
  const texts = await page.evaluate(said)
  return [
    ...((await page.evaluate(drawn)) ? [] : ['the story shows nothing']),
    ...texts.filter(text => raw.some(pattern => pattern.test(text))).map(text => `not translated: ${text}`),
    ...(await page.evaluate(audit, accessibility)),
  ]
}
