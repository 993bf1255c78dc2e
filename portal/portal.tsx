import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { BrowserRouter, Navigate, useLocation, useNavigate } from 'react-router-dom'
import { mutate } from 'swr'
import { call } from '../core/client/call.ts'
import { CallError } from '../core/client/errors.ts'
import { useRead } from '../core/client/providers.tsx'
import { common } from '../core/contract/common/common.ts'
import { exports } from '../core/contract/common/exports.ts'
import { announcement } from '../core/contract/operation/announcement.ts'
import { homePath, loginPath, type Page } from '../core/contract/pages.ts'
import { home } from '../core/contract/portal/home.ts'
import { message } from '../core/contract/portal/message.ts'
import { leave } from '../core/contract/schedule/leave.ts'
import { Displaced, session } from '../core/contract/user/session.ts'
import { user } from '../core/contract/user/user.ts'
import { useHost } from '../core/element/context.ts'
import { useText } from '../core/element/i18n.ts'
import { useSheet } from '../core/element/styles.ts'
import { type Screen, screen } from '../core/engine/screen.ts'
import type { Language } from '../core/i18n/language.ts'
import { Shell } from './dialogs/late.tsx'
import sheet from './portal.css?sheet'
import { guard } from './shell/guard.ts'
import { Leaving, useLeave } from './shell/leaving.tsx'
import { NarrowStrip } from './shell/menu/narrow.tsx'
import { NotYet } from './shell/not-yet.tsx'
import { PageTitle } from './shell/page-title.tsx'
import { ScreenFrame } from './shell/screen-frame.tsx'
import {
  dropSession,
  keepDisplaced,
  keepLanguage,
  keepReturn,
  keepSession,
  keepSettings,
  noteRecent,
  readDisplaced,
  readLanguage,
  readSession,
  readSettings,
  type Session,
  type Settings,
  showTheme,
  takeReturn,
} from './shell/storage.ts'
import { useCallErrors } from './shell/use-call-errors.ts'
import { VersionNotice } from './shell/version-notice.tsx'
import { useAlert, WarningStrip } from './shell/warning-strip.tsx'

const baseUrl = '/api/hc/web'

/** The session, the settings and the language of this browser, and the ways they change. */
const usePortal = () => {
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

/** Asks with a token that is no longer good what became of it. */
const whyEnded = async (token: string): Promise<Displaced | null> => {
  const answer = await call({ baseUrl, token: () => token, language: readLanguage }, user.self, {}).catch(
    (error: unknown) => error,
  )
  return answer instanceof CallError ? (Displaced.safeParse(answer.data).data ?? null) : null
}

/** The title of the tab: what is unread and which warnings are open, the page, the product. */
const Titled = ({ route, session }: { route: Page; session: Session | null }) => {
  const t = useText()
  const title = t.maybe(`screens.${route.tag}`)
  const ready = session !== null && session.passwordUpdateStatus !== 1
  const { data } = useRead(message.count, ready ? {} : null, { background: true })
  const open = useAlert(ready)?.open ?? 0
  const n = open + (ready && data ? data.unread + data.announcements : 0)
  const unread = n ? `(${n}) ` : ''
  useEffect(() => {
    document.title = unread + (title ? `${title} · ${t('systems.product')}` : t('systems.product'))
  }, [t, title, unread])
  return null
}

/** Pages that are on the menu are remembered for Home. */
const useRecent = (route: Page | null, session: Session | null) => {
  const name = route && !['Index', 'AdminContent', 'OrderDetailAudit'].includes(route.system) ? route.name : null
  const userNo = session?.userInfo.userNo
  useEffect(() => {
    if (name && userNo) noteRecent(userNo, name)
  }, [name, userNo])
}

const Routed = () => {
  const portal = usePortal()
  const host = useHost()
  const t = useText()
  const location = useLocation()
  const navigate = useNavigate()
  const leave = useLeave()
  const { session, hold, end, setDisplaced } = portal
  const decision = guard(location.pathname, {
    token: session?.token ?? null,
    allowedPaths: session?.allowedPaths ?? [],
  })
  useCallErrors(session !== null)
  useRecent(decision.go === 'show' ? decision.route : null, session)
  const warned = decision.go === 'redirect' && decision.toast ? location.key : null

  useEffect(() => {
    if (warned) host.emit('mkopo-toast', { type: 3, message: t('shell.noAccess') })
  }, [warned, host, t])

  const signedOut = useCallback(
    (asked: boolean) => {
      if (!asked && session) {
        keepReturn({ path: location.pathname + location.search, userNo: session.userInfo.userNo })
        void whyEnded(session.token).then(why =>
          why ? setDisplaced(why) : host.emit('mkopo-toast', { type: 3, message: t('errors.sessionEnded') }),
        )
      }
      end()
      navigate(loginPath, { replace: true })
    },
    [session, location, host, t, end, navigate, setDisplaced],
  )
  useEffect(() => {
    const { element } = host
    const expired = (event: Event) => {
      event.preventDefault()
      if (session) signedOut(false)
    }
    element.addEventListener('mkopo-token-expired', expired)
    return () => element.removeEventListener('mkopo-token-expired', expired)
  }, [host, session, signedOut])
  const signOut = async () => {
    if (session)
      await call({ baseUrl, token: () => session.token, language: () => portal.language }, user.signOut, {}, {}).catch(
        () => undefined,
      )
    signedOut(true)
  }
  const signedIn = (next: Session) => {
    hold(next)
    navigate(takeReturn(next.userInfo.userNo) ?? homePath, { replace: true })
  }
  useEffect(() => {
    if (decision.go === 'signOut') dropSession()
  }, [decision.go])

  if (decision.go === 'redirect')
    return (
      <Navigate
        to={decision.to + (decision.to.toLowerCase() === location.pathname.toLowerCase() ? location.search : '')}
        replace
      />
    )
  if (decision.go === 'signOut') return <Navigate to={loginPath} replace />
  const frame =
    decision.go === 'planned' ? (
      <>
        <PageTitle page={decision.route} />
        <NotYet go={navigate} />
      </>
    ) : (
      <ScreenFrame key={decision.route.tag} route={decision.route} portal={portal} onSignedIn={signedIn} />
    )
  return (
    <div className="mk-page">
      <Titled route={decision.route} session={session} />
      <div className="mk-strips">
        <VersionNotice />
        {session && <WarningStrip ready={session.passwordUpdateStatus !== 1} />}
        {session && <NarrowStrip />}
      </div>
      {decision.route.path === loginPath || !session ? (
        frame
      ) : (
        <Shell
          portal={portal}
          session={session}
          route={decision.route}
          onSignOut={() => leave(() => void signOut())}
          onEnded={() => signedOut(false)}
        >
          {frame}
        </Shell>
      )}
    </div>
  )
}

const Portal = () => {
  useSheet(sheet)
  return (
    <BrowserRouter>
      <Leaving>
        <Routed />
      </Leaving>
    </BrowserRouter>
  )
}

const portalCalls = [
  user.self,
  user.signOut,
  user.changePwd,
  common.approvals,
  common.approve,
  common.reject,
  common.withdraw,
  common.lookup,
  common.languages,
  message.page,
  message.count,
  message.markRead,
  exports.page,
  exports.cancel,
  exports.retry,
  exports.file,
  home.mine,
  session.mine,
  session.revokeOthers,
  leave.page,
  leave.apply,
  leave.cancel,
  leave.audit,
  announcement.mine,
  announcement.read,
]

/** The console: address, session, menu, and the screen element of the page. */
export default screen(portalCalls, () => <Portal />) satisfies Screen
