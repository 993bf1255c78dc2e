import { useState } from 'react'
import { fieldErrors } from '../../core/client/errors.ts'
import { useSelf } from '../../core/client/providers.tsx'
import { user } from '../../core/contract/user/user.ts'
import { useText } from '../../core/element/i18n.ts'
import { PasswordRules } from '../../core/engine/account/password-rules.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { Button, TextField } from '../../core/ui/basics.ts'
import { Labelled } from '../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'

const names = ['oldPassword', 'newPassword', 'confirmPassword'] as const
type Values = Record<(typeof names)[number], string>

/** Changes one's own password; one that must be changed leaves no other way. */
export const PasswordDialog = ({ forced, close }: { forced: boolean; close: (changed?: boolean) => void }) => {
  const t = useText()
  const { data } = useSelf()
  const words = data ? [data.userInfo.loginId, data.userInfo.realName, data.userInfo.userName] : []
  const { send, busy } = useCommand()
  const [values, setValues] = useState<Values>({ oldPassword: '', newPassword: '', confirmPassword: '' })
  const [errors, setErrors] = useState<Partial<Values>>({})
  const change = async () => {
    if (values.newPassword !== values.confirmPassword)
      return setErrors({ confirmPassword: t('validation.pwdMismatch') })
    const outcome = await send(user.changePwd, values, {
      done: ({ ended }) => t('shell.passwordChanged', { n: ended }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  return (
    <ModalDialog
      open
      onClose={forced ? undefined : () => close()}
      title={t('shell.changePassword')}
      description={forced ? t('errors.passwordFirst') : undefined}
      footer={
        <>
          {!forced && <DialogCancel />}
          <Button loading={busy} disabled={names.some(name => !values[name])} onClick={() => void change()}>
            {t('shell.changePassword')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        {names.map(name => (
          <Labelled key={name} label={t(`fields.${name}`)} error={errors[name]}>
            {tied => (
              <TextField.Root
                {...tied}
                type="password"
                autoComplete={name === 'oldPassword' ? 'current-password' : 'new-password'}
                value={values[name]}
                onChange={event => {
                  setValues({ ...values, [name]: event.target.value })
                  setErrors({})
                }}
                onKeyDown={event => void (event.key === 'Enter' && void change())}
              />
            )}
          </Labelled>
        ))}
        <PasswordRules {...values} words={words} />
      </div>
    </ModalDialog>
  )
}
