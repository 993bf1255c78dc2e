import { useEffect, useState } from 'react'
import { CodeForm, useTyping } from '../../core/client/code-form.tsx'
import { CallError, fieldErrors } from '../../core/client/errors.ts'
import { useClient } from '../../core/client/providers.tsx'
import { codes } from '../../core/contract/codes.ts'
import { type CodeChannel, type NextStep, signIn } from '../../core/contract/user/sign-in.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import sheet from '../../core/engine/engine.css?sheet'
import { Button, Callout, Flex, Text } from '../../core/ui/basics.ts'
import { RadioGroup } from '../../core/ui/more.ts'
import { Back, type StepProps } from './sign-in-back.tsx'

type Channels = Extract<NextStep, { nextStep: 'code' }>['channels']
type Sent = { maskedTarget: string; minutes: number }

/** Whether the sign-in goes on after a refusal: what is wrong stands at a field, or may be tried again in a while. */
const goesOn = (failed: unknown): boolean =>
  failed instanceof CallError && (failed.code === codes.tooMany || Object.keys(fieldErrors(failed)).length > 0)

/** Counts seconds down to nothing. */
const useSeconds = () => {
  const [left, setLeft] = useState(0)
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setLeft(seconds => seconds - 1), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return [left, setLeft] as const
}

/** Has a code sent to one of the channels; another one after a while. */
const useSending = ({ challengeId, back }: StepProps, first: CodeChannel) => {
  const t = useText()
  const client = useClient()
  const [channel, setChannel] = useState(first)
  const [sent, setSent] = useState<Sent | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [left, setLeft] = useSeconds()
  const send = async () => {
    setBusy(true)
    setWrong(null)
    try {
      const answer = await client.call(signIn.sendCode, { challengeId, channel })
      setSent(answer)
      setLeft(answer.resendAfter)
    } catch (failed) {
      if (failed instanceof CallError && !goesOn(failed)) return back(failed.message)
      setWrong(failed instanceof CallError ? failed.message : t('common.noConnection'))
    } finally {
      setBusy(false)
    }
  }
  return { channel, setChannel, sent, wrong, busy, left, send }
}

/** Which of several channels the code goes to. */
const Choice = ({
  channels,
  value,
  change,
}: {
  channels: Channels
  value: CodeChannel
  change: (to: CodeChannel) => void
}) => {
  const t = useText()
  const words = { email: 'login.codeByEmail', phone: 'login.codeByPhone' } as const
  return (
    <RadioGroup.Root value={value} aria-label={t('login.codeChannel')} onValueChange={to => change(to as CodeChannel)}>
      {channels.map(({ channel, maskedTarget }) => (
        <RadioGroup.Item key={channel} value={channel}>
          {t(words[channel], { target: maskedTarget })}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

const Sending = ({ channels, ...step }: StepProps & { channels: Channels; first: CodeChannel }) => {
  const t = useText()
  const client = useClient()
  const sending = useSending(step, step.first)
  const { sent, wrong, busy, left } = sending
  const prove = async (code: string) => {
    try {
      step.next(await client.call(signIn.verifyCode, { challengeId: step.challengeId, code }))
    } catch (failed) {
      if (failed instanceof CallError && !goesOn(failed)) return step.back(failed.message)
      throw failed
    }
  }
  const typing = useTyping(prove, step.back)
  return (
    <>
      <Choice channels={channels} value={sending.channel} change={sending.setChannel} />
      <Button variant={sent ? 'soft' : 'solid'} loading={busy} disabled={left > 0} onClick={() => void sending.send()}>
        {left > 0 ? t('login.codeAgain', { seconds: left }) : t('login.codeSend')}
      </Button>
      {wrong && (
        <Callout.Root color="red" size="1" role="alert">
          <Callout.Text>{wrong}</Callout.Text>
        </Callout.Root>
      )}
      {sent && (
        <>
          <Text as="p" size="2" role="status">
            {t('login.codeSent', { target: sent.maskedTarget, life: sent.minutes })}
          </Text>
          <CodeForm {...typing} label={t('login.codeLabel')} demo={false} />
          <Button loading={typing.busy} onClick={() => typing.submit()}>
            {t('login.signIn')}
          </Button>
        </>
      )}
    </>
  )
}

/** The code by e-mail or text that the policy of an organization asks for after the password. */
export const CodeStep = ({ channels = [], ...step }: StepProps & { channels?: Channels | undefined }) => {
  useSheet(sheet)
  const t = useText()
  const [first] = channels
  return (
    <Flex direction="column" gap="3" mt="4" mb="4">
      {first ? (
        <>
          <Text as="p" size="2">
            {t('login.codeFirst')}
          </Text>
          <Sending {...step} channels={channels} first={first.channel} />
        </>
      ) : (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{t('login.codeNoChannel')}</Callout.Text>
        </Callout.Root>
      )}
      <Back back={step.back} />
    </Flex>
  )
}
