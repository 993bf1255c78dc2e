import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useKept } from '../../core/ui/kept.ts'
import { LeaveDialog } from '../dialogs/leave-dialog.tsx'
import { MustRead } from '../dialogs/must-read.tsx'
import { PasswordDialog } from '../dialogs/password-dialog.tsx'
import { SessionsDialog } from '../dialogs/sessions-dialog.tsx'
import { SettingsDialog } from '../dialogs/settings-dialog.tsx'
import type { PortalState } from './portal-state.ts'
import type { Session } from './storage.ts'

const AuthenticatorDialog = lazy(async () => ({
  default: (await import('../dialogs/authenticator-dialog.tsx')).AuthenticatorDialog,
}))

const dialogs = ['settings', 'password', 'leave', 'sessions', 'authenticator'] as const
export type ShellDialog = (typeof dialogs)[number]

/** The one dialog of the user menu that is open; `?dialog=sessions` in the address opens it too. */
export const useShellDialog = () => {
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

type Props = { portal: PortalState; session: Session; narrow: boolean; dialog: ShellDialog | null; close: () => void }

/** The dialogs of the user menu, and those that nobody gets past: a first password, what must be read. */
export const ShellDialogs = ({ portal, session, narrow, dialog, close }: Props) => {
  const forced = session.passwordUpdateStatus === 1
  return (
    <>
      {dialog === 'settings' && (
        <SettingsDialog settings={portal.settings} narrow={narrow} onSave={portal.setSettings} close={close} />
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
    </>
  )
}
