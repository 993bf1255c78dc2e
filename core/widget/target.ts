import type { MkopoEvents } from '../element/events.ts'
import type { Providers, WidgetMeta } from './widget-meta.ts'

/** Where a followed link leads. */
export type Target = MkopoEvents['mkopo-navigate']
/** What the drawer of a followed link is given. */
export type TargetProps = {
  target: Target
  /** Where links may lead; asked for when one is followed. */
  others: () => Promise<readonly WidgetMeta[]>
  providers: Providers
  close: () => void
}
