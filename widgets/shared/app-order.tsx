import { type ReactNode, useState } from 'react'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { field } from '../../core/contract/fields.ts'
import { useText } from '../../core/element/i18n.ts'
import { Field } from '../../core/engine/form/field.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import type { Key } from '../../core/i18n/index.ts'
import { Button, Callout } from '../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { SortedLines } from './sorted-lines.tsx'

const appCode = field.app()

/** The app that something is looked at, or put into order, for. */
export const AppChoice = ({ app, choose }: { app: string | undefined; choose: (app: string) => void }) => (
  <Field name="appCode" schema={appCode} value={app} onChange={value => choose(String(value))} />
)

type Props = {
  title: string
  words: { up: Key; down: Key }
  app: string | undefined
  choose: (app: string) => void
  /** What the chosen app shows, in its present order. */
  lines: readonly { value: string; label: string }[]
  command: Endpoint
  input: (app: string, order: string[]) => object
  /** What else is chosen before. */
  before?: ReactNode
  close: (changed?: boolean) => void
}

/** Puts what an app shows into the order in which its customers see it. */
export const AppOrder = ({ title, words, app, choose, lines, command, input, before, close }: Props) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [moved, setMoved] = useState<string[] | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const order = moved ?? lines.map(one => one.value)
  const save = async () => {
    if (app === undefined) return
    const outcome = await send(command, input(app, order) as never, { ids: [app], done: () => t('config.saved') })
    if (outcome.is === 'done') return close(true)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={title}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={moved === null} onClick={() => void save()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      <AppChoice
        app={app}
        choose={next => {
          setMoved(null)
          choose(next)
        }}
      />
      {before}
      <SortedLines lines={lines} order={order} words={words} change={setMoved} />
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
