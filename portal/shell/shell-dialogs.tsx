import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useKept } from '../../core/ui/kept.ts'
import { MustRead } from '../dialogs/must-read.tsx'
import type { PortalState } from './portal-state.ts'
import type { Session } from './storage.ts'

// Each comes when somebody opens it: a first page does without the forms in them.
const AuthenticatorDialog = lazy(async () => ({
  default: (await import('../dialogs/authenticator-dialog.tsx')).AuthenticatorDialog,
}))
const LeaveDialog = lazy(async () => ({ default: (await import('../dialogs/leave-dialog.tsx')).LeaveDialog }))
const PasswordDialog = lazy(async () => ({ default: (await import('../dialogs/password-dialog.tsx')).PasswordDialog }))
const SessionsDialog = lazy(async () => ({ default: (await import('../dialogs/sessions-dialog.tsx')).SessionsDialog }))
const SettingsDialog = lazy(async () => ({ default: (await import('../dialogs/settings-dialog.tsx')).SettingsDialog }))

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
      {!forced && <MustRead />}
      <Suspense fallback={null}>
        {dialog === 'settings' && (
          <SettingsDialog settings={portal.settings} narrow={narrow} onSave={portal.setSettings} close={close} />
        )}
        {dialog === 'leave' && <LeaveDialog close={close} />}
        {dialog === 'sessions' && <SessionsDialog close={close} />}
        {dialog === 'authenticator' && <AuthenticatorDialog close={close} />}
        {(dialog === 'password' || forced) && (
          <PasswordDialog
            forced={forced}
            close={changed => {
              close()
              if (changed) portal.hold({ ...session, passwordUpdateStatus: 0 })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
