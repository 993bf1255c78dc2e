import { type ReactNode, use, useDeferredValue, useEffect } from 'react'
import { BrowserRouter, Navigate, useLocation, useNavigate } from 'react-router-dom'
import { useRead } from '../core/client/providers.tsx'
import { common } from '../core/contract/common/common.ts'
import { exports } from '../core/contract/common/exports.ts'
import { announcement } from '../core/contract/operation/announcement.ts'
import { loginPath, type Page } from '../core/contract/pages.ts'
import { home } from '../core/contract/portal/home.ts'
import { message } from '../core/contract/portal/message.ts'
import { leave } from '../core/contract/schedule/leave.ts'
import { session } from '../core/contract/user/session.ts'
import { user } from '../core/contract/user/user.ts'
import { useHost } from '../core/element/context.ts'
import { TextContext, useBesides, useText, wordsFor } from '../core/element/i18n.ts'
import { useSheet } from '../core/element/styles.ts'
import { type Screen, screen } from '../core/engine/screen.ts'
import { Shell } from './dialogs/late.tsx'
import sheet from './portal.css?sheet'
import { guard } from './shell/guard.ts'
import { Leaving, useLeave } from './shell/leaving.tsx'
import { NarrowStrip } from './shell/menu/narrow.tsx'
import { NotYet } from './shell/not-yet.tsx'
import { PageTitle } from './shell/page-title.tsx'
import { type PortalState, usePortal } from './shell/portal-state.ts'
import { ScreenFrame } from './shell/screen-frame.tsx'
import { dropSession, noteRecent, readLanguage, readSession, type Session } from './shell/storage.ts'
import { useCallErrors } from './shell/use-call-errors.ts'
import { useSigning } from './shell/use-signing.ts'
import { VersionNotice } from './shell/version-notice.tsx'
import { useAlert, WarningStrip } from './shell/warning-strip.tsx'

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

type ShownProps = {
  portal: PortalState
  decision: Extract<ReturnType<typeof guard>, { route: unknown }>
  signing: ReturnType<typeof useSigning>
}

/** The words of what is shown once somebody has signed in: a sign-in does not wait for them. */
const ShellWords = ({ children }: { children: ReactNode }) => {
  const { tag, props } = useHost()
  const spoken = use(wordsFor(useDeferredValue(props.language), tag, portalCalls, 'shell'))
  return <TextContext value={useBesides(spoken)}>{children}</TextContext>
}

/** The page itself, in the shell once somebody has signed in. */
const Shown = ({ portal, decision, signing }: ShownProps) => {
  const navigate = useNavigate()
  const leave = useLeave()
  const { session } = portal
  const { signedOut, signOut } = signing
  const frame =
    decision.go === 'planned' ? (
      <>
        <PageTitle page={decision.route} />
        <NotYet go={navigate} />
      </>
    ) : (
      <ScreenFrame key={decision.route.tag} route={decision.route} portal={portal} signing={signing} />
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
        <ShellWords>
          <Shell
            portal={portal}
            session={session}
            route={decision.route}
            onSignOut={() => leave(() => void signOut())}
            onEnded={() => signedOut(false)}
          >
            {frame}
          </Shell>
        </ShellWords>
      )}
    </div>
  )
}

const Routed = () => {
  const portal = usePortal()
  const host = useHost()
  const t = useText()
  const location = useLocation()
  const { session } = portal
  const signing = useSigning(portal)
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
  return <Shown portal={portal} decision={decision} signing={signing} />
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

/** A signed-in person needs the words of the shell as soon as its code is there. */
if (readSession()) wordsFor(readLanguage(), 'mkopo-portal', portalCalls, 'shell').catch(() => undefined)

/** The console: address, session, menu, and the screen element of the page. */
export default screen(portalCalls, () => <Portal />, []) satisfies Screen
