import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../../core/client/errors.ts'
import { mfa } from '../../core/contract/user/mfa.ts'
import { useText } from '../../core/element/i18n.ts'
import { Field } from '../../core/engine/account/authenticator-bind.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { Button, Flex, Text } from '../../core/ui/basics.ts'
import { Heading } from '../../core/ui/more.ts'

const empty = { loginId: '', reason: '' }

/** A person with the right resets the authenticator of a colleague who has lost it. */
export const ResetAuthenticator = () => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<Partial<Record<keyof typeof empty, string>>>({})
  const reset = async (event: FormEvent) => {
    event.preventDefault()
    const outcome = await send(mfa.reset, values, {
      done: ({ approvalNo, ended }) =>
        approvalNo ? t('afterLoan.sentForApproval') : t('shell.authenticatorResetDone', { n: ended }),
    })
    if (outcome.is === 'done') setValues(empty)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  return (
    <form className="mk-form" noValidate onSubmit={event => void reset(event)}>
      <Heading as="h3" size="2">
        {t('shell.authenticatorReset')}
      </Heading>
      <Text size="1" color="gray">
        {t('shell.authenticatorResetHint')}
      </Text>
      {(['loginId', 'reason'] as const).map(name => (
        <Field
          key={name}
          label={t(`fields.${name}`)}
          value={values[name]}
          error={errors[name]}
          set={value => {
            setValues({ ...values, [name]: value })
            setErrors({})
          }}
        />
      ))}
      <Flex justify="end">
        <Button type="submit" color="red" variant="soft" loading={busy} disabled={!values.loginId || !values.reason}>
          {t('shell.authenticatorReset')}
        </Button>
      </Flex>
    </form>
  )
}
