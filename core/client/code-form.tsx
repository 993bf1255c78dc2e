import { type FormEvent, useId, useRef, useState } from 'react'
import { useText } from '../element/i18n.ts'
import { Flex, Text, TextField } from '../ui/basics.ts'
import { CallError } from './errors.ts'
import { isSignedOut } from './report.ts'
import { useDemo } from './use-demo.ts'

/** What is asked for: six digits of the app, or in their place a recovery code, which knows its dash by itself. */
export const kinds = {
  totp: {
    label: 'common.stepUpCode',
    broken: 'validation.codeFormat',
    length: 6,
    read: (text: string) => text.replace(/\D/g, ''),
    other: 'common.stepUpRecovery',
  },
  recovery: {
    label: 'common.stepUpRecoveryCode',
    broken: 'validation.recoveryFormat',
    length: 9,
    read: (text: string) => {
      const letters = text.toUpperCase().replace(/[^A-Z2-7]/g, '')
      return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters
    },
    other: 'common.stepUpTotp',
  },
} as const
/** In a demo everybody's authenticator shows the same; a press fills it in. */
const DemoCode = ({ fill }: { fill: (code: string) => void }) => {
  const t = useText()
  const mfa = useDemo()?.mfa
  return (
    mfa && (
      <Text as="p" size="2">
        <button type="button" className="mk-link" onClick={() => fill(mfa.code)}>
          {t('common.stepUpDemo', { code: mfa.code })}
        </button>
      </Text>
    )
  )
}

/** What is typed, of which kind, and its sending: once at a time. */
export const useTyping = (prove: (code: string) => Promise<void>, cancel: () => void) => {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const running = useRef(false)
  const [kind, setKind] = useState<keyof typeof kinds>('totp')
  const { broken, length, read } = kinds[kind]
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const send = async (given: string) => {
    if (running.current) return
    if (given.length < length) return setError(t(broken))
    running.current = true
    setBusy(true)
    try {
      await prove(given)
    } catch (failed) {
      if (isSignedOut(failed)) return cancel()
      setError(failed instanceof CallError ? failed.message : t('common.noAnswer'))
      setCode('')
      input.current?.focus()
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  const type = (text: string) => {
    const given = read(text).slice(0, length)
    setCode(given)
    setError(null)
    if (given.length === length) void send(given)
  }
  const change = () => {
    setKind(kind === 'totp' ? 'recovery' : 'totp')
    setCode('')
    setError(null)
    input.current?.focus()
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    void send(code)
  }
  return { input, kind, code, error, busy, type, change, submit }
}

/** The one field of a code. */
export const CodeForm = ({
  input,
  kind,
  code,
  error,
  busy,
  type,
  submit,
  label,
  demo = true,
}: ReturnType<typeof useTyping> & {
  /** What the code is, where it is not that of an authenticator; a demo fills only the latter in. */
  label?: string
  demo?: boolean
}) => {
  const t = useText()
  const id = useId()
  return (
    <Flex direction="column" gap="2" asChild>
      <form noValidate onSubmit={submit}>
        <Text as="label" size="2" weight="medium" htmlFor={id}>
          {label ?? t(kinds[kind].label)}
        </Text>
        <TextField.Root
          id={id}
          ref={input}
          size="3"
          inputMode={kind === 'totp' ? 'numeric' : 'text'}
          autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
          spellCheck={false}
          autoFocus
          readOnly={busy}
          value={code}
          aria-invalid={error !== null || undefined}
          aria-describedby={error === null ? undefined : `${id}-error`}
          onChange={event => type(event.target.value)}
        />
        {error !== null && (
          <Text as="p" id={`${id}-error`} size="1" color="red" role="alert">
            {error}
          </Text>
        )}
        {demo && kind === 'totp' && <DemoCode fill={type} />}
      </form>
    </Flex>
  )
}
