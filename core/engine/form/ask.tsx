import { useState } from 'react'
import { useText } from '../../element/i18n.ts'
import { Button, Callout, Flex } from '../../ui/basics.ts'
import { useFirstWrong } from '../../ui/first-wrong.ts'
import { DialogCancel, ModalDialog } from '../../ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { LeftOutRows } from '../list/chosen/left-out.tsx'
import { paramsOf, wordsOf } from '../table/words.ts'
import { useAnswers } from './ask/answers.ts'
import { AskFields, Ticks } from './ask/ask-fields.tsx'
import { type AskProps, type BegunProps, presentOf, useAsked } from './ask/asked.ts'
import { useRecord } from './ask/begun.ts'
import { ConfirmAnyway } from './confirm-anyway.tsx'
import { refusal } from './refusal.ts'
import { RefusedRows } from './refused-rows.tsx'

const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.map(note => (
    <Callout.Root key={note} color="amber" size="1" role="alert">
      <Callout.Text>{note}</Callout.Text>
    </Callout.Root>
  ))

const asks = (confirm: NonNullable<BegunProps['action']['confirm']>, rows: BegunProps['rows'], left: number) =>
  typeof confirm === 'string' ? confirm : confirm(rows, left)

const Begun = (props: BegunProps) => {
  const { action, rows, left = [], fields, close } = props
  const t = useText()
  const { form: box, seek } = useFirstWrong<HTMLFormElement>()
  const held = useAsked(props)
  const { present, asked } = held
  // Fields keep what is typed in them: they are drawn afresh with what a preview has put there.
  const [turn, setTurn] = useState(0)
  const put = (name: string, value: unknown) => {
    held.form.setValue(name, value as never, { shouldDirty: true })
    setTurn(turn + 1)
  }
  const { submit, busy, question, forget, refused, notes } = useAnswers(props, held, seek)
  const { confirm, ticks = false } = action
  const name = t(action.button ?? action.label)
  const label = rows.length > 1 ? t('common.actionOn', { action: name, n: rows.length }) : name
  const only = present.length === 1 && present[0] !== rows[0] ? present[0] : undefined
  const gone = only ? refusal(t, action, only) : null

  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t(action.label)}
      differs={held.differs}
      {...(action.wide ? { wide: true } : {})}
      description={confirm && wordsOf(t, asks(confirm, present, left.length), paramsOf(fields, present))}
      footer={
        <>
          <DialogCancel />
          <Button
            color={action.tone === 'danger' ? 'red' : undefined}
            loading={busy}
            disabled={gone !== null || (ticks && asked.length === 0)}
            onClick={() => void submit()}
          >
            {label}
          </Button>
        </>
      }
    >
      <LeftOutRows left={left} />
      <form ref={box} className="mk-form" noValidate onSubmit={event => void submit(event)}>
        {ticks && <Ticks {...held} />}
        <AskFields key={turn} {...held} ticks={ticks} />
        {action.preview?.(held.form.watch(), present, put)}
        <Notes notes={[...notes, ...(gone ? [gone] : [])]} />
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

/** The dialog of a command: what it will do and on how much, the fields it asks for, one send per press. */
export const Ask = (props: AskProps) => {
  const { action, close } = props
  const t = useText()
  const { record, error, again } = useRecord(action, presentOf(props))
  if (record) return <Begun {...props} record={record} again={again} />
  return (
    <ModalDialog open onClose={() => close()} title={t(action.label)}>
      {error ? <Failed message={t('common.noConnection')} onRetry={again} /> : <Loading rows={4} />}
    </ModalDialog>
  )
}
