import { useState } from 'react'
import { errorsAt } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import {
  type SensitiveField,
  sensitiveInfo,
  sensitiveSettings,
} from '../../../core/contract/operation/sensitive-info.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { isWeaker, type SensitiveSettings } from '../../../core/rules/sensitive.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Values = Record<string, unknown>
type Name = keyof typeof sensitiveSettings
const names = Object.keys(sensitiveSettings) as Name[]

const settingsOf = (from: object): Values => Object.fromEntries(names.map(name => [name, (from as Values)[name]]))

/** Whom other caps would have stopped yesterday. */
const Effect = ({ row, values }: { row: SensitiveField; values: SensitiveSettings }) => {
  const t = useText()
  const { fieldKey } = row
  const { revealHourCap, revealDayCap } = values
  const asked = sensitiveInfo.effect.input.safeParse({ fieldKey, revealHourCap, revealDayCap })
  const { data } = useRead(sensitiveInfo.effect, asked.success ? asked.data : null)
  if (!data) return null
  const caps = { hour: revealHourCap, day: revealDayCap, ...data }
  return (
    <Callout.Root size="1" color={isWeaker(row, values) ? 'amber' : 'gray'} aria-live="polite">
      <Callout.Text>
        {t('sensitiveInfo.effect', { name: dictText(t, 'SENSITIVE_KIND', fieldKey), ...caps })}
      </Callout.Text>
      <Callout.Text>{t(isWeaker(row, values) ? 'sensitiveInfo.weaker' : 'sensitiveInfo.stricter')}</Callout.Text>
    </Callout.Root>
  )
}

type Props = { row: SensitiveField; close: (changed?: boolean) => void }

const useSettings = ({ row, close }: Props) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState(() => settingsOf(row))
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const input = { fieldKey: row.fieldKey, version: row.version, ...values }
  const flaws = wrongIn(sensitiveInfo.save.input, input)
  const isChanged = names.some(name => values[name] !== row[name])
  const save = async () => {
    setNotes([])
    setWrong(flaws)
    if (Object.keys(flaws).length) return
    const outcome = await send(sensitiveInfo.save, input as never, {
      ids: [row.fieldKey],
      done: ({ approvalNo }) => t(approvalNo ? 'config.sentForApproval' : 'config.saved'),
    })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNotes([t('common.noAnswer')])
    const { fields, rest } = errorsAt(outcome.error, names)
    setWrong(fields)
    setNotes(rest.length ? rest : Object.keys(fields).length ? [] : [outcome.error.message])
  }
  const put = (name: Name, value: unknown) => {
    setWrong({})
    setValues({ ...values, [name]: value })
  }
  return { values, wrong, notes, busy, isChanged, isRight: Object.keys(flaws).length === 0, save, put }
}

/** Sets how a kind of value is guarded; says first whom it concerns, and whether a second person has to agree. */
export const EditSettings = (props: Props) => {
  const t = useText()
  const { row, close } = props
  const { values, wrong, notes, busy, isChanged, isRight, save, put } = useSettings(props)
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('sensitiveInfo.editOf', { name: dictText(t, 'SENSITIVE_KIND', row.fieldKey) })}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={!isChanged} onClick={() => void save()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        {names.map(name => (
          <Field
            key={name}
            name={name}
            schema={sensitiveSettings[name]}
            value={values[name]}
            {...(wrong[name] === undefined ? {} : { error: messageOf(t, wrong[name], sensitiveSettings[name]) })}
            onChange={value => put(name, value)}
          />
        ))}
        {isChanged && isRight && <Effect row={row} values={values as SensitiveSettings} />}
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
      </div>
    </ModalDialog>
  )
}
