import { createElement } from 'react'
import { stateFrom } from '../../client/url-state.ts'
import { exports } from '../../contract/common/exports.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { view } from '../../contract/portal/view.ts'
import type { Action, Listed, ListScreen, Screen } from '../screen.ts'
import { ListView } from './list.tsx'
import { startOf } from './list-state.ts'

const act = (run: Endpoint, action: object) => ({ run, ...action })
const isCall = (one: unknown): one is Endpoint => typeof one === 'object' && one !== null && 'path' in one
/** What actions call, and read to begin with; the one that a dialog of the screen's own needs is the one that it sends. */
const calls = (actions: readonly Action<never>[]) =>
  actions.flatMap(action => ('run' in action ? [action.run, action.from] : [action.needs]).filter(isCall))

/**
 * A list with filters, actions and a drawer, drawn from its endpoint. The calls of its actions are declared with it, so that words,
 * permissions and documentation follow; name further calls of its own dialogs in `also`.
 * @example listScreen({ list: repay.page, rowKey: 'orderNo', filters: ['orderNo'], columns: ['orderNo', 'loanAmount'] })
 */
export const listScreen = <E extends Listed>(s: ListScreen<E>): Screen => {
  const made = (of: ((given: never) => readonly Action<never>[]) | undefined) => of?.(act as never) ?? []
  const shared = made(s.rowAndBulk as never)
  const actions = {
    row: [...shared, ...made(s.row as never)],
    bulk: [...shared, ...made(s.bulk as never)],
    toolbar: made(s.toolbar as never),
  }
  return {
    calls: [
      s.list,
      ...calls([...actions.row, ...actions.bulk, ...actions.toolbar]),
      ...(s.also ?? []),
      ...Object.values(view),
      ...(s.list.totalling ? [s.list.totalling] : []),
      ...(s.list.exporting ? [s.list.exporting, ...Object.values(exports)] : []),
      ...(s.list.importing ? [s.list.importing.command, s.list.importing.template] : []),
    ],
    opening: given => {
      const start = startOf(s as unknown as ListScreen<Listed>)
      const { filters, pageNum, pageSize, sort } = given ? stateFrom(given, start) : start
      return { call: s.list, input: { ...filters, pageNum, pageSize, sort } }
    },
    render: () => createElement(ListView, { screen: s as unknown as ListScreen<Listed>, actions }),
  }
}
