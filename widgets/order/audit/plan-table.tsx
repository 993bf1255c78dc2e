import { useText } from '../../../core/element/i18n.ts'
import { add, formatMoney, sum } from '../../../core/rules/amount.ts'
import { Text } from '../../../core/ui/basics.ts'
import type { Plan } from './use-trial.ts'

/** What the customer gets and pays back, bill by bill. */
export const PlanTable = ({ plan, busy }: { plan: Plan | undefined; busy: boolean }) => {
  const t = useText()
  if (!plan)
    return (
      <div className="mk-plan">
        <Text size="2" color="gray">
          {t('audit.planHint')}
        </Text>
      </div>
    )
  return (
    <div className="mk-plan mk-stack" aria-live="polite" aria-busy={busy}>
      <dl className="mk-facts">
        {(
          [
            ['audit.paidOut', plan.actualLoanAmount],
            ['audit.toRepay', plan.total],
            ['audit.upfront', plan.upfrontFee],
            ['audit.interestFees', add(plan.interest, plan.fees)],
          ] as const
        ).map(([label, amount]) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
      <div className="mk-small" role="region" aria-label={t('audit.plan')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('fields.dueDate')}</th>
              <th scope="col" className="mk-right">
                {t('fields.principal')}
              </th>
              <th scope="col" className="mk-right">
                {t('audit.interestFees')}
              </th>
              <th scope="col" className="mk-right">
                {t('fields.billAmount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {plan.bills.map(bill => (
              <tr key={bill.installmentNo}>
                <td>{bill.dueDate}</td>
                <td className="mk-right">{formatMoney(bill.principal)}</td>
                <td className="mk-right">{formatMoney(sum([bill.interest, bill.serviceFee, bill.managementFee]))}</td>
                <td className="mk-right">
                  <b>{formatMoney(bill.billAmount)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
