import type { ComponentType, ReactNode } from 'react'
import type { PropType } from '../element/properties.ts'
import type { Screen } from '../engine/screen.ts'

/** A custom element: its tag and how to fetch its screen. */
export type WidgetMeta = {
  tag: string
  load: () => Promise<{ default: Screen }>
  /** Attributes of this widget besides the common ones, by property name. */
  props?: Readonly<Record<string, PropType>>
  /** One sentence for the manifest. */
  summary?: string
  /** Its address in the console, by which others lead to it. */
  path?: string
}

/** Wraps the screen with what it needs from outside of the element: the client and its cache. */
export type Providers = ComponentType<{ children: ReactNode }>
