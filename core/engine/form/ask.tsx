import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { errorsAt } from '../../client/errors.ts'
import type { Endpoint, Results } from '../../contract/endpoint.ts'
import { metaOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { Button, Callout, Flex } from '../../ui/basics.ts'
import { useFirstWrong } from '../../ui/first-wrong.ts'
import { useCarried } from '../../ui/kept.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { LeftOutRows } from '../list/chosen/left-out.tsx'
import type { CallAction, LeftOut } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { paramsOf, wordsOf } from '../table/words.ts'
import { ConfirmAnyway } from './confirm-anyway.tsx'
import { Field } from './field.tsx'
import { keyOf, messageOf, wrongIn } from './field-words.ts'
import { refusal } from './refusal.ts'
import { RefusedRows } from './refused-rows.tsx'
import { isStale, useCommand } from './use-command.ts'

type Shaped = z.ZodType & { shape?: Record<string, z.ZodType> }
type Answers = Record<string, unknown>
type Props = {
  action: CallAction<Row>
  rows: readonly Row[]
  /** Chosen rows that it will not be done to. */
  left?: readonly LeftOut[]
  rowKey: string
  /** The shape of the rows. */
  fields: z.ZodObject
  /** What the list shows by now: the rows may have moved on since the dialog was opened. */
  page?: readonly Row[]
  /** The rows have moved on: the list is to be read again. */
  stale?: () => void
  close: (changed?: boolean) => void
}

/** What a command is given by default: the key of its rows or their keys, and the version that was seen of a single one. */
export const inputOf = (action: CallAction<Row>, rows: readonly Row[], rowKey: string): Answers => {
  if (action.input) return action.input(rows) as Answers
  const shape = (action.run.input as Shaped).shape ?? {}
  const key = action.run.on?.key ?? (rowKey in shape ? rowKey : `${rowKey}s`)
  const many = metaOf(shape[key] ?? z.string()).many
  const own = key.replace(/s$/, '')
  return {
    ...(rows.length && key in shape
      ? { [key]: many ? rows.map(row => row[own] ?? row[rowKey]) : (rows[0]?.[key] ?? rows[0]?.[rowKey]) }
      : {}),
    ...('version' in shape && rows[0] ? { version: rows[0].version } : {}),
  }
}

/** What is said of a field, or of the first wrong one of its values. */
const saidOf = (error: unknown): string | undefined =>
  Array.isArray(error) ? error.map(saidOf).find(Boolean) : (error as { message?: string } | undefined)?.message

/** The fields that a command asks for, kept over a reload. */
const useAsked = ({ action, rows, rowKey, page }: Props) => {
  const shape = (action.run.input as Shaped).shape ?? {}
  const asked = action.ask ?? []
  const schema = z.object(Object.fromEntries(asked.map(name => [name, shape[name] as z.ZodType])))
  const present = rows.map(row => page?.find(one => one[rowKey] === row[rowKey]) ?? row)
  const given = inputOf(action, present, rowKey)
  /** A file is chosen again: what was on its way is not after a reload. */
  const typed = asked.filter(name => metaOf(shape[name] as z.ZodType).kind !== 'file')
  const values = useRef<() => Answers>(() => ({}))
  const carried = useCarried<Answers>(`${action.run.path}/${rows.map(row => row[rowKey]).join()}`, () =>
    Object.fromEntries(Object.entries(values.current()).filter(([name]) => typed.includes(name))),
  )
  const form = useForm<Answers>({
    resolver: zodResolver(schema as never, { error: keyOf } as never) as never,
    defaultValues: { ...Object.fromEntries(asked.map(name => [name, given[name]])), ...carried },
  })
  values.current = form.getValues
  return { shape, asked, present, given, form }
}
type Asked = ReturnType<typeof useAsked>

/** Sends the command; what the server refuses stands at its field, or above the buttons. */
const useAnswers = ({ action, rows, rowKey, stale, close }: Props, { asked, given, form }: Asked, seek: () => void) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const [refused, setRefused] = useState<Results | null>(null)
  const [notes, setNotes] = useState<readonly string[]>([])
  const { done } = action
  const command = async (answers: Answers) => {
    setNotes([])
    const between = Object.entries(wrongIn(action.run.input, { ...given, ...answers })).filter(([name]) =>
      asked.includes(name),
    )
    if (between.length) {
      for (const [name, message] of between) form.setError(name, { message })
      return seek()
    }
    const outcome = await send(action.run as Endpoint, { ...given, ...answers } as never, {
      ids: rows.map(row => String(row[rowKey])),
      done: done && (answer => wordsOf(t, typeof done === 'string' ? done : done(answer))),
    })
    if (outcome.is === 'done') {
      const results = outcome.answer as Results | null
      if (results?.fail) setRefused(results)
      else close(true)
    }
    if (outcome.is === 'unanswered') setNotes([t('common.noAnswer')])
    if (outcome.is !== 'refused') return
    if (isStale(outcome.error)) {
      stale?.()
      setNotes([outcome.error.message, t('common.recordChanged')])
    }
    const { fields: wrong, rest } = errorsAt(outcome.error, asked)
    for (const [name, message] of Object.entries(wrong)) form.setError(name, { message })
    if (rest.length) setNotes(rest)
    seek()
  }
  const submit = form.handleSubmit(command, seek)

  return { submit, busy, question, forget, refused, notes }
}

const Fields = ({ shape, asked, form }: Asked) => {
  const t = useText()
  const { errors } = form.formState
  return asked.map((name, index) => {
    const field = shape[name] as z.ZodType
    const error = saidOf(errors[name])
    return (
      <Field
        key={name}
        name={name}
        schema={field}
        value={form.watch(name)}
        optional={!metaOf(field).required}
        autoFocus={index === 0}
        error={error === undefined ? undefined : messageOf(t, error, field)}
        onChange={value =>
          form.setValue(name, value, { shouldValidate: form.formState.isSubmitted, shouldDirty: true })
        }
      />
    )
  })
}

/** The dialog of a command: what it will do and on how much, the fields it asks for, one send per press. */
export const Ask = (props: Props) => {
  const { action, rows, left = [], fields, close } = props
  const t = useText()
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const held = useAsked(props)
  const { present } = held
  const { submit, busy, question, forget, refused, notes } = useAnswers(props, held, seek)
  const { confirm } = action
  const label = rows.length > 1 ? t('common.actionOn', { action: t(action.label), n: rows.length }) : t(action.label)
  const only = present.length === 1 && present[0] !== rows[0] ? present[0] : undefined
  const gone = only ? refusal(t, action, only) : null

  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t(action.label)}
      description={
        confirm && wordsOf(t, typeof confirm === 'string' ? confirm : confirm(present), paramsOf(fields, present))
      }
      footer={
        <>
          <DialogCancel />
          <Button
            color={action.tone === 'danger' ? 'red' : undefined}
            loading={busy}
            disabled={gone !== null}
            onClick={() => void submit()}
          >
            {label}
          </Button>
        </>
      }
    >
      <LeftOutRows left={left} />
      <form ref={box} className="mk-form" noValidate onSubmit={event => void submit(event)}>
        <Fields {...held} />
        {[...notes, ...(gone ? [gone] : [])].map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
        <Flex display="none">
          <button type="submit" tabIndex={-1} aria-hidden="true" />
        </Flex>
      </form>
      {question && (
        <ConfirmAnyway title={label} words={question} busy={busy} go={() => void submit()} cancel={forget} />
      )}
    </ModalDialog>
  )
}
