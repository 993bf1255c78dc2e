import { alwaysAllowed, homePath, loginPath, type Route, routes } from '../core/contract/routes.ts'

export type Decision =
  | { go: 'show'; route: Route }
  | { go: 'redirect'; to: string; toast?: 'access' }
  /** No session: the address asks for one. */
  | { go: 'signOut' }

const tidy = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path).toLowerCase()
const byPath = new Map(routes.map(route => [tidy(route.path), route]))
const parents = new Set(
  routes
    .filter(route => route.path.split('/').length === 4)
    .map(route => tidy(route.path.split('/').slice(0, 3).join('/'))),
)

/** What happens to a navigation, by its path alone; asked for every one, in this order. */
export const guard = (path: string, session: { token: string | null; allowedPaths: readonly string[] }): Decision => {
  const asked = tidy(path)
  const route = byPath.get(asked)
  const inside = asked === '/admincontent' || asked.startsWith('/admincontent/')
  if (asked === '/index') return { go: 'redirect', to: loginPath }
  if (asked === tidy(loginPath) && route) return { go: 'show', route }
  if (!inside || !(route || parents.has(asked) || asked === '/admincontent')) return { go: 'redirect', to: '/Index' }
  if (!session.token) return { go: 'signOut' }
  if (!route) return { go: 'redirect', to: homePath }
  if (!alwaysAllowed.includes(route.name) && !session.allowedPaths.includes(asked))
    return { go: 'redirect', to: homePath, toast: 'access' }
  return path === route.path ? { go: 'show', route } : { go: 'redirect', to: route.path }
}
