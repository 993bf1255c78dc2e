import { useEffect, useRef, useState } from 'react'
import { deviceMark } from '../../core/client/device.ts'
import { CallError, fieldErrors } from '../../core/client/errors.ts'
import { useClient } from '../../core/client/providers.tsx'
import type { OutputOf } from '../../core/contract/endpoint.ts'
import type { Offer } from '../../core/contract/user/mfa.ts'
import { type NextStep, user } from '../../core/contract/user/user.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { ConfirmBinding, Field } from '../../core/engine/account/authenticator-bind.tsx'
import { PasswordRules } from '../../core/engine/account/password-rules.tsx'
import { RecoveryCodes } from '../../core/engine/account/recovery-codes.tsx'
import sheet from '../../core/engine/engine.css?sheet'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { Button, Callout, Flex, Text } from '../../core/ui/basics.ts'

/** The next step says that it worked. */
const quietly = { done: () => null }

type Bound = OutputOf<typeof user.bindMfa>
type BindProps = {
  challengeId: string
  done: (session: Omit<Bound, 'recoveryCodes'>) => void
  back: () => void
}

/** Somebody without an authenticator binds one before the console opens. */
export const BindStep = ({ challengeId, done, back }: BindProps) => {
  useSheet(sheet)
  const t = useText()
  const { send, busy } = useCommand()
  const [offer, setOffer] = useState<Offer | null>(null)
  const [bound, setBound] = useState<Bound | null>(null)
  const begun = useRef(false)
  const draw = async () => {
    const outcome = await send(user.mfaQr, { challengeId }, quietly)
    if (outcome.is === 'done') setOffer(outcome.answer)
    else back()
  }
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void draw()
  })
  if (bound) {
    const { recoveryCodes, ...session } = bound
    return <RecoveryCodes codes={recoveryCodes} kept={() => done(session)} go={t('login.continue')} />
  }
  return (
    <Flex direction="column" gap="3" mt="4">
      <Text as="p" size="2">
        {t('login.bindFirst')}
      </Text>
      {offer && (
        <ConfirmBinding
          offer={offer}
          drawn={next => (next ? setOffer(next) : back())}
          bound={setBound}
          confirm={code => send(user.bindMfa, { challengeId, code, deviceMark: deviceMark() }, quietly)}
          refresh={() => send(user.mfaQr, { challengeId }, quietly)}
          busy={busy}
        />
      )}
      <Button variant="ghost" color="gray" onClick={() => back()}>
        {t('login.back')}
      </Button>
    </Flex>
  )
}

type LinkProps = { link: string; next: (step: NextStep, challengeId: string) => void; back: () => void }

/** What is typed twice, and its sending with the link. */
const useLink = ({ link, next }: Omit<LinkProps, 'back'>) => {
  const t = useText()
  const client = useClient()
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
      const { challengeId } = await client.call(user.challenge, {})
      next(await client.call(user.openLink, { challengeId, link, ...values, deviceMark: deviceMark() }), challengeId)
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

/** Somebody came with a one-time link and sets the password. */
export const LinkStep = ({ link, next, back }: LinkProps) => {
  useSheet(sheet)
  const t = useText()
  const { values, errors, refusal, busy, set, type } = useLink({ link, next })
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
        {t('login.choosePassword')}
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
      <Button type="button" variant="ghost" color="gray" onClick={back}>
        {t('login.back')}
      </Button>
    </form>
  )
}
