import { builtPages } from '../../../core/contract/page-table.ts'
import type { MenuNode } from '../../../core/contract/user/user.ts'

/** Pages of one record are opened from lists; without their record they are no place to go to. */
const known = new Set(
  builtPages.filter(route => route.system !== 'OrderDetailAudit').map(route => route.path.toLowerCase()),
)

/** The menu as it is shown: pages that exist and external links; a catalog without any of them is dropped. */
export const keptMenu = (nodes: readonly MenuNode[]): MenuNode[] =>
  [...nodes]
    .sort((a, b) => a.sort - b.sort)
    .flatMap(node => {
      const children = keptMenu(node.childList)
      const isPage = node.perms !== null && known.has(node.perms.toLowerCase())
      return isPage || node.externalUrl || children.length ? [{ ...node, childList: isPage ? [] : children }] : []
    })
