import { readFileSync } from 'node:fs'
import { graph, root } from './build/graph.ts'
import { filesOf } from './stories/generate.ts'
import { widgets } from './widgets/registry.ts'

const registry = `${root}widgets/registry.ts`
const files = filesOf(readFileSync(registry, 'utf8'))

/** What an element has to know of itself: its screen's file, its address and its attributes. */
const widget = (tag: string) => {
  const { path, props } = widgets.find(one => one.tag === tag) ?? {}
  const file = JSON.stringify(`${root}widgets/${files[tag]}`)
  return `const widget = { ...${JSON.stringify({ tag, path, props })}, load: () => import(${file}) }`
}

/** Every widget, the loader, the small elements and the portal: one graph, shared chunks. */
export default graph({
  tags: widgets.map(one => one.tag),
  registry,
  widget,
  dir: `${root}dist/lib`,
  providers: `${root}core/client/providers.tsx`,
  portal: `${root}portal/main.tsx`,
})
