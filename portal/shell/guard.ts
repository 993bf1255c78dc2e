import { builtPages, plannedPages } from '../../core/contract/page-table.ts'
import { alwaysAllowed, homePath, loginPath, type Page } from '../../core/contract/pages.ts'

export type Decision =
  | { go: 'show'; route: Page }
  /** A known page whose screen is not built: the console says so. */
  | { go: 'planned'; route: Page }
  | { go: 'redirect'; to: string; toast?: 'access' }
  /** No session: the address asks for one. */
  | { go: 'signOut' }

const tidy = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path).toLowerCase()
const byPath = new Map(builtPages.map(route => [tidy(route.path), route]))
const plannedByPath = new Map(plannedPages.map(page => [tidy(page.path), page]))
const parents = new Set(
  [...builtPages, ...plannedPages]
    .filter(page => page.path.split('/').length === 4)
    .map(page => tidy(page.path.split('/').slice(0, 3).join('/'))),
)

/** What happens to a navigation, by its path alone; asked for every one, in this order. */
export const guard = (path: string, session: { token: string | null; allowedPaths: readonly string[] }): Decision => {
  const asked = tidy(path)
  const route = byPath.get(asked)
  const planned = plannedByPath.get(asked)
  const inside = asked === '/admincontent' || asked.startsWith('/admincontent/')
  if (asked === '/index') return { go: 'redirect', to: loginPath }
  if (asked === tidy(loginPath) && route) return { go: 'show', route }
  if (!inside || !(route || planned || parents.has(asked) || asked === '/admincontent'))
    return { go: 'redirect', to: '/Index' }
  if (!session.token) return { go: 'signOut' }
  const page = route ?? planned
  if (!page) return { go: 'redirect', to: homePath }
  if (route && !alwaysAllowed.includes(route.name) && !session.allowedPaths.includes(asked))
    return { go: 'redirect', to: homePath, toast: 'access' }
  if (path !== page.path) return { go: 'redirect', to: page.path }
  return route ? { go: 'show', route } : { go: 'planned', route: page }
}
