import { useState } from 'react'
import { fieldErrors } from '../core/client/errors.ts'
import { useSelf } from '../core/client/providers.tsx'
import { user } from '../core/contract/user.ts'
import { useText } from '../core/element/i18n.ts'
import { useCommand } from '../core/engine/use-command.ts'
import { brokenRules, passwordRules } from '../core/rules/password.ts'
import { Button, TextField } from '../core/ui/basics.ts'
import { Icon } from '../core/ui/icons.tsx'
import { Labelled } from '../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../core/ui/modal-dialog.tsx'

const names = ['oldPassword', 'newPassword', 'confirmPassword'] as const
type Values = Record<(typeof names)[number], string>

/** What a new password must be, each line ticked as soon as it is; the server also knows the name of the company. */
const Checklist = ({ values }: { values: Values }) => {
  const t = useText()
  const { data } = useSelf()
  const words = data ? [data.userInfo.loginId, data.userInfo.realName, data.userInfo.userName] : []
  const broken = values.newPassword ? brokenRules({ ...values, words }) : passwordRules
  return (
    <ul className="mk-checklist" aria-label={t('shell.passwordRules')}>
      {passwordRules.map(rule => {
        const kept = !broken.includes(rule)
        return (
          <li key={rule} data-kept={kept || undefined}>
            <Icon name={kept ? 'check' : 'minus'} size={12} label={t(kept ? 'shell.ruleKept' : 'shell.ruleOpen')} />{' '}
            {t(`shell.rule.${rule}`)}
          </li>
        )
      })}
    </ul>
  )
}

/** Changes one's own password; one that must be changed leaves no other way. */
export const PasswordDialog = ({ forced, close }: { forced: boolean; close: (changed?: boolean) => void }) => {
  const t = useText()
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
        <Checklist values={values} />
      </div>
    </ModalDialog>
  )
}
