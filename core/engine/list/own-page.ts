import { type ListState, toEntries } from '../../client/url-state.ts'
import { routes } from '../../contract/routes.ts'

/** The page of the console that shows a list as it is now, with one of its rows open. */
export const ownPage = (tag: string, part: string | undefined, state: ListState, open: string) => {
  const to = routes.find(route => route.tag === tag)?.path
  return to && { to, query: Object.fromEntries([...(part ? [['tab', part]] : []), ...toEntries({ ...state, open })]) }
}
