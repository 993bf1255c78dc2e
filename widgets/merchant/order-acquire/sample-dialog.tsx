import { type FormEvent, useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { orderAcquire, type Step } from '../../../core/contract/merchant/order-acquire.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { Drawer } from '../../../core/ui/overlay/drawer.tsx'
import { Steps } from './parts.tsx'

const { shape } = orderAcquire.sample.input
type Asked = InputOf<typeof orderAcquire.sample>

/** Asks every check about an application that somebody pastes; nothing is made of it. */
export const SampleDialog = ({ close }: Pick<DialogProps<never>, 'close'>) => {
  const t = useText()
  const client = useClient()
  const [input, setInput] = useState<Partial<Asked>>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [steps, setSteps] = useState<readonly Step[] | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const run = async (event: FormEvent) => {
    event.preventDefault()
    setFailed(null)
    const flaws = wrongIn(orderAcquire.sample.input, input)
    setWrong(flaws)
    if (Object.keys(flaws).length) return
    try {
      setSteps((await client.call(orderAcquire.sample, input as Asked)).checkSteps)
    } catch (error) {
      setFailed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <Drawer open onClose={() => close()} title={t('orderAcquire.sample')}>
      <Text as="p" size="2" color="gray" mb="3">
        {t('orderAcquire.sampleHint')}
      </Text>
      <form className="mk-form" noValidate onSubmit={event => void run(event)}>
        {(['merchantNo', 'payload'] as const).map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={input[name]}
            error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], shape[name])}
            onChange={value => setInput({ ...input, [name]: value as string })}
          />
        ))}
        {failed && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{failed}</Callout.Text>
          </Callout.Root>
        )}
        <div>
          <Button type="submit">{t('orderAcquire.sampleRun')}</Button>
        </div>
      </form>
      {steps && (
        <Section title={t('fields.checkSteps')}>
          <Steps steps={steps} />
        </Section>
      )}
    </Drawer>
  )
}
