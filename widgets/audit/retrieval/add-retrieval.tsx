import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { retrieval } from '../../../core/contract/audit/retrieval.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useToast } from '../../../core/engine/form/use-act.ts'
import { type Outcome, useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, sum } from '../../../core/rules/amount.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { PreviewTable } from './preview-table.tsx'

type Preview = OutputOf<typeof retrieval.preview>

const Note = ({ text }: { text: string | null }) =>
  text ? (
    <Callout.Root color="amber" size="1" role="alert">
      <Callout.Text>{text}</Callout.Text>
    </Callout.Root>
  ) : null

/** What a refused or unanswered command says. */
const useNote = () => {
  const t = useText()
  const [note, setNote] = useState<string | null>(null)
  const take = (outcome: Outcome<unknown>) =>
    setNote(outcome.is === 'done' ? null : outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  return { note, take }
}

/** The numbers are typed or pasted, then looked at; nothing moves yet. */
const Enter = ({ close, seen }: { close: () => void; seen: (preview: Preview) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { note, take } = useNote()
  const [text, setText] = useState('')
  const look = async () => {
    const outcome = await send(retrieval.preview, { numbers: text }, { done: () => null })
    take(outcome)
    if (outcome.is === 'done') seen(outcome.answer)
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('actions.addRetrieval')}
      description={t('retrieval.paste')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={text.trim() === ''} onClick={() => void look()}>
            {t('retrieval.look')}
          </Button>
        </>
      }
    >
      <Field
        name="numbers"
        schema={retrieval.preview.input.shape.numbers}
        value={text}
        onChange={value => setText(String(value ?? ''))}
      />
      <Note text={note} />
    </ModalDialog>
  )
}

/** How far the batch is; closes with the counts once it is done. */
const Running = ({ batchNo, close }: { batchNo: string; close: () => void }) => {
  const t = useText()
  const toast = useToast()
  const read = useRead(retrieval.batches, { retrievalBatchNo: batchNo }, { background: true, refreshInterval: 1_000 })
  const [batch] = read.data?.list ?? []
  const { retrievedCount: ok = 0, notRetrievedCount: fail = 0, total = 0 } = batch ?? {}
  const done = batch?.batchStatus === 'done'
  const finish = () => {
    if (done) (fail ? toast.warn : toast.done)(t('retrieval.done', { ok, fail }))
    close()
  }
  return (
    <ModalDialog
      open
      onClose={finish}
      title={t('actions.addRetrieval')}
      footer={<Button onClick={finish}>{t('common.close')}</Button>}
    >
      <Text role="status">
        {done ? t('retrieval.done', { ok, fail }) : t('retrieval.running', { done: ok + fail, total })}
      </Text>
    </ModalDialog>
  )
}

type PreviewProps = { preview: Preview; confirmed: () => void; close: () => void }

/** What was looked at, line by line; lines may be taken away before it is confirmed. */
const Confirm = ({ preview, confirmed, close }: PreviewProps) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { note, take } = useNote()
  const [removed, setRemoved] = useState<readonly string[]>([])
  const list = preview.list.filter(one => !removed.includes(one.enteredNo))
  const fit = list.filter(one => one.failReason === null)
  const counts = {
    ok: fit.length,
    fail: list.length - fit.length,
    amount: formatMoney(sum(fit.map(one => one.loanAmount ?? '0.00'))),
  }
  const { retrievalBatchNo, version } = preview
  const confirm = async () => {
    const input = { retrievalBatchNo, version, removed: [...removed] }
    const outcome = await send(retrieval.confirm, input, { ids: [retrievalBatchNo], done: () => null })
    take(outcome)
    if (outcome.is === 'done') confirmed()
  }
  const discard = async () => {
    const outcome = await send(retrieval.discard, { retrievalBatchNo, version })
    take(outcome)
    if (outcome.is === 'done') close()
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('actions.addRetrieval')}
      description={t('retrieval.confirmHint', counts)}
      footer={
        <>
          <Button variant="soft" color="gray" disabled={busy} onClick={() => void discard()}>
            {t('retrieval.discard')}
          </Button>
          <Button loading={busy} disabled={fit.length === 0} onClick={() => void confirm()}>
            {t('retrieval.confirm', counts)}
          </Button>
        </>
      }
    >
      <PreviewTable list={list} remove={no => setRemoved([...removed, no])} />
      <Note text={note} />
    </ModalDialog>
  )
}

/** Order numbers are entered, looked at, and retrieved once that is confirmed. */
export const AddRetrieval = ({ close }: DialogProps<never>) => {
  const [preview, setPreview] = useState<Preview | null>(null)
  const [running, setRunning] = useState(false)
  if (!preview) return <Enter close={() => close()} seen={setPreview} />
  if (running) return <Running batchNo={preview.retrievalBatchNo} close={() => close(true)} />
  return <Confirm preview={preview} confirmed={() => setRunning(true)} close={() => close()} />
}
