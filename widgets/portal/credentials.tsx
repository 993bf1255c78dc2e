import { type KeyboardEvent, lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { CallError } from '../../core/client/errors.ts'
import { useClient } from '../../core/client/providers.tsx'
import { type NextStep, type Slide, signIn } from '../../core/contract/user/sign-in.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import type { Key } from '../../core/i18n/index.ts'
import { Button, Callout, IconButton, Text, TextField } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'

type Given = { username: string; password: string }
type CredentialsProps = {
  values: Given
  setValues: (values: Given) => void
  next: (step: NextStep, challengeId: string) => void
}
/** A sign-in that waits for its slide. */
type Sliding = { challengeId: string; slide: Slide }

/** Sends name and password, after the slide where one is asked for; a password that was wrong is typed again. */
const useSignIn = ({ values, setValues, next }: CredentialsProps) => {
  const host = useHost()
  const client = useClient()
  const password = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<Key | null>(null)
  const [busy, setBusy] = useState(false)
  const [sliding, setSliding] = useState<Sliding | null>(null)
  const username = values.username.trim()

  const failed = (why: unknown) => {
    if (why instanceof CallError) host.emit('mkopo-toast', { type: 4, message: why.message, ms: 2000 })
    else setError('common.noConnection')
    setSliding(null)
    setValues({ ...values, password: '' })
    password.current?.focus()
  }
  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    await work()
      .catch(failed)
      .finally(() => setBusy(false))
  }
  const login = async (challengeId: string, slideToken?: string) => {
    const given = { challengeId, username, password: values.password, ...(slideToken ? { slideToken } : {}) }
    const answer = await client.call(signIn.login, given)
    setSliding(null)
    next(answer, challengeId)
  }
  const begin = (isSlideWanted: boolean) =>
    during(async () => {
      const { challengeId, slide } = await client.call(signIn.challenge, { username, slideWanted: isSlideWanted })
      if (slide) setSliding({ challengeId, slide })
      else await login(challengeId)
    })
  const start = () => {
    if (!username || !values.password) return setError('validation.loginEmpty')
    void begin(Boolean((host.props as Record<string, string | undefined>).slideWanted))
  }
  const slid = ({ challengeId }: Sliding, slideToken: string) => during(() => login(challengeId, slideToken))
  return { password, error, busy, sliding, start, slid, failed, begin, leave: () => setSliding(null) }
}

type PasswordProps = {
  field: RefObject<HTMLInputElement | null>
  value: string
  busy: boolean
  onKeyUp: (event: KeyboardEvent) => void
  onChange: (given: string) => void
}

const Password = ({ field, value, busy, onKeyUp, onChange }: PasswordProps) => {
  const t = useText()
  const [shown, setShown] = useState(false)
  return (
    <TextField.Root
      id="password"
      ref={field}
      size="3"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      disabled={busy}
      value={value}
      aria-describedby="login-hints"
      onKeyUp={onKeyUp}
      onChange={event => onChange(event.target.value)}
    >
      <TextField.Slot side="right">
        <IconButton
          type="button"
          size="1"
          variant="ghost"
          color="gray"
          aria-pressed={shown}
          aria-label={t('login.showPassword')}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </IconButton>
      </TextField.Slot>
    </TextField.Root>
  )
}

const SlideDialog = lazy(async () => ({ default: (await import('./slide-dialog.tsx')).SlideDialog }))

/** The slide of a sign-in that has to show one. */
const Puzzle = ({ sliding, slid, failed, begin, leave }: ReturnType<typeof useSignIn>) =>
  sliding && (
    <Suspense>
      <SlideDialog
        key={sliding.challengeId}
        challengeId={sliding.challengeId}
        slide={sliding.slide}
        done={token => void slid(sliding, token)}
        failed={failed}
        again={() => void begin(true)}
        cancel={leave}
      />
    </Suspense>
  )

/** User name and password; whatever is wrong with them, the answer is the same. */
export const Credentials = ({ values, setValues, next }: CredentialsProps) => {
  const t = useText()
  const signing = useSignIn({ values, setValues, next })
  const { password, error, busy, start } = signing
  const [caps, setCaps] = useState(false)
  const capsLock = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        start()
      }}
    >
      <label htmlFor="username">{t('login.username')}</label>
      <TextField.Root
        id="username"
        size="3"
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        disabled={busy}
        value={values.username}
        onChange={event => setValues({ ...values, username: event.target.value })}
      />
      <label htmlFor="password">{t('login.password')}</label>
      <Password
        field={password}
        value={values.password}
        busy={busy}
        onKeyUp={capsLock}
        onChange={given => setValues({ ...values, password: given })}
      />
      <div id="login-hints" className="mk-login-hints" aria-live="polite">
        {caps && (
          <Text size="1" color="amber">
            {t('login.capsLock')}
          </Text>
        )}
      </div>
      {error && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Text>{t(error)}</Callout.Text>
        </Callout.Root>
      )}
      <Button size="3" type="submit" loading={busy}>
        {t('login.signIn')}
      </Button>
      <Puzzle {...signing} />
    </form>
  )
}
