import type { Network } from '../text/network.ts'

/** A route of texts, as far as its choice needs it. */
export type SmsRoute = {
  routeNo: string
  /** Null for those of all merchants, of all apps. */
  merchantNo: string | null
  appCode: string | null
  network: Network | 'any'
  /** None for every scene. */
  scenes: readonly string[]
  accountNo: string
  senderId: string
  /** Share of the texts of its scope, of a hundred. */
  routeWeight: number
  /** Smaller ones first, once the chosen one did not take a text. */
  failoverOrder: number
  /** It goes last for now: somebody skips it, or too few of its texts arrive. `probe` lets one text in ten try it first all the same. */
  standing: 'good' | 'probe' | 'skipped'
  /** Its texts of the day are used up, or the time is outside of its window. */
  closed: boolean
}

/** What is to be sent. */
export type Routed = {
  merchantNo: string | null
  appCode: string | null
  network: Network
  scene: string | null
  /** Decides between routes by their weights: the same text takes the same route again. */
  seed: string
}

/** Why a route stands where it does. */
export type RouteReason = 'weight' | 'failover' | 'wider' | 'skipped'
export type OrderedRoute = { route: SmsRoute; reason: RouteReason }

/** A number from 0 up to, not including, `below`, that a text always has again (FNV-1a). */
export const shareOf = (seed: string, below: number): number => {
  let hash = 0x811c9dc5
  for (const letter of seed) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash % below
}

const fits = (route: SmsRoute, of: Routed): boolean =>
  (route.merchantNo === null || route.merchantNo === of.merchantNo) &&
  (route.appCode === null || route.appCode === of.appCode) &&
  (route.network === 'any' || route.network === of.network) &&
  (route.scenes.length === 0 || (of.scene !== null && route.scenes.includes(of.scene)))

/** App before merchant before all, then a named network before any, then a named scene before any. */
const rankOf = ({ appCode, merchantNo, network, scenes }: SmsRoute): number =>
  (appCode !== null ? 8 : merchantNo !== null ? 4 : 0) + (network === 'any' ? 0 : 2) + (scenes.length ? 1 : 0)

/** The route whose share of the weights a text falls into. */
const byWeight = (routes: readonly SmsRoute[], seed: string): SmsRoute | undefined => {
  const total = routes.reduce((sum, { routeWeight }) => sum + routeWeight, 0)
  if (total === 0) return routes[0]
  let left = shareOf(seed, total)
  for (const route of routes) {
    if (left < route.routeWeight) return route
    left -= route.routeWeight
  }
  return undefined
}

/**
 * The routes of a text in the order in which they are tried: of the narrowest scope that has one, chosen by weight, the others of that
 * scope by their failover order, then those of wider scopes; what is skipped goes last, what is closed not at all.
 */
export const orderRoutes = (routes: readonly SmsRoute[], of: Routed): OrderedRoute[] => {
  const isLast = ({ standing }: SmsRoute) =>
    standing === 'skipped' || (standing === 'probe' && shareOf(`${of.seed} probe`, 10) !== 0)
  const able = routes
    .filter(route => !route.closed && fits(route, of))
    .sort((a, b) => rankOf(b) - rankOf(a) || a.failoverOrder - b.failoverOrder || (a.routeNo < b.routeNo ? -1 : 1))
  const [live, last] = [able.filter(route => !isLast(route)), able.filter(isLast)]
  const [first] = live
  const narrowest = first ? live.filter(route => rankOf(route) === rankOf(first)) : []
  const chosen = byWeight(narrowest, of.seed)
  const rest = live.filter(route => route !== chosen)
  return [
    ...(chosen ? [{ route: chosen, reason: 'weight' as const }] : []),
    ...rest.map(route => ({
      route,
      reason: first && rankOf(route) === rankOf(first) ? ('failover' as const) : ('wider' as const),
    })),
    ...last.map(route => ({ route, reason: 'skipped' as const })),
  ]
}

/** Fewest texts of known outcome by which a route is judged, and the share that must arrive. */
export const leastJudged = 20
export const leastDelivered = 0.6

/** Whether too few of the last texts of a route arrived: it is skipped while they are fresh, and then tried by one in ten. */
export const standingOf = (last: {
  ended: number
  delivered: number
  seconds: number | null
}): SmsRoute['standing'] => {
  if (last.ended < leastJudged || last.delivered / last.ended >= leastDelivered) return 'good'
  return (last.seconds ?? 0) <= 300 ? 'skipped' : 'probe'
}
