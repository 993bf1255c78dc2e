import { type CSSProperties, lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useRead } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import { homePath, type Page } from '../../core/contract/pages.ts'
import { home } from '../../core/contract/portal/home.ts'
import { user } from '../../core/contract/user/user.ts'
import { useHost } from '../../core/element/context.ts'
import type { Language } from '../../core/i18n/language.ts'
import { eatDate } from '../../core/rules/time.ts'
import { watermarkOf } from '../watermark.ts'
import { useLeave } from './leaving.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { badgesOf } from './menu/badges.ts'
import { keptMenu } from './menu/menu.ts'
import { useNarrow } from './menu/narrow.tsx'
import { useGoKey, useHelpKey } from './palette/go-keys.ts'
import type { PortalState } from './portal-state.ts'
import { ShellDialogs, useShellDialog } from './shell-dialogs.tsx'
import { ShellHeader } from './shell-header.tsx'
import { useSide } from './shell-side.tsx'
import { keepLangList, readLangList, type Session } from './storage.ts'
import { useLive } from './use-live.ts'

const PortalKeys = lazy(async () => ({ default: (await import('./palette/portal-keys.tsx')).PortalKeys }))

type Props = {
  portal: PortalState
  session: Session
  route: Page
  onSignOut: () => void
  onEnded: () => void
  children: ReactNode
}

/** Rights and menu follow the server: read once per page load and language, and kept for the next reload. */
const useFreshSelf = (portal: PortalState, session: Session) => {
  const host = useHost()
  const { data } = useRead(user.self, host.props.token ? {} : null, { background: true })
  const { hold } = portal
  useEffect(() => {
    if (data && JSON.stringify({ token: session.token, ...data }) !== JSON.stringify(session))
      hold({ token: session.token, ...data })
  }, [data, session, hold])
}

/** The languages that the server offers, kept in this browser until it says others. Who works in one that is offered no more goes on in the default. */
const useLanguages = ({ language, setLanguage }: PortalState): readonly Language[] => {
  const { data } = useRead(common.languages, {}, { background: true })
  useEffect(() => {
    if (!data || data.list.some(one => one.code === language)) return
    const next = data.list.find(one => one.isDefault) ?? data.list[0]
    if (next) setLanguage(next.code)
  }, [data, language, setLanguage])
  return useMemo(() => {
    if (data) keepLangList(data.list)
    return readLangList()
  }, [data])
}

/** The sign-in name and the day over every page but Home, where the business wants them: drawers and dialogs inherit it. */
const markOf = ({ watermark, userInfo }: Session, { path }: Page): CSSProperties | undefined =>
  watermark && path !== homePath
    ? ({ '--mk-watermark': watermarkOf(`${userInfo.loginId} ${eatDate(new Date())}`) } as CSSProperties)
    : undefined

/** Header, menu and the page. */
export const Shell = ({ portal, session, route, onSignOut, onEnded, children }: Props) => {
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const languages = useLanguages(portal)
  const { dialog, open, close } = useShellDialog()
  useFreshSelf(portal, session)
  useLive(session.token, onEnded)
  const menu = keptMenu(session.userMenu)
  const forced = session.passwordUpdateStatus === 1
  const { data: waiting } = useRead(home.mine, forced ? null : {}, { background: true, follows: true })
  const badges = badgesOf(waiting?.queues ?? [])
  const across = isNarrow || portal.settings.menuStyle === 'crosswise'
  const leave = useLeave()
  const go = (path: string) => leave(() => navigate(path))
  useGoKey('h', () => go(homePath))
  const nodes = { menu, badges, current: route.path, go }
  const { toggle, side } = useSide(across, nodes)
  const [helping, setHelping] = useState(false)
  useHelpKey(() => setHelping(true))
  return (
    <div className="mk-shell" data-menu={across ? 'crosswise' : 'vertical'} style={markOf(session, route)}>
      <LoadingBar />
      <ShellHeader
        across={across}
        toggle={toggle}
        portal={portal}
        session={session}
        route={route}
        languages={languages}
        nodes={nodes}
        open={open}
        onSignOut={onSignOut}
      />
      <div className="mk-below">
        {side}
        <main className="mk-main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {helping && (
        <Suspense fallback={null}>
          <PortalKeys close={() => setHelping(false)} />
        </Suspense>
      )}
      <ShellDialogs portal={portal} session={session} narrow={isNarrow} dialog={dialog} close={close} />
    </div>
  )
}
