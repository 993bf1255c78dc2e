import { useRef, useState } from 'react'
import { newKey } from '../../../core/client/call.ts'
import { CallError, fieldErrors, TransportError } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { audit } from '../../../core/contract/audit.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useAct } from '../../../core/engine/use-act.ts'
import { Button, Callout, Skeleton } from '../../../core/ui/basics.ts'
import { ModalDialog } from '../../../core/ui/modal-dialog.tsx'
import { outcomeText, submissionOf } from './submission.ts'
import { submitLabel, useSentence } from './use-sentence.ts'
import { useWork } from './work.ts'

/** Says in one sentence what is about to be decided, and sends it. One key per opening: repeating cannot decide twice. */
export const Confirm = ({ close, finish }: { close: () => void; finish: (words: string) => void }) => {
  const t = useText()
  const act = useAct()
  const { task, draft, summary, place, lose, reload } = useWork()
  const key = useRef(newKey())
  const input = useRef(submissionOf(draft, task, Math.max(task.orderVersion, summary.version))).current
  const amount = input.auditResult === 'pass' ? input.approvalAmount : null
  const trial = useRead(audit.trial, amount ? { orderNo: task.orderNo, approvalAmount: amount } : null, {
    background: true,
    keepPreviousData: false,
  })
  const sentence = useSentence(trial.data)
  const [busy, setBusy] = useState(false)
  const [unknown, setUnknown] = useState(false)

  const send = async () => {
    if (!sentence || busy) return
    setBusy(true)
    try {
      const done = await act.send(audit.submit, input, {
        key: key.current,
        ids: [task.orderNo],
        done: answer => outcomeText(t, input.auditResult, answer),
      })
      finish(outcomeText(t, input.auditResult, done))
      reload()
    } catch (error) {
      if (error instanceof TransportError) setUnknown(true)
      if (!(error instanceof CallError)) return
      const problems = fieldErrors(error).map(({ path, msg }) => [path, msg])
      if (!lose(error)) place(problems.length ? Object.fromEntries(problems) : { auditResult: error.message })
      reload()
      close()
    } finally {
      setBusy(false)
    }
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t(`audit.choose.${input.auditResult}`)}
      description={sentence ?? <Skeleton height="40px" />}
      footer={
        <>
          <Button variant="soft" color="gray" onClick={close}>
            {t('common.cancel')}
          </Button>
          <Button
            autoFocus
            color={input.auditResult === 'refuse' ? 'red' : undefined}
            disabled={!sentence}
            loading={busy}
            onClick={() => void send()}
          >
            {submitLabel(t, draft)}
          </Button>
        </>
      }
    >
      {unknown && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{t('common.noAnswer')}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
