/** One address of the console, and the element that draws it. */
export type Page = {
  system: string
  name: string
  path: string
  tag: `mkopo-${string}`
}

/** The address of a page: `/Index/{name}` before sign-in, below `/AdminContent` after it. */
export const pathOf = (system: string, name: string): string => {
  if (system === 'Index') return `/Index/${name}`
  return system === 'AdminContent' ? `/AdminContent/${name}` : `/AdminContent/${system}/${name}`
}

/** Open to every signed-in user; the server still refuses records outside the data rules. */
export const alwaysAllowed: readonly string[] = ['Home', 'OrderDetail', 'WarningNotify', 'OrderAudit']

/** Where people sign in. */
export const loginPath = '/Index/Login'
/** Where people arrive after sign-in. */
export const homePath = '/AdminContent/Home'
/** Where an order is read. */
export const orderPath = '/AdminContent/OrderDetailAudit/OrderDetail'
