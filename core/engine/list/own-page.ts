import { type ListState, toEntries } from '../../client/url-state.ts'
import type { Host } from '../../element/context.ts'

/** The page of the console that shows a list as it is now, with one of its rows open. */
export const ownPage = ({ path, part }: Pick<Host, 'path' | 'part'>, state: ListState, open: string) =>
  path && { to: path, query: Object.fromEntries([...(part ? [['tab', part]] : []), ...toEntries({ ...state, open })]) }
