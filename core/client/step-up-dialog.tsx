import { type FormEvent, useId, useRef, useState } from 'react'
import { useText } from '../element/i18n.ts'
import { Button, Callout, Flex, Text, TextField } from '../ui/basics.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { CallError } from './errors.ts'
import { isSignedOut } from './report.ts'
import { useDemo } from './use-demo.ts'

const digits = 6
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

/** Six digits of the authenticator before something weighty happens; the sixth one sends them. */
export const StepUpDialog = ({ bound, prove, cancel }: Props) => {
  const t = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const running = useRef(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const send = async (given: string) => {
    if (running.current) return
    if (given.length < digits) return setError(t('validation.codeFormat'))
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
    const given = text.replace(/\D/g, '').slice(0, digits)
    setCode(given)
    setError(null)
    if (given.length === digits) void send(given)
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    void send(code)
  }
  return (
    <ModalDialog
      open
      onClose={cancel}
      title={t('common.stepUp')}
      description={bound ? t('common.stepUpHint') : undefined}
      footer={
        <>
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
      {bound ? (
        <Flex direction="column" gap="2" asChild>
          <form noValidate onSubmit={submit}>
            <Text as="label" size="2" weight="medium" htmlFor={id}>
              {t('common.stepUpCode')}
            </Text>
            <TextField.Root
              id={id}
              ref={input}
              size="3"
              inputMode="numeric"
              autoComplete="one-time-code"
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
      ) : (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{t('common.stepUpUnbound')}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
