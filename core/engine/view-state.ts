import type { z } from 'zod'
import type { ListState } from '../client/url-state.ts'
import { unkept, type View } from '../contract/view.ts'
import type { Listed } from './screen.ts'

type Filters = ListState['filters']
/** What a view says of its list. */
export type Look = Pick<View, 'filters' | 'columns' | 'sort' | 'density'>

const where = (filters: Filters, test: (name: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(filters).filter(([name, value]) => test(name, value)))

/** What a view would keep of a list as it is now. No columns are those of the screen, `own`. */
export const lookOf = (state: Omit<ListState, 'pageNum' | 'pageSize'>, own: readonly string[]): Look => ({
  filters: where(state.filters, (name, value) => !unkept.has(name) && value !== undefined),
  columns: state.columns && state.columns.join() !== own.join() ? [...state.columns] : [],
  sort: state.sort,
  density: state.density ?? null,
})

/** How a list shows a view. What the list does not know, or no longer, is left out. */
export const stateOfView = (list: Listed, view: Look & { viewNo: string }) => ({
  filters: where(view.filters, (name, value) => {
    const schema = list.filters[name] as z.ZodType | undefined
    return schema !== undefined && !unkept.has(name) && schema.safeParse(value).success
  }),
  sort: list.sort.includes(view.sort.replace(/^-/, '')) ? view.sort : list.defaultSort,
  columns: view.columns.length ? view.columns : undefined,
  density: view.density ?? undefined,
  view: view.viewNo,
  pageNum: 1,
})

const text = ({ filters, ...rest }: Look) =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)), rest])

/** Whether a list has gone away from the view that it began with. */
export const isChanged = (
  list: Listed,
  view: Look & { viewNo: string },
  state: ListState,
  own: readonly string[],
): boolean => text(lookOf(state, own)) !== text(lookOf(stateOfView(list, view), own))
