import type { ReactNode } from 'react'
import { builtPages } from '../../core/contract/page-table.ts'
import { homePath, type Page } from '../../core/contract/pages.ts'
import { useText } from '../../core/element/i18n.ts'
import type { Language } from '../../core/i18n/language.ts'
import { Flex } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { DropdownMenu } from '../../core/ui/overlay/dropdown-menu.tsx'
import { Bell } from './bell.tsx'
import { CrossMenu, nameOf } from './menu/menus.tsx'
import { Find } from './palette/find.tsx'
import { pagesOf } from './palette/palette-search.ts'
import type { PortalState } from './portal-state.ts'
import { useCommands } from './shell-commands.ts'
import type { ShellDialog } from './shell-dialogs.tsx'
import { readRecent, type Session } from './storage.ts'

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

type Ways = { open: (dialog: ShellDialog) => void; onSignOut: () => void }

const UserMenu = ({ session, open, onSignOut }: Ways & { session: Session }) => {
  const t = useText()
  return (
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
  )
}

type Nodes = Parameters<typeof CrossMenu>[0]

/** Everything that can be found by typing. */
const Finder = ({ portal, session, route, languages, nodes: { menu, go }, ...ways }: HeaderProps) => {
  const t = useText()
  const pages = pagesOf(menu, node => nameOf(t, node))
  const recent = readRecent(session.userInfo.userNo).flatMap(name => {
    const path = builtPages.find(one => one.name === name)?.path.toLowerCase()
    return (
      pages.find(page => page.path.toLowerCase() === path && page.path.toLowerCase() !== route.path.toLowerCase()) ?? []
    )
  })
  const commands = useCommands({ portal, languages, ...ways })
  return (
    <Find
      pages={pages}
      recent={recent}
      auxiliary={portal.settings.miscellaneousFunctionIsOpenStatus}
      commands={commands}
      go={go}
    />
  )
}

type HeaderProps = Ways & {
  portal: PortalState
  session: Session
  route: Page
  languages: readonly Language[]
  nodes: Nodes
}

/** Product, menu where it runs across, search, messages, language and user. */
export const ShellHeader = ({ across, toggle, ...props }: HeaderProps & { across: boolean; toggle: ReactNode }) => {
  const t = useText()
  const { portal, session, languages, nodes, open, onSignOut } = props
  const { go } = nodes
  return (
    <header className="mk-header">
      {toggle}
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
        <Finder {...props} />
        <Bell ready={session.passwordUpdateStatus !== 1} />
        <LanguageSwitch languages={languages} value={portal.language} onChange={portal.setLanguage} />
        <UserMenu session={session} open={open} onSignOut={onSignOut} />
      </Flex>
    </header>
  )
}
