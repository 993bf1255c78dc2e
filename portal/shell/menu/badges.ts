import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { homePath } from '../../../core/contract/pages.ts'
import type { home } from '../../../core/contract/portal/home.ts'
import type { MenuNode } from '../../../core/contract/user/user.ts'

type Queues = OutputOf<typeof home.mine>['queues']
/** How much waits behind a page, by its path in lower case. */
export type Badges = ReadonlyMap<string, number>

/** What Home counts, by the pages that it leads to; what waits in the message center has the bell. */
export const badgesOf = (queues: Queues): Badges => {
  const badges = new Map<string, number>()
  for (const { route, count } of queues) {
    const path = route.toLowerCase()
    if (route !== homePath) badges.set(path, (badges.get(path) ?? 0) + (count ?? 0))
  }
  return badges
}

/** How much waits behind a node of the menu and everything below it. */
export const waitingAt = (node: MenuNode, badges: Badges): number =>
  node.childList.reduce(
    (sum, child) => sum + waitingAt(child, badges),
    badges.get(node.perms?.toLowerCase() ?? '') ?? 0,
  )
