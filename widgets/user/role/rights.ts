import type { SensitiveKindName } from '../../../core/contract/sensitive-kinds.ts'
import type { CatalogueNode, LimitType, RoleDetail } from '../../../core/contract/user/role.ts'
import type { TreeNode } from '../../../core/ui/choose/tree.ts'

/** What a role is to have, as it is being edited. The code that a page opens with goes along with the page. */
export type Draft = {
  nodes: ReadonlySet<string>
  rules: ReadonlyMap<string, LimitType>
  kinds: ReadonlySet<SensitiveKindName>
}

const pageBranch = (menuNo: string) => `page:${menuNo}`

export const draftOf = (of: RoleDetail, nodes: readonly CatalogueNode[]): Draft => {
  const reads = new Set(nodes.flatMap(node => (node.reads ? [node.menuNo] : [])))
  return {
    nodes: new Set(of.permissions.filter(menuNo => !reads.has(menuNo))),
    rules: new Map(of.dataRules.map(rule => [rule.menuNo, rule.limitType])),
    kinds: new Set(of.sensitivePerms),
  }
}

/** The menu as it is granted: catalogs, in them pages, in each page that it opens, and its buttons. */
export const grantTree = (nodes: readonly CatalogueNode[], opens: string): TreeNode[] =>
  nodes.flatMap(({ menuNo, parentMenuNo, menuName, menuType, reads, money }): TreeNode[] => {
    if (menuType === 'catalog') return [{ value: menuNo, label: menuName, parent: parentMenuNo, leaf: false }]
    if (menuType === 'external') return [{ value: menuNo, label: menuName, parent: parentMenuNo, leaf: true }]
    if (menuType === 'page')
      return [
        { value: pageBranch(menuNo), label: menuName, parent: parentMenuNo, leaf: false },
        { value: menuNo, label: opens, parent: pageBranch(menuNo), leaf: true },
      ]
    if (reads || parentMenuNo === null) return []
    return [
      { value: menuNo, label: `${menuName}${money ? ' · UGX' : ''}`, parent: pageBranch(parentMenuNo), leaf: true },
    ]
  })

/** Takes or leaves some entries: a button brings its page along, and a page that goes takes its buttons. */
export const pressed = (
  chosen: ReadonlySet<string>,
  leaves: readonly string[],
  nodes: ReadonlyMap<string, CatalogueNode>,
): ReadonlySet<string> => {
  const next = new Set(chosen)
  const takes = !leaves.every(leaf => chosen.has(leaf))
  for (const leaf of leaves) {
    const node = nodes.get(leaf)
    if (takes) {
      next.add(leaf)
      if (node?.menuType === 'button' && node.parentMenuNo) next.add(node.parentMenuNo)
    } else next.delete(leaf)
  }
  if (!takes)
    for (const one of chosen) {
      const parent = nodes.get(one)?.parentMenuNo
      if (nodes.get(one)?.menuType === 'button' && parent && !next.has(parent)) next.delete(one)
    }
  return next
}

export type Line = { name: string; checked: boolean }
export type Review = {
  added: readonly Line[]
  removed: readonly Line[]
  rules: readonly { name: string; before: LimitType; after: LimitType }[]
}

/** What a draft changes. */
export const reviewOf = (
  held: Draft,
  draft: Draft,
  nodes: ReadonlyMap<string, CatalogueNode>,
  kindName: (kind: SensitiveKindName) => string,
): Review => {
  const nameOf = (menuNo: string): string => {
    const node = nodes.get(menuNo)
    const page = node?.menuType === 'button' && node.parentMenuNo ? nodes.get(node.parentMenuNo)?.menuName : undefined
    return [page, node?.menuName ?? menuNo].filter(Boolean).join(' / ')
  }
  const line = (menuNo: string): Line => ({ name: nameOf(menuNo), checked: nodes.get(menuNo)?.checked ?? false })
  const kind = (one: SensitiveKindName): Line => ({ name: kindName(one), checked: true })
  const only = <T>(of: ReadonlySet<T>, without: ReadonlySet<T>) => [...of].filter(one => !without.has(one))
  return {
    added: [...only(draft.nodes, held.nodes).map(line), ...only(draft.kinds, held.kinds).map(kind)],
    removed: [...only(held.nodes, draft.nodes).map(line), ...only(held.kinds, draft.kinds).map(kind)],
    rules: [...draft.nodes].flatMap(menuNo => {
      const start = nodes.get(menuNo)?.defaultLimitType ?? 'own'
      const [before, after] = [held.rules.get(menuNo) ?? 'own', draft.rules.get(menuNo) ?? start]
      return nodes.get(menuNo)?.menuType === 'page' && before !== after ? [{ name: nameOf(menuNo), before, after }] : []
    }),
  }
}
