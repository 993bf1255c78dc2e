import { isServing } from './one-version.ts'
import { version } from './version.ts'

/**
 * Fetches the entry of every known element that a page uses, when it first appears. `base` is the folder of the entries.
 * A second version on a page fetches nothing.
 * @returns a function that watches a further root, such as an open shadow root of the page's own.
 */
export const start = (tags: readonly string[], base: string) => {
  const known = new Set(isServing(version) ? tags : [])
  const want = (element: Element) => {
    const tag = element.localName
    if (!known.has(tag) || customElements.get(tag)) return
    known.delete(tag)
    import(/* @vite-ignore */ new URL(`${tag}.js`, base).href).catch(error => {
      known.add(tag)
      console.error(`<${tag}> could not be loaded`, error)
    })
  }
  const scan = (node: Node) => {
    if (node instanceof Element) want(node)
    if ('querySelectorAll' in node)
      for (const element of (node as ParentNode).querySelectorAll(':not(:defined)')) want(element)
  }
  const watch = (root: Document | ShadowRoot) => {
    scan(root)
    new MutationObserver(changes => {
      for (const change of changes) change.addedNodes.forEach(scan)
    }).observe(root, { childList: true, subtree: true })
  }
  watch(document)
  return watch
}
