import { type KeyboardEvent, lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { deviceMark } from '../../core/client/device.ts'
import { CallError } from '../../core/client/errors.ts'
import { useClient, useRead } from '../../core/client/providers.tsx'
import { useDemo } from '../../core/client/use-demo.ts'
import { type NextStep, user } from '../../core/contract/user/user.ts'
import { useHost } from '../../core/element/context.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { version } from '../../core/element/version.ts'
import type { Key } from '../../core/i18n/index.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Button, Callout, Flex, IconButton, Text, TextField } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import sheet from './login.css?sheet'

/** For the portal's ears alone: it does not bubble, so that no other listener gets a token. */
const tell = (element: HTMLElement, name: 'mkopo-signed-in' | 'mkopo-language', detail: unknown) =>
  element.dispatchEvent(new CustomEvent(name, { detail }))

const Languages = () => {
  const host = useHost()
  const t = useText()
  const { data } = useRead(user.languages, {}, { background: true })
  return (
    <nav className="mk-login-languages" aria-label={t('shell.language')}>
      {(data?.list ?? []).map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-current={code === host.props.language || undefined}
          onClick={() => tell(host.element, 'mkopo-language', { language: code })}
        >
          {name}
        </button>
      ))}
    </nav>
  )
}

const Demo = ({ fill }: { fill: (loginId: string, password: string) => void }) => {
  const t = useText()
  const data = useDemo()
  if (!data?.list.length) return null
  return (
    <aside className="mk-login-demo" aria-label={t('login.demo')}>
      <Text as="p" size="2" weight="medium">
        {t('login.demo')}
      </Text>
      <Text as="p" size="1" color="gray">
        {t('login.demoHint')}
      </Text>
      <ul>
        {data.list.map(one => (
          <li key={one.loginId}>
            <button type="button" onClick={() => fill(one.loginId, one.password)}>
              <span className="mk-key">{one.loginId}</span>
              <span>{one.realName}</span>
              <span className="mk-muted">{one.post}</span>
            </button>
          </li>
        ))}
      </ul>
      {data.mfa && (
        <>
          <Text as="p" size="2">
            {t('login.demoCode')} <span className="mk-key">{data.mfa.code}</span>
          </Text>
          <Text as="p" size="1" color="gray">
            {t('login.demoCodeHint', { secret: data.mfa.secret })}
          </Text>
        </>
      )}
    </aside>
  )
}

/** Says, until the next sign-in, that another sign-in of the same person ended the session here. */
const WhySignedOut = () => {
  const t = useText()
  const { displacedTime: time, displacedFrom: from } = useHost().props as Record<string, string | undefined>
  if (!time) return null
  return (
    <Callout.Root color="amber" size="1" role="status" mt="4">
      <Callout.Text>{t('errors.sessionReplaced', { time: eatDateTime(time), from: from ?? '-' })}</Callout.Text>
    </Callout.Root>
  )
}

type Given = { username: string; password: string }
type CredentialsProps = {
  values: Given
  setValues: (values: Given) => void
  next: (step: NextStep, challengeId: string) => void
}

/** Sends name and password; a password that was wrong is typed again. */
const useSignIn = ({ values, setValues, next }: CredentialsProps) => {
  const host = useHost()
  const client = useClient()
  const password = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<Key | null>(null)
  const [busy, setBusy] = useState(false)

  const signIn = async () => {
    const username = values.username.trim()
    if (!username || !values.password) return setError('validation.loginEmpty')
    setBusy(true)
    setError(null)
    try {
      const { challengeId } = await client.call(user.challenge, { username })
      const given = { challengeId, username, password: values.password, deviceMark: deviceMark() }
      next(await client.call(user.login, given), challengeId)
    } catch (failed) {
      if (failed instanceof CallError) host.emit('mkopo-toast', { type: 4, message: failed.message, ms: 2000 })
      else setError('common.noConnection')
      setValues({ ...values, password: '' })
      password.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return { password, error, busy, signIn }
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

/** User name and password; whatever is wrong with them, the answer is the same. */
const Credentials = ({ values, setValues, next }: CredentialsProps) => {
  const t = useText()
  const { password, error, busy, signIn } = useSignIn({ values, setValues, next })
  const [caps, setCaps] = useState(false)
  const capsLock = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void signIn()
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
    </form>
  )
}

const BindStep = lazy(async () => ({ default: (await import('./sign-in-steps.tsx')).BindStep }))
const LinkStep = lazy(async () => ({ default: (await import('./sign-in-steps.tsx')).LinkStep }))

/** The way into the console: name and password, or a one-time link, and the first authenticator where there is none. */
export const Login = () => {
  useSheet(sheet)
  const t = useText()
  const host = useHost()
  const [values, setValues] = useState({ username: '', password: '' })
  const [binding, setBinding] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const link = left ? '' : String((host.props as Record<string, unknown>).link ?? '')
  const signedIn = (session: unknown) => tell(host.element, 'mkopo-signed-in', session)
  const next = ({ nextStep, ...session }: NextStep, challengeId: string) => {
    setLeft(true)
    if (nextStep === 'done') signedIn(session)
    else setBinding(challengeId)
  }
  const back = () => {
    setBinding(null)
    setValues({ ...values, password: '' })
  }
  const step = () => {
    if (binding) return <BindStep challengeId={binding} done={signedIn} back={back} />
    if (link) return <LinkStep link={link} next={next} back={() => setLeft(true)} />
    return <Credentials values={values} setValues={setValues} next={next} />
  }
  return (
    <div className="mk-login">
      <Languages />
      <main className="mk-login-card">
        <h1>Mkopo</h1>
        <Text as="p" size="2" color="gray">
          {t('systems.product')}
        </Text>
        {!binding && <WhySignedOut />}
        <Suspense>{step()}</Suspense>
        <Text as="p" size="1" color="gray">
          {t('login.pauseHint')}
        </Text>
      </main>
      <Demo fill={(username, secret) => setValues({ username, password: secret })} />
      <Flex justify="center">
        <Text size="1" color="gray">
          {version}
        </Text>
      </Flex>
    </div>
  )
}
