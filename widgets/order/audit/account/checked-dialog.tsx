import { useState } from 'react'
import { fieldErrors } from '../../../../core/client/errors.ts'
import { auditReview } from '../../../../core/contract/audit/review.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Field } from '../../../../core/engine/form/field.tsx'
import { useCommand } from '../../../../core/engine/form/use-command.ts'
import { wrongWith } from '../../../../core/engine/form/wrong.ts'
import { Button } from '../../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../../core/ui/overlay/modal-dialog.tsx'
import { useWork } from '../work.ts'

const { evidence: schema } = auditReview.markPayoutChecked.input.shape

/** The account was checked by hand: what shows whose it is goes to a second person. */
export const CheckedDialog = ({ close }: { close: (done?: boolean) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { task, summary, lease, lose } = useWork()
  /** Of the order when the dialog opened: the evidence is about the account that was seen then. */
  const [version] = useState(() => Math.max(task.orderVersion, summary.version))
  const [evidence, setEvidence] = useState('')
  const [error, setError] = useState<string>()

  const mark = async () => {
    const wrong = wrongWith(t, schema, evidence)
    if (wrong) return setError(wrong)
    const outcome = await send(
      auditReview.markPayoutChecked,
      { ...lease, version, evidence },
      {
        ids: [lease.orderNo],
        done: () => t('afterLoan.sentForApproval'),
      },
    )
    if (outcome.is === 'done') close(true)
    if (outcome.is !== 'refused') return
    if (lose(outcome.error)) close()
    else setError(fieldErrors(outcome.error).evidence)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.markChecked')}
      description={t('audit.markCheckedHint')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void mark()}>
            {t('afterLoan.sendForApproval')}
          </Button>
        </>
      }
    >
      <Field
        name="evidence"
        schema={schema}
        value={evidence}
        error={error}
        onChange={value => {
          setEvidence(typeof value === 'string' ? value : '')
          setError(undefined)
        }}
      />
    </ModalDialog>
  )
}
