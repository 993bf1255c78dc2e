import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { CallError, errorsAt } from '../../client/errors.ts'
import { useClient } from '../../client/providers.tsx'
import { codes } from '../../contract/codes.ts'
import type { Config, Version } from '../../contract/config.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { metaOf } from '../../contract/fields.ts'
import { sheetOf } from '../../contract/row-changes.ts'
import { useText } from '../../element/i18n.ts'
import type { Key } from '../../i18n/index.ts'
import { Button, Callout, Flex } from '../../ui/basics.ts'
import { useFirstWrong } from '../../ui/first-wrong.ts'
import { useKept } from '../../ui/kept.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { ConfirmAnyway } from '../form/confirm-anyway.tsx'
import { Field } from '../form/field.tsx'
import { messageOf, wrongIn } from '../form/field-words.ts'
import { useCommand } from '../form/use-command.ts'
import type { Words } from '../screen.ts'
import type { Row } from '../table/columns.ts'
import { wordsOf } from '../table/words.ts'
import { Changes } from './changes.tsx'

type Values = Record<string, unknown>
/** What the form of an item is opened for. */
export type FormMode = 'new' | 'edit' | 'copy'
type Props = {
  config: Config
  mode: FormMode
  row: Row | undefined
  title: Key
  /** Fields that are given and not asked for. */
  within?: Values | undefined
  /** What the item will look like to those who meet it, drawn from what the form holds. */
  preview?: ((values: Values) => ReactNode) | undefined
  /** What the toast says of a save. */
  done?:
    | ((answer: { key: string | null; created: number; existing: number; approvalNo: string | null }) => Words)
    | undefined
  close: (changed?: boolean) => void
}

const none: Values = {}

/** The item as another person has saved it meanwhile. */
type Clash = { words: string; changes: Version['changes'] | null; kept: boolean }

const startOf = (config: Config, row: Row | undefined): Values =>
  Object.fromEntries(
    [...Object.keys(config.form), ...Object.keys(config.versions?.form ?? {})].flatMap(name =>
      row?.[name] == null ? [] : [[name, row[name]]],
    ),
  )

/** The fields that apply to what the others hold. */
const fieldsOf = (
  config: Config,
  mode: FormMode,
  given: Values,
  { within, row }: { within: Values; row: Row | undefined },
): Record<string, z.ZodType> => {
  // What is asked for a new item only is what it was.
  const fixed = mode === 'edit' ? Object.fromEntries(Object.keys(config.create).map(name => [name, row?.[name]])) : none
  const values = { ...fixed, ...given, ...within }
  const applies = (config.applies ?? {}) as Record<string, ((values: Values) => boolean) | undefined>
  const own = Object.entries(config.form as Record<string, z.ZodType>).filter(
    ([name]) => applies[name]?.(values) ?? true,
  )
  const all = [...(mode === 'edit' ? [] : Object.entries(config.create as Record<string, z.ZodType>)), ...own]
  return Object.fromEntries(all.filter(([name]) => !(name in within)))
}

/** What the form holds, and what is wrong with it. */
const useHeld = ({ config, mode, row, within = none }: Props) => {
  const no = mode === 'edit' ? String(row?.[config.key]) : undefined
  const [values, setValues] = useKept<Values>(`${config.name}/${mode}/${no ?? ''}`, () => startOf(config, row))
  const [version, setVersion] = useState(Number(row?.version ?? 0))
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const fixed = mode === 'edit' ? none : within
  const inputOf = (given: Values) => ({
    ...(no === undefined ? {} : { [config.key]: no, version }),
    ...fixed,
    ...Object.fromEntries(
      Object.keys(fieldsOf(config, mode, given, { within, row })).flatMap(name =>
        given[name] === undefined ? [] : [[name, given[name]]],
      ),
    ),
  })
  const check = (given: Values) => {
    const asked = Object.entries(config.create as Record<string, z.ZodType>)
    const missing =
      mode === 'edit'
        ? []
        : asked.flatMap(([name, one]) =>
            given[name] === undefined && !(name in within) && metaOf(one).required ? [name] : [],
          )
    const found = {
      ...Object.fromEntries(missing.map(name => [name, 'validation.infoComplete'])),
      ...wrongIn((mode === 'edit' ? config.calls.save : (config.calls.add ?? config.calls.save)).input, inputOf(given)),
    }
    setWrong(found)
    return Object.keys(found).length === 0
  }
  const put = (name: string, value: unknown) => {
    const next = { ...values, [name]: value }
    setValues(next)
    if (Object.keys(wrong).length) check(next)
  }
  const fields = fieldsOf(config, mode, values, { within, row })
  return {
    no,
    values,
    version,
    setVersion,
    wrong,
    setWrong,
    fields,
    input: () => inputOf(values),
    check: () => check(values),
    put,
  }
}
type Held = ReturnType<typeof useHeld>

type Said = {
  seek: () => void
  note: (words: readonly string[]) => void
  clash: (clash: Clash) => void
}

const useSave = ({ config, done, close }: Props, held: Held, { seek, note, clash }: Said) => {
  const t = useText()
  const { send, busy, question, forget } = useCommand()
  const { no, fields } = held
  const save = async () => {
    note([])
    if (!held.check()) return seek()
    const outcome = await send(
      (no === undefined ? config.events.create : config.events.update) as Endpoint,
      held.input() as never,
      {
        ids: no === undefined ? [] : [no],
        done: answer => {
          const said = answer as Parameters<NonNullable<Props['done']>>[0]
          return wordsOf(t, said.approvalNo ? 'config.sentForApproval' : (done?.(said) ?? 'config.saved'))
        },
      },
    )
    if (outcome.is === 'done') return close(true)
    if (outcome.is === 'unanswered') return note([t('common.noAnswer')])
    if (outcome.error.code === codes.needsConfirmation) return
    if (outcome.error.code === codes.versionConflict)
      return clash({ words: outcome.error.message, changes: null, kept: false })
    const { fields: refused, rest } = errorsAt(outcome.error, Object.keys(fields))
    held.setWrong(refused)
    if (rest.length) note(rest)
    seek()
  }
  return { save, busy, question, forget }
}

/** Shows what another person saved meanwhile, and keeps the values of this form. */
const useClash = (config: Config, { no, version, setVersion }: Held, note: (words: string) => void) => {
  const t = useText()
  const client = useClient()
  const [clash, setClash] = useState<Clash | null>(null)
  const asked = async <T,>(call: unknown): Promise<T | null> => {
    try {
      return (await client.call(call as Endpoint, { [config.key]: no } as never)) as T
    } catch (error) {
      note(error instanceof CallError ? error.message : t('common.noConnection'))
      return null
    }
  }
  const seeChange = async () => {
    const found = await asked<{ list: Version[] }>(config.calls.history)
    const later = found?.list.filter(entry => entry.version > version) ?? []
    if (found) setClash(old => old && { ...old, changes: later.flatMap(entry => entry.changes) })
  }
  const keepEditing = async () => {
    const present = await asked<{ version: number }>(config.calls.detail)
    if (!present) return
    setVersion(present.version)
    setClash(old => old && { ...old, kept: true })
  }
  return { clash, setClash, seeChange, keepEditing }
}

const ClashNote = ({
  clash,
  seeChange,
  keepEditing,
}: Omit<ReturnType<typeof useClash>, 'setClash' | 'clash'> & { clash: Clash }) => {
  const t = useText()
  return (
    <Callout.Root color="amber" size="1" role="alert">
      <Callout.Text>{clash.kept ? `${clash.words}. ${t('config.kept')}` : clash.words}</Callout.Text>
      {!clash.kept && (
        <Flex gap="2">
          <Button type="button" size="1" variant="soft" onClick={() => void seeChange()}>
            {t('config.seeChange')}
          </Button>
          <Button type="button" size="1" variant="soft" color="gray" onClick={() => void keepEditing()}>
            {t('config.keepEditing')}
          </Button>
        </Flex>
      )}
    </Callout.Root>
  )
}

const Fields = ({ config, held }: { config: Config; held: Held }) => {
  const t = useText()
  const { fields, values, wrong, put } = held
  return (
    <>
      {Object.entries(fields).map(([name, schema]) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          value={values[name]}
          optional={!metaOf(schema).required && !(name in (config.applies ?? {}))}
          error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], schema)}
          onChange={value => put(name, value)}
        />
      ))}
    </>
  )
}

/** The form of an item: new, edit or copy. A save never overwrites what another person saved meanwhile. */
export const ConfigForm = (props: Props) => {
  const { config, title, close } = props
  const t = useText()
  const held = useHeld(props)
  const [notes, setNotes] = useState<readonly string[]>([])
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const clashing = useClash(config, held, words => setNotes([words]))
  const { clash } = clashing
  const { save, busy, question, forget } = useSave(props, held, { seek, note: setNotes, clash: clashing.setClash })
  return (
    <ModalDialog
      open
      onClose={() => close(clash !== null)}
      title={t(title)}
      {...(Object.values(held.fields).some(one => sheetOf(one)) ? { wide: true } : {})}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={clash !== null && !clash.kept} onClick={() => void save()}>
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
        {clash && <ClashNote {...clashing} clash={clash} />}
        {clash?.changes && <Changes shape={{ ...config.row.shape, ...config.form }} changes={clash.changes} />}
        <Fields config={config} held={held} />
        {props.preview?.({ ...props.row, ...held.values, ...props.within })}
        {notes.map(note => (
          <Callout.Root key={note} color="amber" size="1" role="alert">
            <Callout.Text>{note}</Callout.Text>
          </Callout.Root>
        ))}
        <Flex display="none">
          <button type="submit" tabIndex={-1} aria-hidden="true" />
        </Flex>
      </form>
      {question && (
        <ConfirmAnyway title={t(title)} words={question} busy={busy} go={() => void save()} cancel={forget} />
      )}
    </ModalDialog>
  )
}
