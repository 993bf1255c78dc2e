import type { z } from 'zod'
import type { ListState } from '../../client/url-state.ts'
import { unkept, type View } from '../../contract/portal/view.ts'
import type { Listed } from '../screen.ts'

type Filters = ListState['filters']
/** What a view says of its list. */
export type Look = Pick<View, 'filters' | 'columns' | 'sort' | 'density'>

/** The filters that pass a test. */
export const where = (filters: Filters, test: (name: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(filters).filter(([name, value]) => test(name, value)))

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
