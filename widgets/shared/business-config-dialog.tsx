import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { errorsAt } from '../../core/client/errors.ts'
import { useMay, useRead } from '../../core/client/providers.tsx'
import { type BusinessKey, businessConfig, businessConfigs } from '../../core/contract/common/business-config.ts'
import { common } from '../../core/contract/common/common.ts'
import { metaOf } from '../../core/contract/fields.ts'
import { useText } from '../../core/element/i18n.ts'
import { ApprovalBox } from '../../core/engine/form/approval-box.tsx'
import { Field } from '../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../core/engine/form/field-words.ts'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { Button, Callout } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from './loaded.tsx'

/** Settings that are an object of fields. */
type Key = Exclude<BusinessKey, 'PUBLIC_HOLIDAYS'>
type Values = Readonly<Record<string, unknown>>

type Given = {
  configKey: Key
  title: string
  description: string
  close: (changed?: boolean) => void
}
type FormProps = Given & {
  held: Values
  version: number
  /** Somebody's change that waits, or that the reader may not make any. */
  off: boolean
  waiting: ReactNode
}

const shapeOf = (configKey: Key): Readonly<Record<string, z.ZodType>> => businessConfigs[configKey].schema.shape

/** What is typed and its sending; a change waits for a second person. */
const useSetting = ({ configKey, held, version, close }: FormProps) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState<Values>(held)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [note, setNote] = useState<string | null>(null)
  const change = async () => {
    setNote(null)
    const flaws = wrongIn(businessConfigs[configKey].schema, values)
    setWrong(flaws)
    if (Object.keys(flaws).length) return
    const input = { configKey, version, value: values } as never
    const outcome = await send(businessConfig.update, input, { done: () => t('config.sentForApproval') })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNote(t('common.noAnswer'))
    const { fields, rest } = errorsAt(outcome.error, Object.keys(shapeOf(configKey)))
    setWrong(fields)
    setNote(rest[0] ?? (Object.keys(fields).length ? null : outcome.error.message))
  }
  const type = (name: string, value: unknown) => {
    setWrong({})
    setValues(old => ({ ...old, [name]: value }))
  }
  return { values, wrong, note, busy, change, type }
}

const Form = (props: FormProps) => {
  const t = useText()
  const { values, wrong, note, busy, change, type } = useSetting(props)
  const shape = shapeOf(props.configKey)
  const isChanged = JSON.stringify(values) !== JSON.stringify(props.held)
  return (
    <ModalDialog
      open
      onClose={() => props.close()}
      title={props.title}
      description={props.description}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={props.off || !isChanged} onClick={() => void change()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        {props.waiting}
        {Object.entries(shape).map(([name, schema]) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            value={values[name]}
            {...(wrong[name] === undefined ? {} : { error: messageOf(t, wrong[name], schema) })}
            onChange={value => type(name, value ?? (metaOf(schema).many ? [] : undefined))}
          />
        ))}
        {note && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        )}
      </div>
    </ModalDialog>
  )
}

/** Calls of the dialog below. */
export const settingCalls = [
  businessConfig.get,
  businessConfig.update,
  common.approvals,
  common.approve,
  common.reject,
  common.withdraw,
]

/** A setting of the business, field by field; a second person agrees to each change, here too. */
export const BusinessConfigDialog = (given: Given) => {
  const { configKey, title, close } = given
  const may = useMay()
  const read = useRead(businessConfig.get, { configKey })
  const waiting = useRead(common.approvals, {
    objectType: 'businessConfig',
    objectNo: configKey,
    approvalStatus: ['pending' as const],
  })
  const again = () => Promise.all([read.retry(), waiting.retry()])
  if (!read.data)
    return (
      <ModalDialog open onClose={() => close()} title={title} footer={<DialogCancel />}>
        <Loaded read={read}>{() => null}</Loaded>
      </ModalDialog>
    )
  const { value, version, pendingApproval } = read.data
  return (
    <Form
      {...given}
      key={version}
      held={value as Values}
      version={version}
      off={pendingApproval !== null || !may.have(businessConfigs[configKey].save)}
      waiting={waiting.data?.list.map(approval => (
        <ApprovalBox key={approval.approvalNo} approval={approval} onChange={() => void again()} />
      ))}
    />
  )
}
