import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { newKey } from '../client/call.ts'
import { CallError, fieldErrors } from '../client/errors.ts'
import { codes } from '../contract/codes.ts'
import type { Endpoint, Results } from '../contract/endpoint.ts'
import { metaOf } from '../contract/fields.ts'
import { useText } from '../element/i18n.ts'
import { Button, Callout, Flex, Text } from '../ui/basics.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { labelOf, type Row } from './columns.ts'
import { Input } from './input.tsx'
import { RefusedRows } from './refused-rows.tsx'
import type { CallAction } from './screen.ts'
import { useAct } from './use-act.ts'
import { wordsOf } from './words.ts'

type Shaped = z.ZodType & { shape?: Record<string, z.ZodType> }
type Answers = Record<string, unknown>
type Props = { action: CallAction<Row>; rows: readonly Row[]; rowKey: string; close: (changed?: boolean) => void }

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

const messageOf = (t: ReturnType<typeof useText>, message: string | undefined, schema: z.ZodType): string => {
  const known = message && t.maybe(message, { max: (schema as { maxLength?: number }).maxLength ?? '' })
  return known ?? t('validation.infoComplete')
}

/** The dialog of a command: what it will do and on how much, the fields it asks for, one send per press. */
export const Ask = ({ action, rows, rowKey, close }: Props) => {
  const t = useText()
  const act = useAct()
  const key = useRef(newKey())
  const [refused, setRefused] = useState<Results | null>(null)
  const [question, setQuestion] = useState<{ words: string; flags: readonly string[] } | null>(null)
  const shape = (action.run.input as Shaped).shape ?? {}
  const asked = action.ask ?? []
  const schema = z.object(Object.fromEntries(asked.map(name => [name, shape[name] as z.ZodType])))
  const form = useForm<Answers>({
    resolver: zodResolver(schema as never) as never,
    defaultValues: Object.fromEntries(asked.map(name => [name, inputOf(action, rows, rowKey)[name]])),
  })
  const { errors, isSubmitting } = form.formState
  const label = rows.length > 1 ? t('common.actionOn', { action: t(action.label), n: rows.length }) : t(action.label)

  const send = async (answers: Answers, flags: readonly string[] = []) => {
    try {
      const input = {
        ...inputOf(action, rows, rowKey),
        ...answers,
        ...Object.fromEntries(flags.map(flag => [flag, true])),
      }
      const answer = await act.send(action.run as Endpoint, input as never, {
        key: key.current,
        ids: rows.map(row => String(row[rowKey])),
        done: action.done && (given => wordsOf(t, action.done?.(given) ?? 'common.done')),
      })
      const results = answer as Results | null
      if (results?.fail) setRefused(results)
      else close(true)
    } catch (error) {
      if (!(error instanceof CallError)) return
      if (error.code === codes.needsConfirmation)
        setQuestion({ words: error.message, flags: (error.data as { confirm?: string[] })?.confirm ?? [] })
      if (error.code === codes.stateConflict || error.code === codes.versionConflict) close(true)
      key.current = newKey()
      for (const { path, msg } of fieldErrors(error)) if (asked.includes(path)) form.setError(path, { message: msg })
    }
  }
  const submit = form.handleSubmit(answers => send(answers, question?.flags))

  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t(action.label)}
      description={action.confirm ? wordsOf(t, action.confirm(rows)) : undefined}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={() => close()}>
            {t('common.cancel')}
          </Button>
          <Button
            color={action.tone === 'danger' ? 'red' : undefined}
            loading={isSubmitting}
            onClick={() => void submit()}
          >
            {question ? t('common.confirmAnyway') : label}
          </Button>
        </>
      }
    >
      <form
        className="mk-form"
        onSubmit={event => void submit(event)}
        onKeyDown={event => void (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit())}
      >
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
            <Callout.Text>{question.words}</Callout.Text>
          </Callout.Root>
        )}
        <Flex display="none">
          <button type="submit" tabIndex={-1} aria-hidden="true" />
        </Flex>
      </form>
    </ModalDialog>
  )
}
