type Values = Record<string, unknown>

/** The values that differ, as an audit line holds them. */
export const changes = (before: Values, after: Values): { before: Values; after: Values } => {
  const changed = Object.keys(after).filter(key => (before[key] ?? null) !== (after[key] ?? null))
  const pick = (from: Values) => Object.fromEntries(changed.map(key => [key, from[key] ?? null]))
  return { before: pick(before), after: pick(after) }
}
