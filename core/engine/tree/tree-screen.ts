import { createElement } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Action, Screen } from '../screen.ts'
import { TreeList } from './tree-list.tsx'
import { type AnyTree, listOfTree, type TreeActions, type TreeEndpoint, type TreeScreen } from './tree-types.ts'

const act = (run: Endpoint, action: object) => ({ run, ...action })
const isCall = (one: unknown): one is Endpoint => typeof one === 'object' && one !== null && 'path' in one
const calls = (actions: readonly Action<never>[]) =>
  actions.flatMap(action => ('run' in action ? [action.run, action.from] : [action.needs]).filter(isCall))

/**
 * Rows in a tree with columns, filters, actions and a drawer, drawn from a read of the whole tree.
 * @example treeScreen({ tree: dept.tree, fields: dept.page.row, rowKey: 'deptNo', parentKey: 'parentNo', columns: ['deptName', 'sort'], … })
 */
export const treeScreen = <E extends TreeEndpoint, F extends z.ZodRawShape>(s: TreeScreen<E, F>): Screen => {
  const made = (of: ((given: never) => readonly Action<never>[]) | undefined) => of?.(act as never) ?? []
  const actions: TreeActions = { row: made(s.row as never), toolbar: made(s.toolbar as never) }
  const own = s as unknown as AnyTree
  return {
    calls: [
      s.tree,
      ...calls([...actions.row, ...actions.toolbar]),
      ...(s.move ? [s.move.command] : []),
      ...(s.also ?? []),
    ],
    render: () => createElement(TreeList, { screen: own, list: listOfTree(own), actions }),
  }
}
