/** Height of table rows: 36 px, or 28 px where compact. */
export type Density = 'normal' | 'compact'

/** The state of a list: filters, order, page, columns and the open row. In the portal it is kept in the address alone. */
export type ListState = {
  filters: Readonly<Record<string, unknown>>
  sort: string
  pageNum: number
  pageSize: number
  open?: string
  /** The columns in sight, in their order; absent: those of the screen. */
  columns?: readonly string[]
  /** Absent: that of the widget. */
  density?: Density
  /** Number of the saved view that it began with. */
  view?: string
}

const own = ['sort', 'pageNum', 'pageSize', 'open', 'columns', 'density', 'view']
const isDensity = (value: unknown): value is Density => value === 'normal' || value === 'compact'

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
const write = (value: unknown): string =>
  typeof value === 'string' && parse(value) === value ? value : JSON.stringify(value)

/** The entries of an address that say a list's state; values that are not plain text are JSON. */
export const toEntries = ({
  filters,
  sort,
  pageNum,
  pageSize,
  open,
  columns,
  density,
  view,
}: ListState): [string, string][] =>
  Object.entries({
    ...filters,
    sort,
    pageNum: pageNum === 1 ? undefined : pageNum,
    pageSize: pageSize === 20 ? undefined : pageSize,
    columns: columns?.join(),
    density,
    view,
    open,
  })
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => [name, write(value)])

/** Reads the entries of an address back; undefined where there are none, so that a list starts with its own filters. */
export const fromEntries = (entries: Iterable<[string, string]>): Readonly<Record<string, unknown>> | undefined => {
  const state = Object.fromEntries([...entries].map(([name, text]) => [name, parse(text)]))
  return Object.keys(state).length ? state : undefined
}

/** Splits what a host gives as `filters` into filters and the rest of the state. */
export const stateFrom = (given: Readonly<Record<string, unknown>>, start: ListState): ListState => ({
  filters: Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name))),
  sort: typeof given.sort === 'string' ? given.sort : start.sort,
  pageNum: Number(given.pageNum) || 1,
  pageSize: Number(given.pageSize) || start.pageSize,
  ...(given.open === undefined ? {} : { open: String(given.open) }),
  ...(typeof given.columns === 'string' && given.columns ? { columns: given.columns.split(',') } : {}),
  ...(isDensity(given.density) ? { density: given.density } : {}),
  ...(typeof given.view === 'string' && given.view ? { view: given.view } : {}),
})
