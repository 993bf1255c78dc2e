import type { OutputOf } from '../../core/contract/endpoint.ts'
import type { orderBrief } from '../../core/contract/order/order-brief.ts'
import { type Translate, useText } from '../../core/element/i18n.ts'
import { secondsText } from '../../core/i18n/plain.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { eatDateTime } from '../../core/rules/time.ts'

const resultDicts = ['AUDIT_RESULT', 'SEND_BACK_REASON', 'CANCEL_REASON', 'AUTO_CANCEL_REASON']
/** A result is a value of one of a few dictionaries, or words that somebody typed. */
const resultText = (t: Translate, result: string) =>
  resultDicts.map(dict => t.maybe(`dict.${dict}.${result}`)).find(Boolean) ?? result

export type Step = OutputOf<typeof orderBrief.steps>['list'][number]

/** What happened to an order, oldest first: when, what, by whom, with what result. */
export const StepLine = ({ steps }: { steps: readonly Step[] }) => {
  const t = useText()
  const facts = (step: Step) =>
    [
      step.auditStep && t('order.stepNo', { n: step.auditStep }),
      step.result && resultText(t, step.result),
      step.amount && `UGX ${formatMoney(step.amount)}`,
      step.modelLevel && t('order.modelResult', { level: step.modelLevel, score: step.modelScore ?? '–' }),
      step.machineIncomplete && t('fields.machineIncomplete'),
      step.refuseReason,
      step.remark,
      step.seconds !== null && secondsText(t, step.seconds),
    ].filter(Boolean)
  return (
    <ol className="mk-steps">
      {steps.map(step => (
        <li key={`${step.at}${step.event}`} data-kind={step.kind}>
          <time dateTime={step.at}>{eatDateTime(step.at)}</time>
          <div>
            <b>{t.maybe(`machines.${step.event}`) ?? t(`order.step.${step.kind}`)}</b>{' '}
            <span className="mk-muted">{step.actorName === 'system' ? t('order.system') : step.actorName}</span>
            {facts(step).length > 0 && <div>{facts(step).join(' · ')}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
