import { useSyncExternalStore } from 'react'
import { addons } from 'storybook/preview-api'
import { type Language, languageOf } from '../../core/i18n/language.ts'

let now: Language = 'zh'
const listeners = new Set<() => void>()
const hear = ({ globals }: { globals: Record<string, unknown> }) => {
  now = languageOf(globals.language as string | undefined) ?? now
  for (const listener of listeners) listener()
}
for (const event of ['setGlobals', 'globalsUpdated']) addons.getChannel().on(event, hear)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language that the toolbar says, also on pages without a story. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, () => now)
