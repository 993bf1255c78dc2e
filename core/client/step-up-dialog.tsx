import { type FormEvent, useId, useRef, useState } from 'react'
import { homePath } from '../contract/pages.ts'
import { useText } from '../element/i18n.ts'
import { Button, Callout, Flex, Text, TextField } from '../ui/basics.ts'
import { ModalDialog } from '../ui/overlay/modal-dialog.tsx'
import { CallError } from './errors.ts'
import { useSelf } from './providers.tsx'
import { isSignedOut } from './report.ts'
import { useDemo } from './use-demo.ts'

/** What is asked for: six digits of the app, or in their place a recovery code, which knows its dash by itself. */
const kinds = {
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
/** In a demo everybody's authenticator shows the same. */
const DemoCode = () => {
  const t = useText()
  const mfa = useDemo()?.mfa
  return (
    mfa && (
      <Text as="p" size="1" color="gray">
        {t('common.stepUpDemo', { code: mfa.code })}
      </Text>
    )
  )
}

type Props = { bound: boolean; prove: (code: string) => Promise<void>; cancel: () => void }

/** A tab of the console that takes over the session of this page: it knows its opener, and both have the same origin. */
const beside = { target: '_blank', rel: 'opener' }

/** Explains that there is no authenticator yet and links to where one is bound; in the console in a new tab, so that typed values stay. */
const Unbound = () => {
  const t = useText()
  const { data } = useSelf()
  return (
    <Callout.Root color="amber" size="1" role="alert">
      <Callout.Text>{t('common.stepUpUnbound')}</Callout.Text>
      <Callout.Text>
        {data && !data.embedded ? (
          <a className="mk-link" href={`${homePath}?dialog=authenticator`} {...beside}>
            {t('common.stepUpBind')}
          </a>
        ) : (
          t('common.stepUpUnboundAway')
        )}
      </Callout.Text>
    </Callout.Root>
  )
}

/** What is typed, of which kind, and its sending: once at a time. */
const useTyping = (prove: Props['prove'], cancel: () => void) => {
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

const CodeForm = ({ input, kind, code, error, busy, type, submit }: ReturnType<typeof useTyping>) => {
  const t = useText()
  const id = useId()
  return (
    <Flex direction="column" gap="2" asChild>
      <form noValidate onSubmit={submit}>
        <Text as="label" size="2" weight="medium" htmlFor={id}>
          {t(kinds[kind].label)}
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
        <DemoCode />
      </form>
    </Flex>
  )
}

/** Asks for the six digits of the authenticator before a protected command; the sixth digit sends them. */
export const StepUpDialog = ({ bound, prove, cancel }: Props) => {
  const t = useText()
  const typing = useTyping(prove, cancel)
  const { kind, busy, change, submit } = typing
  return (
    <ModalDialog
      open
      onClose={cancel}
      title={t('common.stepUp')}
      description={bound ? t(kind === 'totp' ? 'common.stepUpHint' : 'common.stepUpRecoveryHint') : undefined}
      footer={
        <>
          {bound && (
            <Flex align="center" mr="auto">
              <Button variant="ghost" onClick={change}>
                {t(kinds[kind].other)}
              </Button>
            </Flex>
          )}
          <Button variant="soft" color="gray" onClick={cancel}>
            {t('common.cancel')}
          </Button>
          {bound && (
            <Button loading={busy} onClick={() => submit()}>
              {t('common.stepUpSend')}
            </Button>
          )}
        </>
      }
    >
      {bound ? <CodeForm {...typing} /> : <Unbound />}
    </ModalDialog>
  )
}
