import { useState } from 'react'
import { fieldErrors } from '../../core/client/errors.ts'
import { type LoanCodeRow, loan } from '../../core/contract/after-loan/loan.ts'
import type { InputOf } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import { Field } from '../../core/engine/form/field.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { wrongWith } from '../../core/engine/form/wrong.ts'
import type { DialogProps } from '../../core/engine/screen.ts'
import { PayeeDialog } from '../shared/payee-dialog.tsx'
import { emptyPayee } from '../shared/payee-form.tsx'

const { evidence: evidenceSchema } = loan.userInfo.input.shape

/** Another account for a failed payout, with what shows whose it is; it counts once a second person agrees. */
export const CorrectPayeeDialog = ({ rows: [row], close }: DialogProps<LoanCodeRow>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [payee, setPayee] = useState(emptyPayee(row.payoutType))
  const [evidence, setEvidence] = useState('')

  const ask = async () => {
    const { loanCode, version } = row
    const input = { loanCode, version, ...payee, evidence } as InputOf<typeof loan.userInfo>
    const outcome = await send(loan.userInfo, input, {
      ids: [loanCode],
      done: ({ verifyResult }) => t('afterLoan.payeeSent', { result: t(`dict.VERIFY_RESULT.${verifyResult}`) }),
    })
    if (outcome.is === 'done') close(true)
    return outcome.is === 'refused' ? fieldErrors(outcome.error) : undefined
  }
  return (
    <PayeeDialog
      title={t('actions.correctPayee')}
      description={t('afterLoan.confirmPayee', { payee: row.walletAccount ?? row.bankCardNo ?? '' })}
      action={t('afterLoan.sendForApproval')}
      busy={busy}
      payee={payee}
      onChange={setPayee}
      close={() => close()}
      also={{
        errors: (): Record<string, string> => {
          const noFile = wrongWith(t, evidenceSchema, evidence)
          return noFile ? { evidence: noFile } : {}
        },
        fields: (errors, clear) => (
          <Field
            name="evidence"
            schema={evidenceSchema}
            value={evidence}
            error={errors.evidence}
            onChange={value => {
              clear('evidence')
              setEvidence(typeof value === 'string' ? value : '')
            }}
          />
        ),
      }}
      send={ask}
    />
  )
}
