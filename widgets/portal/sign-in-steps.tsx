import { useEffect, useRef, useState } from 'react'
import { CodeForm, kinds, useTyping } from '../../core/client/code-form.tsx'
import { deviceMark } from '../../core/client/device.ts'
import { CallError, fieldErrors } from '../../core/client/errors.ts'
import { useClient } from '../../core/client/providers.tsx'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import type { Offer } from '../../core/contract/user/mfa.ts'
import { type NextStep, signIn } from '../../core/contract/user/sign-in.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { ConfirmBinding, Field } from '../../core/engine/account/authenticator-bind.tsx'
import { PasswordRules } from '../../core/engine/account/password-rules.tsx'
import { RecoveryCodes } from '../../core/engine/account/recovery-codes.tsx'
import sheet from '../../core/engine/engine.css?sheet'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { Button, Callout, Flex, Text } from '../../core/ui/basics.ts'
import { Back, type StepProps } from './sign-in-back.tsx'

/** The next step says that it worked. */
const quietly = { done: () => null }

/** The code of the authenticator, or one of those on paper. */
export const MfaStep = ({ challengeId, next, back }: StepProps) => {
  useSheet(sheet)
  const t = useText()
  const client = useClient()
  const prove = async (code: string) => {
    try {
      next(await client.call(signIn.verifyMfa, { challengeId, code, deviceMark: deviceMark() }))
    } catch (failed) {
      if (failed instanceof CallError && fieldErrors(failed).code === undefined) return back(failed.message)
      throw failed
    }
  }
  const typing = useTyping(prove, back)
  const isTotp = typing.kind === 'totp'
  return (
    <Flex direction="column" gap="3" mt="4" mb="4">
      <Text as="p" size="2">
        {t(isTotp ? 'login.mfaFirst' : 'login.recoveryFirst')}
      </Text>
      <CodeForm {...typing} />
      <Button loading={typing.busy} onClick={() => typing.submit()}>
        {t('login.signIn')}
      </Button>
      <Button type="button" variant="ghost" onClick={typing.change}>
        {t(kinds[typing.kind].other)}
      </Button>
      <Back back={back} />
    </Flex>
  )
}

type Bound = OutputOf<typeof signIn.bindMfa>

/** Somebody without an authenticator binds one before the console opens. */
export const BindStep = ({ challengeId, next, back }: StepProps) => {
  useSheet(sheet)
  const t = useText()
  const { send, busy } = useCommand()
  const [offer, setOffer] = useState<Offer | null>(null)
  const [bound, setBound] = useState<Bound | null>(null)
  const begun = useRef(false)
  const draw = async () => {
    const outcome = await send(signIn.mfaQr, { challengeId }, quietly)
    if (outcome.is === 'done') setOffer(outcome.answer)
    else back()
  }
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void draw()
  })
  if (bound) {
    const { recoveryCodes, ...step } = bound
    return <RecoveryCodes codes={recoveryCodes} kept={() => next(step)} go={t('login.continue')} />
  }
  return (
    <Flex direction="column" gap="3" mt="4">
      <Text as="p" size="2">
        {t('login.bindFirst')}
      </Text>
      {offer && (
        <ConfirmBinding
          offer={offer}
          drawn={drawn => (drawn ? setOffer(drawn) : back())}
          bound={setBound}
          confirm={code => send(signIn.bindMfa, { challengeId, code, deviceMark: deviceMark() }, quietly)}
          refresh={() => send(signIn.mfaQr, { challengeId }, quietly)}
          busy={busy}
        />
      )}
      <Back back={back} />
    </Flex>
  )
}

type Passwords = { newPassword: string; confirmPassword: string }
type PasswordsProps = {
  words: string
  /** Sends them; throws the refusal. */
  give: (passwords: Passwords) => Promise<void>
  back: (why?: string) => void
}

/** What is typed twice, and its sending. A refusal that is at neither field stands below them. */
const usePasswords = (give: PasswordsProps['give']) => {
  const t = useText()
  const [values, setValues] = useState({ newPassword: '', confirmPassword: '' })
  const [errors, setErrors] = useState<Record<string, string | undefined>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const set = async () => {
    if (values.newPassword !== values.confirmPassword)
      return setErrors({ confirmPassword: t('validation.pwdMismatch') })
    setBusy(true)
    setRefusal(null)
    try {
      await give(values)
    } catch (failed) {
      const placed = failed instanceof CallError ? fieldErrors(failed) : {}
      setErrors(placed)
      if (!placed.newPassword && !placed.confirmPassword)
        setRefusal(failed instanceof CallError ? failed.message : t('common.noConnection'))
    } finally {
      setBusy(false)
    }
  }
  const type = (name: keyof typeof values, text: string) => {
    setValues({ ...values, [name]: text })
    setErrors({})
  }
  return { values, errors, refusal, busy, set, type }
}

/** A password is chosen, with what it must be ticked off while it is typed. */
const ChoosePassword = ({ words, give, back }: PasswordsProps) => {
  useSheet(sheet)
  const t = useText()
  const { values, errors, refusal, busy, set, type } = usePasswords(give)
  return (
    <form
      className="mk-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void set()
      }}
    >
      <Text as="p" size="2">
        {words}
      </Text>
      {(['newPassword', 'confirmPassword'] as const).map(name => (
        <Field
          key={name}
          first={name === 'newPassword'}
          type="password"
          autoComplete="new-password"
          label={t(`fields.${name}`)}
          value={values[name]}
          error={errors[name]}
          disabled={busy}
          set={value => type(name, value)}
        />
      ))}
      <PasswordRules oldPassword="" newPassword={values.newPassword} words={[]} />
      {refusal && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Text>{refusal}</Callout.Text>
        </Callout.Root>
      )}
      <Button size="3" type="submit" loading={busy} disabled={!values.newPassword || !values.confirmPassword}>
        {t('login.setPassword')}
      </Button>
      <Back back={back} />
    </form>
  )
}

/** A person whose password may not stay sets another one. */
export const ChangeStep = ({ challengeId, next, back }: StepProps) => {
  const t = useText()
  const client = useClient()
  const give = async (passwords: Passwords) =>
    next(await client.call(signIn.changePwd, { challengeId, ...passwords, deviceMark: deviceMark() }))
  return <ChoosePassword words={t('login.mustChange')} give={give} back={back} />
}

type LinkProps = { link: string; next: (step: NextStep, challengeId: string) => void; back: () => void }

/** Somebody came with a one-time link and sets the password. */
export const LinkStep = ({ link, next, back }: LinkProps) => {
  const t = useText()
  const client = useClient()
  const give = async (passwords: Passwords) => {
    const { challengeId } = await client.call(signIn.challenge, {})
    next(await client.call(signIn.openLink, { challengeId, link, ...passwords }), challengeId)
  }
  return <ChoosePassword words={t('login.choosePassword')} give={give} back={back} />
}
