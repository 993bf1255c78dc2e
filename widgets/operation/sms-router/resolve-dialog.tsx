import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { type RoutePurpose, routers } from '../../../core/contract/operation/sms-router.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Close = { close: () => void }
type Answer = OutputOf<(typeof routers)['verify']['calls']['resolve']>
type Input = Partial<InputOf<(typeof routers)['verify']['calls']['resolve']>>

/** The routes of a text in their order, and why each stands where it does. */
const Found = ({ purpose, found }: { purpose: RoutePurpose; found: Answer }) => {
  const t = useText()
  return (
    <div aria-live="polite">
      <Text as="p" size="2" mb="2">
        {t('fields.network')}: {dictText(t, 'SMS_NETWORK', found.network)}
      </Text>
      <SmallTable
        schema={routers[purpose].calls.resolve.output.shape.list.element}
        rows={found.list}
        rowKey="routeNo"
        names={['routeNo', 'accountNo', 'senderId', 'reason']}
        headers={{ reason: t('smsRouter.why') }}
        cells={{ reason: one => dictText(t, 'ROUTE_REASON', one.reason) }}
        empty={t('smsRouter.noRoute')}
      />
    </div>
  )
}

/** What is asked, and what the server found. */
const useResolve = (purpose: RoutePurpose) => {
  const t = useText()
  const client = useClient()
  const call = routers[purpose].calls.resolve
  const { shape } = call.input
  const [input, setInput] = useState<Input>({})
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [found, setFound] = useState<Answer | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const run = async () => {
    setFailed(null)
    setFound(null)
    const flaws = wrongIn(call.input, input)
    setWrong(flaws)
    if (Object.keys(flaws).length) return
    try {
      setFound(await client.call(call, input as InputOf<typeof call>))
    } catch (error) {
      setFailed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return { shape, input, setInput, wrong, found, failed, run }
}

/** Which routes a text to a number would take, and why; nothing is sent. */
export const ResolveDialog = ({ purpose, close }: Close & { purpose: RoutePurpose }) => {
  const t = useText()
  const { shape, input, setInput, wrong, found, failed, run } = useResolve(purpose)
  return (
    <ModalDialog
      open
      wide
      onClose={close}
      title={t('actions.testRoute')}
      footer={
        <>
          <DialogCancel />
          <Button onClick={() => void run()}>{t('actions.testRoute')}</Button>
        </>
      }
    >
      <form
        className="mk-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void run()
        }}
      >
        {(['phone', 'appCode', 'scene'] as const).map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={input[name]}
            optional={name !== 'phone'}
            error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], shape[name])}
            onChange={value => setInput({ ...input, [name]: value })}
          />
        ))}
        {failed && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{failed}</Callout.Text>
          </Callout.Root>
        )}
      </form>
      {found && <Found purpose={purpose} found={found} />}
    </ModalDialog>
  )
}

/** How many routes in force each merchant has on each network: holes are red. */
export const CoverageDialog = ({ purpose, close }: Close & { purpose: RoutePurpose }) => {
  const t = useText()
  const call = routers[purpose].calls.coverage
  const read = useRead(call, {})
  const cell = (n: number) => (
    <Text size="2" {...(n === 0 ? { color: 'red' as const, weight: 'bold' as const } : {})}>
      {n}
    </Text>
  )
  return (
    <ModalDialog open wide onClose={close} title={t('actions.routeCoverage')} footer={<DialogCancel />}>
      <Loaded read={read}>
        {({ list }) => (
          <SmallTable
            schema={call.output.shape.list.element}
            rows={list}
            rowKey="merchantNo"
            names={['merchantName', 'mtn', 'airtel', 'other']}
            headers={{
              mtn: dictText(t, 'SMS_NETWORK', 'mtn'),
              airtel: dictText(t, 'SMS_NETWORK', 'airtel'),
              other: dictText(t, 'SMS_NETWORK', 'other'),
            }}
            cells={{ mtn: one => cell(one.mtn), airtel: one => cell(one.airtel), other: one => cell(one.other) }}
            empty={t('common.emptyList')}
          />
        )}
      </Loaded>
    </ModalDialog>
  )
}
