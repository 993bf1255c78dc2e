import { useEffect, useState } from 'react'
import { useText } from '../core/element/i18n.ts'
import { Button } from '../core/ui/basics.ts'
import { Strip } from './strip.tsx'

/** At this width and below the menu lies across, whatever is stored. */
const narrow = 1260

/** Whether the window is one of the narrow ones, also after it was resized. */
export const useNarrow = (): boolean => {
  const [is, setIs] = useState(window.innerWidth <= narrow)
  useEffect(() => {
    const look = () => setIs(window.innerWidth <= narrow)
    window.addEventListener('resize', look)
    return () => window.removeEventListener('resize', look)
  }, [])
  return is
}

const seenKey = 'narrowSeen'

/** Says once per session that the window is narrower than what the tables need. */
export const NarrowStrip = () => {
  const t = useText()
  const isNarrow = useNarrow()
  const [seen, setSeen] = useState(sessionStorage.getItem(seenKey) === '1')
  if (!isNarrow || seen) return null
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
