import { useRef, useState } from 'react'
import type { z } from 'zod'
import { errorsAt } from '../../../core/client/errors.ts'
import type { Endpoint, InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import { isStale, useCommand } from '../../../core/engine/form/use-command.ts'
import type { Key } from '../../../core/i18n/index.ts'
import { Button, Callout, Flex } from '../../../core/ui/basics.ts'
import { useFirstWrong } from '../../../core/ui/first-wrong.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { TextArea } from '../../../core/ui/more.ts'

type Saves = Endpoint<z.ZodObject>
type Given<E extends Saves> = { save: E; first: Partial<InputOf<E>>; saved: string; close: (changed?: boolean) => void }

/** What is written of a text, what is wrong with it, and its sending. */
export const useWriting = <E extends Saves>({ save, first, saved, close }: Given<E>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const { shape } = save.input
  const [answers, setAnswers] = useState<Partial<InputOf<E>>>(first)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [notes, setNotes] = useState<readonly string[]>([])
  const put = (name: string, value: unknown) => {
    setAnswers(now => ({ ...now, [name]: value }))
    setWrong(({ [name]: _, ...rest }) => rest)
  }
  const given = () =>
    Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined && value !== ''))
  /** Marks what is wrong with some of the answers. @returns whether nothing is */
  const check = (names: readonly string[] = Object.keys(shape)): boolean => {
    const found = Object.entries(wrongIn(save.input, given())).filter(([name]) => names.includes(name))
    if (found.length === 0) return true
    setWrong(Object.fromEntries(found.map(([name, one]) => [name, messageOf(t, one, shape[name] as z.ZodType)])))
    seek()
    return false
  }
  const submit = async () => {
    setNotes([])
    if (!check()) return
    const outcome = await send(save, given() as InputOf<E>, { done: () => saved })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'unanswered') setNotes([t('common.noAnswer')])
    if (outcome.is !== 'refused') return
    const { fields, rest } = errorsAt(outcome.error, Object.keys(shape))
    setWrong(fields)
    setNotes(isStale(outcome.error) ? [outcome.error.message, t('common.recordChanged')] : rest)
    seek()
  }
  return { box, shape, answers, wrong, notes, busy, put, check, submit }
}
/** A text that is being written. */
export type Writing = Omit<ReturnType<typeof useWriting<Saves>>, 'answers'> & {
  answers: Readonly<Record<string, unknown>>
}

/** One field of it, drawn by its kind. */
export const Written = ({ name, writing, optional }: { name: string; writing: Writing; optional?: true }) => (
  <Field
    name={name}
    schema={writing.shape[name] as z.ZodType}
    value={writing.answers[name]}
    optional={optional ?? false}
    {...(writing.wrong[name] ? { error: writing.wrong[name] } : {})}
    onChange={value => writing.put(name, value)}
  />
)

/** What was refused as a whole. */
export const WritingNotes = ({ notes }: { notes: readonly string[] }) =>
  notes.map(note => (
    <Callout.Root key={note} color="amber" size="1" role="alert">
      <Callout.Text>{note}</Callout.Text>
    </Callout.Root>
  ))

type Content = {
  name: string
  writing: Writing
  lang: string | undefined
  values: readonly { name: string; label: string }[]
  optional?: true
}

/** The text, with a button for each value that it may name. */
export const TextWithValues = ({ name, writing, lang, values, optional }: Content) => {
  const t = useText()
  const area = useRef<HTMLTextAreaElement>(null)
  const { answers, wrong, put } = writing
  const text = typeof answers[name] === 'string' ? answers[name] : ''
  const insert = (value: string) => {
    const [from, to] = [area.current?.selectionStart ?? text.length, area.current?.selectionEnd ?? text.length]
    put(name, `${text.slice(0, from)}{${value}}${text.slice(to)}`)
    area.current?.focus()
  }
  return (
    <>
      <Labelled label={t(`fields.${name}` as Key)} optional={optional ?? false} error={wrong[name] ?? null}>
        {tied => (
          <TextArea
            {...tied}
            ref={area}
            rows={6}
            lang={lang}
            value={text}
            onChange={event => put(name, event.target.value)}
          />
        )}
      </Labelled>
      <Flex gap="2" wrap="wrap" role="group" aria-label={t('messageTemplate.values')}>
        {values.map(value => (
          <Button
            key={value.name}
            type="button"
            size="1"
            variant="soft"
            color="gray"
            onClick={() => insert(value.name)}
          >
            {value.label}
          </Button>
        ))}
      </Flex>
    </>
  )
}
