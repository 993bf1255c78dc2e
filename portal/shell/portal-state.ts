import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { mutate } from 'swr'
import type { Displaced } from '../../core/contract/user/session.ts'
import { useHost } from '../../core/element/context.ts'
import type { Language } from '../../core/i18n/language.ts'
import {
  dropSession,
  keepDisplaced,
  keepLanguage,
  keepSession,
  keepSettings,
  readDisplaced,
  readLanguage,
  readSession,
  readSettings,
  type Session,
  type Settings,
  showTheme,
} from './storage.ts'

/** The session, the settings and the language of this browser, and the ways they change. */
export const usePortal = () => {
  const host = useHost()
  const [session, setSession] = useState(readSession)
  const [settings, setSettings] = useState(readSettings)
  const [language, setLanguage] = useState(readLanguage)
  const [displaced, setDisplaced] = useState(readDisplaced)

  useEffect(() => {
    host.element.setAttribute('language', language)
    document.documentElement.lang = language
  }, [host.element, language])
  useLayoutEffect(() => {
    showTheme(settings)
    if (settings.theme) host.element.setAttribute('theme', settings.theme)
    else host.element.removeAttribute('theme')
    if (settings.density) host.element.setAttribute('density', settings.density)
    else host.element.removeAttribute('density')
  }, [host.element, settings])

  return useMemo(
    () => ({
      session,
      settings,
      language,
      displaced,
      hold: (next: Session) => {
        // Before what needs it is drawn, so that no call goes out without it.
        host.element.setAttribute('token', next.token)
        keepSession(next)
        setDisplaced(null)
        setSession(next)
      },
      end: () => {
        host.element.removeAttribute('token')
        dropSession()
        void mutate(() => true, undefined, { revalidate: false })
        setSession(null)
      },
      setDisplaced: (next: Displaced) => {
        keepDisplaced(next)
        setDisplaced(next)
      },
      setLanguage: (next: Language) => {
        keepLanguage(next)
        setLanguage(next)
      },
      setSettings: (next: Settings) => {
        keepSettings(next)
        setSettings(next)
      },
    }),
    [host.element, session, settings, language, displaced],
  )
}
export type PortalState = ReturnType<typeof usePortal>
