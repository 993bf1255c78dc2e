import { useRef, useState } from 'react'
import { fieldErrors } from '../../../../core/client/errors.ts'
import { useRead } from '../../../../core/client/providers.tsx'
import { auditReview } from '../../../../core/contract/audit/review.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { useCommand } from '../../../../core/engine/form/use-command.ts'
import { Button, Callout, Skeleton } from '../../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../../core/ui/overlay/modal-dialog.tsx'
import { outcomeText, submissionOf } from '../submission.ts'
import { submitLabel, useSentence } from '../use-sentence.ts'
import { useWork } from '../work.ts'

/** Says in one sentence what is about to be decided, and sends it. One key per opening: repeating cannot decide twice. */
export const Confirm = ({ close, finish }: { close: () => void; finish: (words: string) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { task, draft, summary, place, lose, reload } = useWork()
  const input = useRef(submissionOf(draft, task, Math.max(task.orderVersion, summary.version))).current
  const amount = input.auditResult === 'pass' ? input.approvalAmount : null
  const trial = useRead(auditReview.trial, amount ? { orderNo: task.orderNo, approvalAmount: amount } : null, {
    background: true,
    keepPreviousData: false,
  })
  const sentence = useSentence(trial.data)
  const [unknown, setUnknown] = useState(false)

  const decide = async () => {
    if (!sentence || busy) return
    const outcome = await send(auditReview.submit, input, {
      ids: [task.orderNo],
      done: answer => outcomeText(t, input.auditResult, answer),
    })
    if (outcome.is === 'unanswered') return setUnknown(true)
    if (outcome.is === 'done') finish(outcomeText(t, input.auditResult, outcome.answer))
    reload()
    if (outcome.is === 'done') return
    const problems = fieldErrors(outcome.error)
    if (!lose(outcome.error)) place(Object.keys(problems).length ? problems : { auditResult: outcome.error.message })
    close()
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t(`audit.choose.${input.auditResult}`)}
      description={sentence ?? <Skeleton height="40px" />}
      footer={
        <>
          <DialogCancel />
          <Button
            autoFocus
            color={input.auditResult === 'refuse' ? 'red' : undefined}
            disabled={!sentence}
            loading={busy}
            onClick={() => void decide()}
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
