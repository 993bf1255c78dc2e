/** A node with the nodes below it. */
export type Nested<N> = N & { childList: Nested<N>[] }

/** The nodes of a tree from the top down, each before those below it. */
export const flat = <N extends { childList: N[] }>(nodes: readonly N[]): N[] =>
  nodes.flatMap(node => [node, ...flat(node.childList)])

/** The tree of a list: siblings keep their order, and a node whose parent is not in the list stands at the top. */
export const nested = <N>(
  rows: readonly N[],
  keyOf: (row: N) => string,
  parentOf: (row: N) => string | null,
): Nested<N>[] => {
  const keys = new Set(rows.map(keyOf))
  const below = new Map<string | null, N[]>()
  for (const row of rows) {
    const above = parentOf(row)
    const parent = above !== null && keys.has(above) ? above : null
    below.set(parent, [...(below.get(parent) ?? []), row])
  }
  const built = (parent: string | null): Nested<N>[] =>
    (below.get(parent) ?? []).map(row => ({ ...row, childList: built(keyOf(row)) }))
  return built(null)
}
