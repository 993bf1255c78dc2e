import type { Draft } from '../../../core/contract/audit/queue.ts'
import { type Translate, useText } from '../../../core/element/i18n.ts'
import { formatMoney, parseMoneyInput } from '../../../core/rules/amount.ts'
import { mask } from '../../../core/rules/mask.ts'
import { useRefuseCode } from './decision/use-refuse-code.ts'
import type { Plan } from './use-trial.ts'
import { useWork } from './work.ts'

const hidden = (account: string | null) => (!account ? '–' : account.includes('*') ? account : mask(account))

/** What the button that decides says. */
export const submitLabel = (t: Translate, { auditResult, approvalAmount }: Draft): string => {
  const amount = auditResult === 'pass' && parseMoneyInput(approvalAmount ?? '')
  if (amount) return t('audit.passAmount', { amount: formatMoney(amount) })
  return auditResult ? t(`audit.choose.${auditResult}`) : t('audit.submit')
}

/** The decision in one sentence with its exact numbers; null while they are not there yet. */
export const useSentence = (plan: Plan | undefined): string | null => {
  const t = useText()
  const { summary, basic, task, draft } = useWork()
  const { code } = useRefuseCode(draft)
  const { orderNo, customerName } = summary
  const { payout } = basic
  switch (draft.auditResult) {
    case 'pass': {
      const first = plan?.bills[0]
      if (!plan || !first) return null
      return t('audit.confirmPass', {
        orderNo,
        customerName,
        approvalAmount: formatMoney(parseMoneyInput(draft.approvalAmount ?? '') ?? plan.loanAmount),
        loanAmount: formatMoney(task.limits.requested),
        actualLoanAmount: formatMoney(plan.actualLoanAmount),
        payoutType: t(`dict.PAYOUT_TYPE.${payout.payoutType}`),
        account: hidden(payout.payoutType === 'wallet' ? payout.walletAccount : payout.bankCardNo),
        cardholderName: payout.cardholderName,
        dueAmount: formatMoney(first.billAmount),
        dueDate: first.dueDate,
      })
    }
    case 'refuse':
      return code
        ? t('audit.confirmRefuse', {
            orderNo,
            customerName,
            code: code.name,
            customerText: code.customerText ?? '–',
            days: code.coolingDays,
          })
        : null
    case 'sent_back':
      return t('audit.confirmSendBack', {
        orderNo,
        customerName,
        reason: t(`dict.SEND_BACK_REASON.${draft.sendBackReason ?? 'other'}`),
        n: Math.max(1, task.auditStep - 1),
      })
    default:
      return null
  }
}
