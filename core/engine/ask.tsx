import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { fieldErrors } from '../client/errors.ts'
import type { Endpoint, Results } from '../contract/endpoint.ts'
import { metaOf } from '../contract/fields.ts'
import { useText } from '../element/i18n.ts'
import { Button, Callout, Flex, Text } from '../ui/basics.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { labelOf, type Row } from './columns.ts'
import { Input } from './input.tsx'
import { RefusedRows } from './refused-rows.tsx'
import type { CallAction } from './screen.ts'
import { isStale, useCommand } from './use-command.ts'
import { paramsOf, wordsOf } from './words.ts'

type Shaped = z.ZodType & { shape?: Record<string, z.ZodType> }
type Answers = Record<string, unknown>
type Props = {
  action: CallAction<Row>
  rows: readonly Row[]
  rowKey: string
  /** The shape of the rows. */
  fields: z.ZodObject
  close: (changed?: boolean) => void
}

/** What a command is given by default: the key of its rows, and the version that was seen of a single one. */
export const inputOf = (action: CallAction<Row>, rows: readonly Row[], rowKey: string): Answers => {
  if (action.input) return action.input(rows) as Answers
  const shape = (action.run.input as Shaped).shape ?? {}
  const key = action.run.on?.key ?? rowKey
  const many = metaOf(shape[key] ?? z.string()).many
  const own = key.replace(/s$/, '')
  return {
    ...(rows.length && key in shape
      ? { [key]: many ? rows.map(row => row[own] ?? row[rowKey]) : (rows[0]?.[key] ?? rows[0]?.[rowKey]) }
      : {}),
    ...('version' in shape && rows[0] ? { version: rows[0].version } : {}),
  }
}

/** What a person is told where the schema has no words of its own. */
const keyOf = ({ input }: { input?: unknown }) =>
  input === undefined || input === '' ? 'validation.infoComplete' : 'validation.wrongValue'

const messageOf = (t: ReturnType<typeof useText>, message: string | undefined, schema: z.ZodType): string => {
  const known = message && t.maybe(message, { max: (schema as { maxLength?: number }).maxLength ?? '' })
  return known ?? t('validation.infoComplete')
}

/** The dialog of a command: what it will do and on how much, the fields it asks for, one send per press. */
export const Ask = ({ action, rows, rowKey, fields, close }: Props) => {
  const t = useText()
  const { send, busy, question } = useCommand()
  const [refused, setRefused] = useState<Results | null>(null)
  const shape = (action.run.input as Shaped).shape ?? {}
  const asked = action.ask ?? []
  const schema = z.object(Object.fromEntries(asked.map(name => [name, shape[name] as z.ZodType])))
  const form = useForm<Answers>({
    resolver: zodResolver(schema as never, { error: keyOf } as never) as never,
    defaultValues: Object.fromEntries(asked.map(name => [name, inputOf(action, rows, rowKey)[name]])),
  })
  const { errors } = form.formState
  const { confirm, done } = action
  const label = rows.length > 1 ? t('common.actionOn', { action: t(action.label), n: rows.length }) : t(action.label)

  const submit = form.handleSubmit(async answers => {
    const outcome = await send(action.run as Endpoint, { ...inputOf(action, rows, rowKey), ...answers } as never, {
      ids: rows.map(row => String(row[rowKey])),
      done: done && (given => wordsOf(t, typeof done === 'string' ? done : done(given))),
    })
    if (outcome.is === 'done') {
      const results = outcome.answer as Results | null
      if (results?.fail) setRefused(results)
      else close(true)
    }
    if (outcome.is !== 'refused') return
    if (isStale(outcome.error)) close(true)
    for (const [path, message] of Object.entries(fieldErrors(outcome.error)))
      if (asked.includes(path)) form.setError(path, { message })
  })

  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t(action.label)}
      description={confirm && wordsOf(t, typeof confirm === 'string' ? confirm : confirm(rows), paramsOf(fields, rows))}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={() => close()}>
            {t('common.cancel')}
          </Button>
          <Button color={action.tone === 'danger' ? 'red' : undefined} loading={busy} onClick={() => void submit()}>
            {question ? t('common.confirmAnyway') : label}
          </Button>
        </>
      }
    >
      <form className="mk-form" onSubmit={event => void submit(event)}>
        {asked.map((name, index) => {
          const field = shape[name] as z.ZodType
          const meta = metaOf(field)
          const error = errors[name]?.message
          const id = `ask-${name}`
          return (
            <div key={name} className="mk-field">
              <Text as="label" size="2" weight="medium" htmlFor={id}>
                {labelOf(t, name)}
                {!meta.required && <span className="mk-optional"> {t('common.optional')}</span>}
              </Text>
              <Input
                id={id}
                label={labelOf(t, name)}
                meta={meta}
                value={form.watch(name)}
                autoFocus={index === 0}
                invalid={error !== undefined}
                describedBy={error ? `${id}-error` : undefined}
                onChange={value =>
                  form.setValue(name, value, { shouldValidate: form.formState.isSubmitted, shouldDirty: true })
                }
              />
              {error !== undefined && (
                <Text id={`${id}-error`} size="1" color="red" role="alert">
                  {messageOf(t, String(error), field) === t('validation.infoComplete') && String(error).includes(' ')
                    ? String(error)
                    : messageOf(t, String(error), field)}
                </Text>
              )}
            </div>
          )
        })}
        {question && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{question}</Callout.Text>
          </Callout.Root>
        )}
        <Flex display="none">
          <button type="submit" tabIndex={-1} aria-hidden="true" />
        </Flex>
      </form>
    </ModalDialog>
  )
}
