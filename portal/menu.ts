import { routes } from '../core/contract/routes.ts'
import type { MenuNode } from '../core/contract/user.ts'

const known = new Set(routes.map(route => route.path.toLowerCase()))

/** The menu as it is shown: pages that exist and external links; a catalog without any of them is dropped. */
export const keptMenu = (nodes: readonly MenuNode[]): MenuNode[] =>
  [...nodes]
    .sort((a, b) => a.sort - b.sort)
    .flatMap(node => {
      const children = keptMenu(node.childList)
      const isPage = node.perms !== null && known.has(node.perms.toLowerCase())
      return isPage || node.externalUrl || children.length ? [{ ...node, childList: isPage ? [] : children }] : []
    })
