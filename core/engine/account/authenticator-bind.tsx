import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { fieldErrors } from '../../client/errors.ts'
import { mfa, type Offer } from '../../contract/user/mfa.ts'
import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { Button, Callout, Flex, Text, TextField } from '../../ui/basics.ts'
import { CopyIcon } from '../../ui/copy-icon.tsx'
import { Labelled } from '../../ui/labelled.tsx'
import { Code } from '../../ui/more.ts'
import { type Outcome, useCommand } from '../form/use-command.ts'
import sheet from './own-access.css?sheet'

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }))
/** Pixels: two a module, so that a phone reads it from a screen of any density. */
const qrSide = 184

const steps = ['shell.authenticatorStep1', 'shell.authenticatorStep2', 'shell.authenticatorStep3'] as const

type FieldProps = {
  label: string
  value: string
  error: string | undefined
  set: (value: string) => void
  type?: 'password'
  /** What a password manager may fill in. */
  autoComplete?: 'current-password' | 'new-password'
  /** It takes the code of an authenticator, which a phone may fill in. */
  code?: true
  disabled?: boolean
  /** Takes the focus when it appears: it is the one thing to fill in. */
  first?: boolean
}

/** One field of the dialog with what is wrong with it. */
export const Field = ({
  label,
  value,
  error,
  set,
  type,
  disabled,
  first,
  code,
  autoComplete = 'current-password',
}: FieldProps) => (
  <Labelled label={label} error={error ?? null}>
    {tied => (
      <TextField.Root
        {...tied}
        autoFocus={first}
        {...(type ? { type, autoComplete } : { spellCheck: false, autoComplete: code ? 'one-time-code' : 'off' })}
        {...(code && { inputMode: 'numeric' })}
        value={value}
        disabled={disabled}
        onChange={event => set(event.target.value)}
      />
    )}
  </Labelled>
)

/** Asks for the password, and begins. */
export const BeginBinding = ({ begun }: { begun: (offer: Offer) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const begin = async (event: FormEvent) => {
    event.preventDefault()
    const outcome = await send(mfa.start, { password })
    setPassword('')
    if (outcome.is === 'done') begun(outcome.answer)
    if (outcome.is === 'refused') setError(fieldErrors(outcome.error).password)
  }
  return (
    <form className="mk-form" noValidate onSubmit={event => void begin(event)}>
      <Field
        first
        label={t('fields.password')}
        type="password"
        value={password}
        error={error}
        set={value => {
          setPassword(value)
          setError(undefined)
        }}
      />
      <Flex justify="end">
        <Button type="submit" loading={busy} disabled={!password}>
          {t('shell.authenticatorBegin')}
        </Button>
      </Flex>
    </form>
  )
}

/** Seconds until an offer expires, counted from its arrival; 0 afterwards. */
const useSecondsOf = ({ secretText, secondsLeft }: Offer): number => {
  const [seconds, setSeconds] = useState(secondsLeft)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another secret restarts the clock
  useEffect(() => {
    const until = Date.now() + secondsLeft * 1000
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [secretText, secondsLeft])
  return seconds
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
/** Letters of a secret as people copy them by hand. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? ''

type ConfirmProps<A> = {
  offer: Offer
  /** Another secret, or none any more. */
  drawn: (offer: Offer | null) => void
  bound: (answer: A) => void
  confirm: (code: string) => Promise<Outcome<A>>
  refresh: () => Promise<Outcome<Offer>>
  busy: boolean
}

/** The secret as a picture, as letters and as a link, and how long it is good. */
const Secret = ({ offer, seconds }: { offer: Offer; seconds: number }) => {
  const t = useText()
  return (
    <Flex direction="column" gap="1">
      <Suspense fallback={<span className="mk-qr" />}>
        <span className="mk-qr">
          <QrCode text={offer.otpauthUrl} label={t('shell.authenticatorQr')} side={qrSide} />
        </span>
      </Suspense>
      <Flex align="center" gap="2">
        <Text size="2" weight="medium">
          {t('fields.secretText')}
        </Text>
        <Code size="3">{grouped(offer.secretText)}</Code>
        <CopyIcon value={offer.secretText} />
      </Flex>
      <Text size="2">
        <a className="mk-link" href={offer.otpauthUrl}>
          {t('shell.authenticatorOpen')}
        </a>
      </Text>
      <Text size="1" color="gray" role="timer">
        {t('shell.authenticatorLeft', { time: clock(seconds) })}
      </Text>
    </Flex>
  )
}

/** The first code of the app, sent with its sixth digit. */
const useFirstCode = <A,>({ drawn, bound, confirm: give, refresh: again }: ConfirmProps<A>) => {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const confirm = async (given: string) => {
    const outcome = await give(given)
    if (outcome.is === 'done') return bound(outcome.answer)
    setCode('')
    if (outcome.is !== 'refused') return
    const wrong = fieldErrors(outcome.error).code
    if (wrong === undefined) drawn(null)
    else setError(wrong)
  }
  const refresh = async () => {
    const outcome = await again()
    if (outcome.is === 'done') drawn(outcome.answer)
  }
  const type = (text: string) => {
    const given = text.replace(/\D/g, '').slice(0, 6)
    setCode(given)
    setError(undefined)
    if (given.length === 6) void confirm(given)
  }
  return { code, error, type, confirm, refresh }
}

/** Shows the secret for as long as it is good, and takes the first code of the app. */
export const ConfirmBinding = <A,>(props: ConfirmProps<A>) => {
  const { offer, drawn, busy } = props
  useSheet(sheet)
  const t = useText()
  const seconds = useSecondsOf(offer)
  const isOver = seconds === 0
  const { code, error, type, confirm, refresh } = useFirstCode(props)
  return (
    <Flex direction="column" gap="3">
      <ol className="mk-numbered">
        {steps.map(step => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      {isOver ? (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{t('errors.mfaTimeUp')}</Callout.Text>
        </Callout.Root>
      ) : (
        <Secret offer={offer} seconds={seconds} />
      )}
      <Field
        first
        code
        label={t('common.stepUpCode')}
        value={code}
        error={error}
        set={type}
        disabled={isOver || busy}
      />
      <Flex justify="end" gap="2" wrap="wrap">
        {isOver ? (
          <Button variant="soft" onClick={() => drawn(null)}>
            {t('shell.authenticatorBegin')}
          </Button>
        ) : (
          <>
            <Button
              variant="soft"
              color="gray"
              disabled={offer.refreshLeft === 0}
              loading={busy}
              onClick={() => void refresh()}
            >
              {t('shell.authenticatorRefresh', { n: offer.refreshLeft })}
            </Button>
            <Button loading={busy} disabled={code.length < 6} onClick={() => void confirm(code)}>
              {t('shell.authenticatorConfirm')}
            </Button>
          </>
        )}
      </Flex>
    </Flex>
  )
}
