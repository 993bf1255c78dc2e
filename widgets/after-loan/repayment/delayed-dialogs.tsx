import { type FormEvent, useState } from 'react'
import { CallError, fieldErrors } from '../../../core/client/errors.ts'
import { useRead } from '../../../core/client/providers.tsx'
import { type DelayRow, delayed } from '../../../core/contract/after-loan/delayed-arrival.ts'
import type { Trial } from '../../../core/contract/after-loan/repayment.ts'
import type { FlowRow } from '../../../core/contract/after-loan/repayment-rows.ts'
import type { InputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { flawsOf } from '../../../core/engine/form/flaws.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { FilesField } from '../../shared/record/files-field.tsx'
import { TrialView } from './trial-view.tsx'

type Claim = InputOf<typeof delayed.check>
const { shape } = delayed.check.input

/** What passing a claim would do: which penalties are given back, and what is written off as of which day. */
const Effect = ({ claim }: { claim: Claim | null }) => {
  const t = useText()
  const { data, error } = useRead(delayed.check, claim)
  const words = (trial: Trial) =>
    t('delayed.effect', {
      penalty: formatMoney(trial.reversedPenalty),
      amount: formatMoney(trial.received),
      date: trial.valueDate,
    })
  if (error)
    return (
      <Callout.Root color="red" size="1" role="alert">
        <Callout.Text>{error instanceof CallError ? error.message : t('common.noConnection')}</Callout.Text>
      </Callout.Root>
    )
  if (!data) return null
  return (
    <>
      <Text as="p" weight="bold" role="status">
        {data.refusal ?? words(data)}
      </Text>
      <TrialView trial={data} />
    </>
  )
}

/** What is asked of a receipt, its flaws, and the claim that can be tried out already. */
const useClaim = (flow: FlowRow, close: (changed?: boolean) => void) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [answers, setAnswers] = useState<Readonly<Record<string, unknown>>>({ orderNo: flow.orderNos[0] })
  const [files, setFiles] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [claim, setClaim] = useState<Claim | null>(null)
  const given = { flowNo: flow.flowNo, ...answers }
  const look = () => {
    const parsed = delayed.check.input.safeParse(given)
    setClaim(parsed.success ? parsed.data : null)
  }
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const input = { ...given, attachNos: [...files] }
    const flaws = flawsOf(t, delayed.apply.input, input)
    setErrors(flaws)
    if (Object.keys(flaws).length > 0) return
    const outcome = await send(delayed.apply, input as InputOf<typeof delayed.apply>, {
      done: ({ delayNo }) => t('delayed.applied', { delayNo }),
    })
    if (outcome.is === 'done') close(true)
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
  }
  return { answers, setAnswers, files, setFiles, errors, claim, look, submit, busy }
}

/** Asks that a receipt counts from the day on which the customer paid: order, day and evidence. */
export const ApplyDialog = ({ rows: [flow], close }: DialogProps<FlowRow>) => {
  const t = useText()
  const { answers, setAnswers, files, setFiles, errors, claim, look, submit, busy } = useClaim(flow, close)
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={
        <>
          {t('actions.applyDelay')} <span className="mk-key">{flow.serialNo}</span> UGX {formatMoney(flow.remaining)}
        </>
      }
      description={t('delayed.means')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void submit()}>
            {t('actions.applyDelay')}
          </Button>
        </>
      }
    >
      <form className="mk-form" noValidate onSubmit={event => void submit(event)} onBlur={look}>
        {(['orderNo', 'claimedDate'] as const).map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={answers[name]}
            {...(errors[name] ? { error: errors[name] } : {})}
            onChange={value => setAnswers({ ...answers, [name]: value })}
          />
        ))}
        <FilesField value={files} required error={errors.attachNos} onChange={setFiles} />
        <Effect claim={claim} />
        <button type="submit" hidden />
      </form>
    </ModalDialog>
  )
}

/** Decides a request, beside what passing it would do now. */
export const DecideDialog = ({ rows: [row], close }: DialogProps<DelayRow>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [reason, setReason] = useState<unknown>()
  const [error, setError] = useState<string>()
  const { flowNo, orderNo, claimedDate, delayNo, version } = row
  const decide = async (decision: 'pass' | 'reject') => {
    if (decision === 'reject' && !reason) return setError(t('validation.infoComplete'))
    const outcome = await send(
      delayed.audit,
      { delayNo, version, decision, ...(reason ? { reason: String(reason) } : {}) },
      { ids: [delayNo], done: ({ delayStatus }) => t(`dict.DELAY_STATUS.${delayStatus}`) },
    )
    if (outcome.is === 'done') close(true)
  }
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={
        <>
          {t('actions.decideDelay')} <span className="mk-key">{delayNo}</span> {row.customerName}
        </>
      }
      footer={
        <>
          <DialogCancel />
          <Button color="red" variant="soft" loading={busy} onClick={() => void decide('reject')}>
            {t('dict.DELAY_DECISION.reject')}
          </Button>
          <Button loading={busy} onClick={() => void decide('pass')}>
            {t('dict.DELAY_DECISION.pass')}
          </Button>
        </>
      }
    >
      <div className="mk-form">
        <Effect claim={{ flowNo, orderNo, claimedDate }} />
        <Field
          name="reason"
          schema={delayed.audit.input.shape.reason}
          value={reason}
          optional
          {...(error ? { error } : {})}
          onChange={setReason}
        />
      </div>
    </ModalDialog>
  )
}
