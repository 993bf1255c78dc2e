import { useEffect, useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { version } from '../../core/element/version.ts'
import { Button } from '../../core/ui/basics.ts'
import { useAnyUnsaved } from '../../core/ui/unsaved.ts'
import { ModalDialog } from '../dialogs/late.tsx'
import { Strip } from './menu/strip.tsx'
import {
  graceMs,
  isNews,
  keepVersion,
  lastTried,
  minutesLeft,
  pollMs,
  publishedVersion,
  reloadFor,
} from './version-watch.ts'

/** The version that waits for a reload; asked for while the tab is visible, and at once when it becomes so. */
const useNewVersion = (): string | null => {
  const [found, setFound] = useState<string | null>(null)
  useEffect(keepVersion, [])
  useEffect(() => {
    if (found) return
    let gone = false
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const now = Date.now()
      const published = await publishedVersion(now)
      if (!gone && isNews({ known: version, found: published, tried: lastTried(), now })) setFound(published)
    }
    const timer = setInterval(() => void look(), pollMs)
    const shown = () => void look()
    document.addEventListener('visibilitychange', shown)
    return () => {
      gone = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [found])
  return found
}

/** Counts down to the reload. */
const useCountdown = (end: () => void): number => {
  const [until] = useState(() => Date.now() + graceMs)
  const [left, setLeft] = useState(graceMs)
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until])
  useEffect(() => {
    if (left <= 0) end()
  }, [left, end])
  return left
}

const Countdown = ({ found }: { found: string }) => {
  const t = useText()
  const [reload] = useState(() => () => void reloadFor(found))
  const left = useCountdown(reload)
  return (
    <Strip
      words={t('shell.versionIn', { n: minutesLeft(left) })}
      action={
        <Button size="1" variant="soft" onClick={reload}>
          {t('shell.refreshNow')}
        </Button>
      }
    />
  )
}

/** Says that the system was updated, and reloads the page at once or in a while; what was typed is there again. */
export const VersionNotice = () => {
  const t = useText()
  const found = useNewVersion()
  const held = useAnyUnsaved()
  const [later, setLater] = useState(false)
  if (!found) return null
  if (later) return <Countdown found={found} />
  return (
    <ModalDialog
      open
      onClose={() => setLater(true)}
      title={t('shell.versionTitle')}
      description={held ? `${t('shell.versionNew')} ${t('shell.versionUnsaved')}` : t('shell.versionNew')}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={() => setLater(true)}>
            {t('shell.later')}
          </Button>
          <Button onClick={() => void reloadFor(found)}>{t('shell.refreshNow')}</Button>
        </>
      }
    />
  )
}
