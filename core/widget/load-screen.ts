import { loadOnce } from '../element/load-once.ts'
import type { Screen } from '../engine/screen.ts'
import type { WidgetMeta } from './widget-meta.ts'

const screens = new Map<WidgetMeta, Promise<Screen>>()

/** The screen of a widget. */
export const screenOf = (meta: WidgetMeta) => loadOnce(screens, meta, async () => (await meta.load()).default)
