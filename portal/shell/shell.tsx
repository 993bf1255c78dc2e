import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useRead } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import { homePath, type Page } from '../../core/contract/pages.ts'
import { home } from '../../core/contract/portal/home.ts'
import { routes } from '../../core/contract/routes.ts'
import { user } from '../../core/contract/user/user.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import type { Language } from '../../core/i18n/language.ts'
import { Flex, IconButton } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { useKept } from '../../core/ui/kept.ts'
import { DropdownMenu } from '../../core/ui/overlay/dropdown-menu.tsx'
import { LeaveDialog } from '../dialogs/leave-dialog.tsx'
import { MustRead } from '../dialogs/must-read.tsx'
import { PasswordDialog } from '../dialogs/password-dialog.tsx'
import { SessionsDialog } from '../dialogs/sessions-dialog.tsx'
import { SettingsDialog } from '../dialogs/settings-dialog.tsx'
import type { PortalState } from '../portal.tsx'
import { Bell } from './bell.tsx'
import { useLeave } from './leaving.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { badgesOf } from './menu/badges.ts'
import { keptMenu } from './menu/menu.ts'
import { CrossMenu, FoldedMenu, nameOf, SideMenu } from './menu/menus.tsx'
import { useFolded, useNarrow } from './menu/narrow.tsx'
import { Find } from './palette/find.tsx'
import { useGoKey, useHelpKey } from './palette/go-keys.ts'
import { pagesOf } from './palette/palette-search.ts'
import {
  keepLangList,
  keepSideShown,
  readLangList,
  readRecent,
  readSideShown,
  type Session,
  type Settings,
} from './storage.ts'
import { useLive } from './use-live.ts'

const AuthenticatorDialog = lazy(async () => ({
  default: (await import('../dialogs/authenticator-dialog.tsx')).AuthenticatorDialog,
}))
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

/** The languages that the server offers, kept in this browser until it says others. */
const useLanguages = (): readonly Language[] => {
  const { data } = useRead(common.languages, {}, { background: true })
  return useMemo(() => {
    if (data) keepLangList(data.list)
    return readLangList()
  }, [data])
}

type LanguageSwitchProps = {
  languages: readonly Language[]
  value: Language
  onChange: (language: Language) => void
}

const LanguageSwitch = ({ languages, value, onChange }: LanguageSwitchProps) => {
  const t = useText()
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger>
        <button
          type="button"
          className="mk-head-button"
          aria-label={`${t('shell.language')}: ${t(`shell.languageName.${value}`)}`}
        >
          <Icon name="globe" /> {t(`shell.languageName.${value}`)}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content size="1">
        {languages.map(language => (
          <DropdownMenu.Item key={language} onSelect={() => onChange(language)}>
            {t(`shell.languageName.${language}`)}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const dialogs = ['settings', 'password', 'leave', 'sessions', 'authenticator'] as const
type ShellDialog = (typeof dialogs)[number]

/** The one dialog of the user menu that is open; `?dialog=sessions` in the address opens it too. */
const useShellDialog = () => {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [opened, setOpened] = useKept<ShellDialog | null>('dialog', null)
  const asked = dialogs.find(one => one === new URLSearchParams(search).get('dialog'))
  return {
    dialog: asked ?? opened,
    open: setOpened,
    close: () => {
      setOpened(null)
      if (asked) navigate(pathname, { replace: true })
    },
  }
}

/** Header, menu and the page. */
export const Shell = ({ portal, session, route, onSignOut, onEnded, children }: Props) => {
  const t = useText()
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const languages = useLanguages()
  const folded = useFolded()
  const [sideShown, setSideShown] = useState(readSideShown)
  const [unfolded, setUnfolded] = useState(false)
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
  const [helping, setHelping] = useState(false)
  useHelpKey(() => setHelping(true))
  const pages = pagesOf(menu, node => nameOf(t, node))
  const recent = readRecent(session.userInfo.userNo).flatMap(name => {
    const path = routes.find(one => one.name === name)?.path.toLowerCase()
    return (
      pages.find(page => page.path.toLowerCase() === path && page.path.toLowerCase() !== route.path.toLowerCase()) ?? []
    )
  })
  const set = (change: Partial<Settings>) => portal.setSettings({ ...portal.settings, ...change })
  const commands = [
    { id: 'settings', label: t('shell.settings'), run: () => open('settings') },
    { id: 'password', label: t('shell.changePassword'), run: () => open('password') },
    { id: 'leave', label: t('shell.leave'), run: () => open('leave') },
    { id: 'sessions', label: t('shell.sessions'), run: () => open('sessions') },
    { id: 'authenticator', label: t('shell.authenticator'), run: () => open('authenticator') },
    ...languages.map(language => ({
      id: language,
      label: t(`shell.languageName.${language}`),
      hint: t('shell.language'),
      run: () => portal.setLanguage(language),
    })),
    { id: 'light', label: t('shell.themeLight'), hint: t('shell.theme'), run: () => set({ theme: 'light' }) },
    { id: 'dark', label: t('shell.themeDark'), hint: t('shell.theme'), run: () => set({ theme: 'dark' }) },
    { id: 'system', label: t('shell.themeSystem'), hint: t('shell.theme'), run: () => set({ theme: undefined }) },
    { id: 'normal', label: t('shell.densityNormal'), hint: t('shell.density'), run: () => set({ density: 'normal' }) },
    {
      id: 'compact',
      label: t('shell.densityCompact'),
      hint: t('shell.density'),
      run: () => set({ density: 'compact' }),
    },
    { id: 'signOut', label: t('shell.signOut'), run: onSignOut },
  ]
  return (
    <div className="mk-shell" data-menu={across ? 'crosswise' : 'vertical'}>
      <LoadingBar />
      <header className="mk-header">
        {!across && (
          <IconButton
            variant="ghost"
            color="gray"
            aria-label={t('shell.toggleMenu')}
            aria-expanded={folded ? unfolded : sideShown}
            onClick={() => {
              if (folded) return setUnfolded(!unfolded)
              keepSideShown(!sideShown)
              setSideShown(!sideShown)
            }}
          >
            <Icon name="menu" />
          </IconButton>
        )}
        <a
          className="mk-product"
          href={homePath}
          onClick={event => {
            event.preventDefault()
            go(homePath)
          }}
        >
          <b>Mkopo</b> <span>{t('systems.product')}</span>
        </a>
        {across && <CrossMenu {...nodes} />}
        <Flex align="center" gap="3" ml="auto" flexShrink="0">
          <Find
            pages={pages}
            recent={recent}
            auxiliary={portal.settings.miscellaneousFunctionIsOpenStatus}
            commands={commands}
            go={go}
          />
          <Bell ready={!forced} />
          <LanguageSwitch languages={languages} value={portal.language} onChange={portal.setLanguage} />
          <DropdownMenu.Root>
            <DropdownMenu.Trigger>
              <button type="button" className="mk-head-button">
                <Icon name="user" /> {session.userInfo.realName} <Icon name="chevronDown" size={12} />
              </button>
            </DropdownMenu.Trigger>
            <DropdownMenu.Content size="1">
              <DropdownMenu.Label>{session.userInfo.deptName}</DropdownMenu.Label>
              <DropdownMenu.Item onSelect={() => open('settings')}>{t('shell.settings')}</DropdownMenu.Item>
              <DropdownMenu.Item onSelect={() => open('password')}>{t('shell.changePassword')}</DropdownMenu.Item>
              <DropdownMenu.Item onSelect={() => open('leave')}>{t('shell.leave')}</DropdownMenu.Item>
              <DropdownMenu.Item onSelect={() => open('sessions')}>{t('shell.sessions')}</DropdownMenu.Item>
              <DropdownMenu.Item onSelect={() => open('authenticator')}>{t('shell.authenticator')}</DropdownMenu.Item>
              <DropdownMenu.Separator />
              <DropdownMenu.Item onSelect={onSignOut}>{t('shell.signOut')}</DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Root>
        </Flex>
      </header>
      <div className="mk-below">
        {!across &&
          (!folded ? (
            sideShown && <SideMenu {...nodes} />
          ) : unfolded ? (
            <SideMenu {...nodes} />
          ) : (
            <FoldedMenu {...nodes} />
          ))}
        <main className="mk-main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {helping && (
        <Suspense fallback={null}>
          <PortalKeys close={() => setHelping(false)} />
        </Suspense>
      )}
      {dialog === 'settings' && (
        <SettingsDialog settings={portal.settings} narrow={isNarrow} onSave={portal.setSettings} close={close} />
      )}
      {!forced && <MustRead />}
      {dialog === 'leave' && <LeaveDialog close={close} />}
      {dialog === 'sessions' && <SessionsDialog close={close} />}
      {dialog === 'authenticator' && (
        <Suspense fallback={null}>
          <AuthenticatorDialog close={close} />
        </Suspense>
      )}
      {(dialog === 'password' || forced) && (
        <PasswordDialog
          forced={forced}
          close={changed => {
            close()
            if (changed) portal.hold({ ...session, passwordUpdateStatus: 0 })
          }}
        />
      )}
    </div>
  )
}
