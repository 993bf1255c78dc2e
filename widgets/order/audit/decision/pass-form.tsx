import { useState } from 'react'
import { CallError, fieldErrors } from '../../../../core/client/errors.ts'
import type { AuditTask } from '../../../../core/contract/audit/queue.ts'
import { auditReview } from '../../../../core/contract/audit/review.ts'
import { metaOf } from '../../../../core/contract/fields.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Input } from '../../../../core/engine/form/input.tsx'
import { formatMoney, parseMoneyInput } from '../../../../core/rules/amount.ts'
import { Button } from '../../../../core/ui/basics.ts'
import { ProblemText, WorkField } from '../field.tsx'
import { PlanTable } from '../plan-table.tsx'
import { amountProblem } from '../problems.ts'
import { useTrial } from '../use-trial.ts'
import { useWork } from '../work.ts'
import { ApprovalTime } from './approval-time.tsx'

const meta = metaOf(auditReview.trial.input.shape.approvalAmount)

type QuickProps = { limits: AuditTask['limits']; give: (amount: string) => void }

/** Amounts that are given by one press. */
const Quick = ({ limits, give }: QuickProps) => {
  const t = useText()
  return (
    <div className="mk-quick">
      <Button size="1" variant="soft" color="gray" onClick={() => give(limits.requested)}>
        {t('audit.useRequested', { amount: formatMoney(limits.requested) })}
      </Button>
      {limits.suggested && (
        <Button size="1" variant="soft" color="gray" onClick={() => give(limits.suggested as string)}>
          {t('audit.useSuggested', { amount: formatMoney(limits.suggested) })}
        </Button>
      )}
      <Button size="1" variant="soft" color="gray" onClick={() => give(limits.max)}>
        {t('audit.useMax', { amount: formatMoney(limits.max) })}
      </Button>
    </div>
  )
}

/** How much, from when, and the plan that comes of it. */
export const PassForm = () => {
  const t = useText()
  const { task, draft, change, errors } = useWork()
  const { limits, orderNo } = task
  const [chosen, setChosen] = useState(0)
  const typed = draft.approvalAmount
  const [problem] = typed ? amountProblem(typed, limits) : []
  const { plan, error, current } = useTrial(orderNo, problem ? null : parseMoneyInput(typed ?? ''))
  const refusal = error instanceof CallError ? (Object.values(fieldErrors(error))[0] ?? error.message) : undefined
  const live = problem && draft.approvalAmount ? t(problem.key, problem.params) : refusal
  const give = (amount: string) => {
    setChosen(chosen + 1)
    change({ approvalAmount: amount })
  }
  return (
    <>
      <WorkField
        name="approvalAmount"
        label={t('fields.approvalAmount')}
        note={
          limits.smallest === 'expired'
            ? t('errors.creditExpired')
            : [
                t('audit.amountRange', {
                  min: formatMoney(limits.productMin),
                  max: formatMoney(limits.max),
                  step: formatMoney(limits.amountStep),
                }),
                ...(limits.couponIncrease === '0.00'
                  ? []
                  : [t('audit.withCoupon', { amount: formatMoney(limits.couponIncrease) })]),
              ].join(' · ')
        }
      >
        {control => (
          <Input
            key={chosen}
            tied={{
              ...control,
              'aria-labelledby': `${control.id}-label`,
              'aria-invalid': control['aria-invalid'] || live !== undefined || undefined,
            }}
            label={t('fields.approvalAmount')}
            meta={meta}
            value={typed}
            onChange={value => change({ approvalAmount: String(value ?? '').slice(0, 20) })}
          />
        )}
      </WorkField>
      {!errors.approvalAmount && <ProblemText text={live} />}
      <Quick limits={limits} give={give} />
      <PlanTable plan={plan} busy={!current} />
      <ApprovalTime />
    </>
  )
}
