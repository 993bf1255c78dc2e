import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { call } from '../../core/client/call.ts'
import { CallError } from '../../core/client/errors.ts'
import { homePath, loginPath } from '../../core/contract/pages.ts'
import { Displaced } from '../../core/contract/user/session.ts'
import { user } from '../../core/contract/user/user.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import type { PortalState } from './portal-state.ts'
import { keepReturn, readLanguage, type Session, takeReturn } from './storage.ts'

const baseUrl = '/api/hc/web'

/** Asks with a token that is no longer good what became of it. */
const whyEnded = async (token: string): Promise<Displaced | null> => {
  const answer = await call({ baseUrl, token: () => token, language: readLanguage }, user.self, {}).catch(
    (error: unknown) => error,
  )
  return answer instanceof CallError ? (Displaced.safeParse(answer.data).data ?? null) : null
}

/** The ways into a session and out of it, each with the page that comes next. */
export const useSigning = (portal: PortalState) => {
  const host = useHost()
  const t = useText()
  const location = useLocation()
  const navigate = useNavigate()
  const { session, hold, end, setDisplaced } = portal
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
  return { signedOut, signOut, signedIn }
}
