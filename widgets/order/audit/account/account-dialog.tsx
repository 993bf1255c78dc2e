import { fieldErrors } from '../../../../core/client/errors.ts'
import { auditReview } from '../../../../core/contract/audit/review.ts'
import type { InputOf } from '../../../../core/contract/endpoint.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { useCommand } from '../../../../core/engine/form/use-command.ts'
import { useKept } from '../../../../core/ui/kept.ts'
import { PayeeDialog } from '../../../shared/payee-dialog.tsx'
import { emptyPayee } from '../../../shared/payee-form.tsx'
import { useWork } from '../work.ts'

/** Another account for the payout; whose it is, is asked before it replaces the old one. */
export const AccountDialog = ({ close }: { close: (done?: boolean) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const { lease, lose, basic } = useWork()
  const [payee, setPayee] = useKept(`account/${lease.orderNo}`, emptyPayee(basic.payout.payoutType))

  const change = async () => {
    const input = { ...lease, ...payee } as InputOf<typeof auditReview.changePayout>
    const outcome = await send(auditReview.changePayout, input, {
      ids: [lease.orderNo],
      done: answer => t('audit.accountChanged', { result: t(`dict.VERIFY_RESULT.${answer.verifyResult}`) }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is !== 'refused') return undefined
    if (!lose(outcome.error)) return fieldErrors(outcome.error)
    close()
    return undefined
  }
  return (
    <PayeeDialog
      title={t('audit.changePayee')}
      description={t('audit.changePayeeHint')}
      action={t('audit.checkAndChange')}
      busy={busy}
      payee={payee}
      onChange={setPayee}
      close={() => close()}
      send={change}
    />
  )
}
