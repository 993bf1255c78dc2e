import type { TreeRow } from '../../ui/choose/tree.ts'

/** Where something is put: into a row, or before or behind it among its neighbours. */
export type Place = 'into' | 'before' | 'after'
/** A row on its way, and where it would be put now. */
export type Carried = { key: string; target: string; place: Place }

/** How rows of a tree are moved. */
export type Moves = {
  /** Places that mean something: without `before` and `after` the order is not the mover's. */
  places: readonly Place[]
  /** Whether a row can be taken up. */
  takes: (key: string) => boolean
  /** Why a row cannot be put there, in words; null where it can. */
  refuses: (carried: Carried) => string | null
  drop: (carried: Carried) => void
}

/** The row itself and everything below it. */
export const branchIn = (rows: readonly TreeRow[], key: string): ReadonlySet<string> => {
  const at = rows.findIndex(row => row.node.value === key)
  const level = rows[at]?.level ?? 0
  const end = rows.findIndex((row, index) => index > at && row.level <= level)
  return new Set(rows.slice(at, end < 0 ? rows.length : end).map(row => row.node.value))
}

/** The place that a height within a row means: its upper and lower quarter stand for before and behind it. */
export const placeAt = (share: number, places: readonly Place[]): Place => {
  if (share < 0.25 && places.includes('before')) return 'before'
  if (share > 0.75 && places.includes('after')) return 'after'
  return places.includes('into') ? 'into' : share < 0.5 ? 'before' : 'after'
}

/** What is carried, a row further up or down; it never leaves the rows in sight. */
export const carriedBy = (rows: readonly TreeRow[], carried: Carried, step: number): Carried => {
  const at = rows.findIndex(row => row.node.value === carried.target)
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + step))]
  return next ? { ...carried, target: next.node.value } : carried
}

/** The same at the next of the places. */
export const turned = (carried: Carried, places: readonly Place[], step: 1 | -1): Carried => {
  const at = places.indexOf(carried.place)
  const place = places[(at + step + places.length) % places.length]
  return place ? { ...carried, place } : carried
}
