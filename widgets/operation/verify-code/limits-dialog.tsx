import { type ReactNode, useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { businessConfig, businessConfigs, type VerifyLimits } from '../../../core/contract/common/business-config.ts'
import { common } from '../../../core/contract/common/common.ts'
import { verifyCode } from '../../../core/contract/operation/verify-code.ts'
import { useText } from '../../../core/element/i18n.ts'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'

const configKey = 'VERIFY_CODE_LIMITS' as const
const { schema, save } = businessConfigs[configKey]
type Name = keyof VerifyLimits
const names = Object.keys(schema.shape) as Name[]

type FormProps = {
  held: VerifyLimits
  version: number
  /** Somebody's change that waits, or that the reader may not make any. */
  off: boolean
  close: (changed?: boolean) => void
}

/** What is typed and its sending; a change waits for a second person. */
const useLimits = ({ held, version, close }: FormProps) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState<Record<string, unknown>>(held)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [note, setNote] = useState<string | null>(null)
  const change = async () => {
    setNote(null)
    const flaws = wrongIn(schema, values)
    setWrong(flaws)
    if (Object.keys(flaws).length) return
    const input = { configKey, version, value: values as VerifyLimits }
    const outcome = await send(businessConfig.update, input, { done: () => t('config.sentForApproval') })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNote(t('common.noAnswer'))
    const { fields, rest } = errorsAt(outcome.error, names)
    setWrong(fields)
    setNote(rest[0] ?? (Object.keys(fields).length ? null : outcome.error.message))
  }
  const type = (name: Name, value: unknown) => {
    setWrong({})
    setValues(old => ({ ...old, [name]: value }))
  }
  return { values, wrong, note, busy, change, type }
}

const Form = ({ waiting, ...props }: FormProps & { waiting: ReactNode }) => {
  const t = useText()
  const { values, wrong, note, busy, change, type } = useLimits(props)
  const isChanged = names.some(name => values[name] !== props.held[name])
  return (
    <ModalDialog
      open
      onClose={() => props.close()}
      title={t('verifyCode.limitsOf')}
      description={t('verifyCode.fixed')}
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
        {waiting}
        {names.map((name, at) => (
          <Field
            key={name}
            name={name}
            schema={schema.shape[name]}
            value={values[name]}
            autoFocus={at === 0}
            {...(wrong[name] === undefined ? {} : { error: messageOf(t, wrong[name], schema.shape[name]) })}
            onChange={value => type(name, value)}
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

/** How many codes are sent and what they may cost; a second person agrees to each change. */
export const LimitsDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
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
      <ModalDialog open onClose={() => close()} title={t('verifyCode.limitsOf')} footer={<DialogCancel />}>
        <Loaded read={read}>{() => null}</Loaded>
      </ModalDialog>
    )
  const { value, version, pendingApproval } = read.data
  return (
    <Form
      key={version}
      held={value as VerifyLimits}
      version={version}
      off={pendingApproval !== null || !may.call({ ...verifyCode.page, perm: save })}
      close={close}
      waiting={waiting.data?.list.map(approval => (
        <ApprovalBox key={approval.approvalNo} approval={approval} onChange={() => void again()} />
      ))}
    />
  )
}
