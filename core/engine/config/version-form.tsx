import { useState } from 'react'
import type { z } from 'zod'
import { errorsAt } from '../../client/errors.ts'
import { useRead } from '../../client/providers.tsx'
import type { Config } from '../../contract/config.ts'
import type { VersionRow } from '../../contract/config-versions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { metaOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { can, type Machine } from '../../rules/machines/machine.ts'
import { Button, Callout } from '../../ui/basics.ts'
import { useFirstWrong } from '../../ui/first-wrong.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { Loading } from '../../ui/states.tsx'
import { Field } from '../form/field.tsx'
import { messageOf, wrongIn } from '../form/field-words.ts'
import { useCommand } from '../form/use-command.ts'

type Values = Record<string, unknown>
type Props = { config: Config; no: string; from?: VersionRow | undefined; close: (changed?: boolean) => void }
type Started = Omit<Props, 'no' | 'from'> & { no: string; draft: VersionRow | undefined; start: Values }

const useDraft = ({ config, no, draft, start, close }: Started) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [values, setValues] = useState(start)
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const call = config.calls.versionSave as Endpoint
  const fields = Object.entries((config.versions?.form ?? {}) as Record<string, z.ZodType>)
  const inputOf = (given: Values) => ({
    [config.key]: no,
    ...(draft ? { versionNo: draft.versionNo, version: draft.version } : {}),
    ...given,
  })
  const check = (given: Values) => {
    const found = wrongIn(call.input, inputOf(given))
    setWrong(found)
    return Object.keys(found).length === 0
  }
  const put = (name: string, value: unknown) => {
    const next = { ...values, [name]: value }
    setValues(next)
    if (Object.keys(wrong).length) check(next)
  }
  const save = async () => {
    setNotes([])
    if (!check(values)) return seek()
    const outcome = await send(call, inputOf(values) as never, { ids: [no], done: () => t('config.draftSaved') })
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return setNotes([t('common.noAnswer')])
    const { fields: refused, rest } = errorsAt(
      outcome.error,
      fields.map(([name]) => name),
    )
    setWrong(refused)
    setNotes(rest)
  }
  return { box, busy, fields, values, wrong, notes, put, save }
}

const Form = (props: Started) => {
  const t = useText()
  const { box, busy, fields, values, wrong, notes, put, save } = useDraft(props)
  return (
    <ModalDialog
      open
      onClose={() => props.close()}
      title={t(props.draft ? 'config.editVersion' : 'config.newVersion')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void save()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      <form
        ref={box}
        className="mk-form"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        {fields.map(([name, schema], index) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            value={values[name]}
            optional={!metaOf(schema).required}
            autoFocus={index === 0}
            error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], schema)}
            onChange={value => put(name, value)}
          />
        ))}
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
      </form>
    </ModalDialog>
  )
}

/** The draft of an item: the one there is, or one that begins as the version in force, or as the one that is restored. */
export const VersionForm = ({ config, no, from, close }: Props) => {
  const read = useRead(config.calls.versions as Endpoint, { [config.key]: no } as never)
  if (!read.data) return <Loading rows={2} />
  const { list } = read.data as { list: VersionRow[] }
  const draft = list.find(one => can(config.versionMachine as Machine, one.versionStatus, 'version.save'))
  const start = from ?? draft ?? list.find(one => one.versionStatus === 'effective')
  return <Form config={config} no={no} draft={draft} start={{ ...start?.content }} close={close} />
}
