import { useText } from '../../core/element/i18n.ts'
import type { Language } from '../../core/i18n/language.ts'
import type { PortalState } from './portal-state.ts'
import type { ShellDialog } from './shell-dialogs.tsx'
import type { Settings } from './storage.ts'

type Given = {
  portal: PortalState
  languages: readonly Language[]
  open: (dialog: ShellDialog) => void
  onSignOut: () => void
}

/** What the palette offers besides pages and records. */
export const useCommands = ({ portal, languages, open, onSignOut }: Given) => {
  const t = useText()
  const set = (change: Partial<Settings>) => portal.setSettings({ ...portal.settings, ...change })
  return [
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
}
