import { graph, root } from './build/graph.ts'
import { widgets } from './widgets/registry.ts'

/** Every widget, the loader, the small elements and the portal: one graph, shared chunks. */
export default graph({
  tags: widgets.map(widget => widget.tag),
  registry: `${root}widgets/registry.ts`,
  dir: `${root}dist/lib`,
  providers: `${root}core/client/providers.tsx`,
  portal: `${root}portal/main.tsx`,
})
