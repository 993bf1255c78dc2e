import { useState, useSyncExternalStore } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import { Button } from '../../../core/ui/basics.ts'
import { Strip } from './strip.tsx'

/** Whether the window is as wide as that, or narrower, in pixels; also after it was resized. */
const useUpTo = (width: number): boolean => {
  const query = `(max-width: ${width}px)`
  return useSyncExternalStore(
    listener => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** At this width and below the menu lies across, whatever is stored. */
export const useNarrow = () => useUpTo(1260)

/** Below this width the menu at the left folds to icons. */
export const useFolded = () => useUpTo(1439)

const seenKey = 'narrowSeen'

/** Says once per session that the window is narrower than what the screens are made for. */
export const NarrowStrip = () => {
  const t = useText()
  const isSmall = useUpTo(1259)
  const [seen, setSeen] = useState(sessionStorage.getItem(seenKey) === '1')
  if (!isSmall || seen) return null
  const dismiss = () => {
    sessionStorage.setItem(seenKey, '1')
    setSeen(true)
  }
  return (
    <Strip
      words={t('shell.narrowHint')}
      action={
        <Button size="1" variant="soft" onClick={dismiss}>
          {t('shell.dismiss')}
        </Button>
      }
    />
  )
}
