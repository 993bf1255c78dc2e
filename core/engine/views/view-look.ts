import type { ListState } from '../../client/url-state.ts'
import { unkept } from '../../contract/portal/view.ts'
import type { Listed } from '../screen.ts'
import { type Look, stateOfView, where } from './view-state.ts'

/** What a view would keep of a list as it is now. No columns are those of the screen, `own`. */
export const lookOf = (state: Omit<ListState, 'pageNum' | 'pageSize'>, own: readonly string[]): Look => ({
  filters: where(state.filters, (name, value) => !unkept.has(name) && value !== undefined),
  columns: state.columns && state.columns.join() !== own.join() ? [...state.columns] : [],
  sort: state.sort,
  density: state.density ?? null,
})

const text = ({ filters, ...rest }: Look) =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)), rest])

/** Whether a list differs from the view that it started with. */
export const isChanged = (
  list: Listed,
  view: Look & { viewNo: string },
  state: ListState,
  own: readonly string[],
): boolean => text(lookOf(state, own)) !== text(lookOf(stateOfView(list, view), own))
