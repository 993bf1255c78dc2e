/** A node as the server lists it; one whose parent is not in the list is a root. A `leaf` is chosen by itself, also where something lies below it. */
export type TreeNode = { value: string; label: string; parent: string | null; leaf: boolean }
/** A node in sight, as the tree pattern of WAI-ARIA describes it. `open` is absent where there is nothing below. */
export type TreeRow = { node: TreeNode; level: number; position: number; size: number; open?: boolean }
/** A tree as it is walked: nodes by value, children by parent, number of leaves. */
export type Tree = {
  nodes: ReadonlyMap<string, TreeNode>
  below: ReadonlyMap<string | null, readonly TreeNode[]>
  /** How many leaves a node has below it; 1 for a leaf. */
  leaves: ReadonlyMap<string, number>
}

const parentIn = (nodes: ReadonlyMap<string, TreeNode>, { parent }: TreeNode) =>
  parent !== null && nodes.has(parent) ? parent : null

const ancestors = ({ nodes }: Pick<Tree, 'nodes'>, node: TreeNode): string[] => {
  const above = parentIn(nodes, node)
  return above === null ? [] : [above, ...ancestors({ nodes }, nodes.get(above) as TreeNode)]
}

/** A leaf, and the branches that it is a part of. */
const counted = (tree: Pick<Tree, 'nodes'>, leaf: TreeNode): string[] => [
  leaf.value,
  ...ancestors(tree, leaf).filter(value => !tree.nodes.get(value)?.leaf),
]

/** Builds the tree of a flat list. */
export const treeOf = (list: readonly TreeNode[]): Tree => {
  const nodes = new Map(list.map(node => [node.value, node]))
  const below = new Map<string | null, TreeNode[]>()
  const leaves = new Map<string, number>()
  for (const node of nodes.values()) {
    const parent = parentIn(nodes, node)
    const siblings = below.get(parent)
    if (siblings) siblings.push(node)
    else below.set(parent, [node])
    if (node.leaf) for (const value of counted({ nodes }, node)) leaves.set(value, (leaves.get(value) ?? 0) + 1)
  }
  return { nodes, below, leaves }
}

/** The leaves of a branch, or the leaf itself. */
export const leavesOf = (tree: Tree, value: string): string[] =>
  tree.nodes.get(value)?.leaf
    ? [value]
    : (tree.below.get(value) ?? []).flatMap(node => (node.leaf ? [node.value] : leavesOf(tree, node.value)))

/** How many of the leaves of each node are chosen. */
export const chosenBelow = (tree: Tree, chosen: Iterable<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const value of chosen) {
    const node = tree.nodes.get(value)
    if (node?.leaf) for (const one of counted(tree, node)) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  return counts
}

/** All, none or some of the leaves of a node. */
export const checkOf = (tree: Tree, counts: ReadonlyMap<string, number>, value: string): boolean | 'mixed' => {
  const count = counts.get(value) ?? 0
  return count === 0 ? false : count === tree.leaves.get(value) || 'mixed'
}

/** What a search is about: words of a label, or the nodes that were found already; undefined while nothing is searched. */
const hitsOf = (search: string | ((node: TreeNode) => boolean)) => {
  if (typeof search === 'function') return search
  const wanted = search.trim().toLowerCase()
  return wanted ? (node: TreeNode) => node.label.toLowerCase().includes(wanted) : undefined
}

/** The rows in sight: what is open, or while something is searched what matches and what it lies in. */
export const rowsOf = (
  tree: Tree,
  open: ReadonlySet<string>,
  search: string | ((node: TreeNode) => boolean) = '',
): TreeRow[] => {
  const isHit = hitsOf(search)
  const found = isHit
    ? new Set([...tree.nodes.values()].filter(isHit).flatMap(node => [node.value, ...ancestors(tree, node)]))
    : undefined
  const rows: TreeRow[] = []
  const add = (parent: string | null, level: number) => {
    const nodes = (tree.below.get(parent) ?? []).filter(node => !found || found.has(node.value))
    for (const [index, node] of nodes.entries()) {
      const inside = (tree.below.get(node.value) ?? []).some(one => !found || found.has(one.value))
      const isOpen = inside && (found !== undefined || open.has(node.value))
      rows.push({ node, level, position: index + 1, size: nodes.length, ...(inside ? { open: isOpen } : {}) })
      if (isOpen) add(node.value, level + 1)
    }
  }
  add(null, 1)
  return rows
}

/** Place of the first row that a search is about; 0 while nothing is searched. */
export const firstHit = (rows: readonly TreeRow[], search: string): number => {
  const isHit = hitsOf(search)
  return isHit
    ? Math.max(
        0,
        rows.findIndex(row => isHit(row.node)),
      )
    : 0
}
